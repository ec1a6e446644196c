import { OperationalError } from './operationalError.ts'

/**
 * How values of one type are stored as JSON: in the journal, and in the documents of commands. A type is one table with a row for each field, in the
 * order of the file. The row checks, writes and reads the field.
 */
export type Codec<T> = {
  /** @throws {TypeError} for a value of another type; `OperationalError` for a word that only a newer version knows */
  read(stored: unknown, tell: Tell): T
  readonly write: (value: T) => unknown
  /** The file has the value as it is. */
  readonly isPlain?: true
  /** JSON Schema (2020-12) of the stored form; absent: any value. */
  readonly schema?: () => JsonSchema
  /** An object of the file may lack the field. */
  readonly mayLack?: true
}
type JsonSchema = Readonly<Record<string, unknown>>

/** Called with the path of each field that this version does not know: `result.change.unheardOf`. */
export type Tell = (name: string) => void

/** A `Tell` for the fields inside `field`: it puts `field.` before each name. */
export const inField =
  (tell: Tell, field: string): Tell =>
  (name) =>
    tell(`${field}.${name}`)

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const otherType = (what: string): TypeError => new TypeError(`a value is no ${what}`)

const plain = <T>(what: string, schema: JsonSchema, isRight: (stored: unknown) => boolean): Codec<T> => ({
  isPlain: true,
  schema: () => schema,
  write: (value) => value,
  read: (stored) => {
    if (!isRight(stored)) throw otherType(what)
    return stored as T
  },
})
const aText = plain<string>('text', { type: 'string' }, (stored) => typeof stored === 'string')
const aNumber = plain<number>('number', { type: 'number' }, Number.isFinite)
const aFlag = plain<boolean>('switch', { type: 'boolean' }, (stored) => typeof stored === 'boolean')

/** Texts are not compared with the words that this version knows, since a newer version may write others. */
export const string = <T extends string>(): Codec<T> => aText as unknown as Codec<T>
export const number = <T extends number>(): Codec<T> => aNumber as unknown as Codec<T>
export const flag = <T extends boolean>(): Codec<T> => aFlag as unknown as Codec<T>
export const literal = <T extends string>(word: T): Codec<T> => plain(`"${word}"`, { const: word }, (stored) => stored === word)
/** A value of a setting, of whichever it is. */
export const settingValue = <T extends string | boolean | null>(): Codec<T> =>
  plain(
    'value of a setting',
    { type: ['string', 'boolean', 'null'] },
    (stored) => stored === null || typeof stored === 'string' || typeof stored === 'boolean',
  )
export const nullable = <T>({ isPlain, write, read, schema }: Codec<T>): Codec<T | null> => ({
  schema: () => ({ anyOf: [schema?.() ?? {}, { type: 'null' }] }),
  ...(isPlain === true ? { isPlain } : {}),
  write: (value) => (value === null ? null : write(value)),
  read: (stored, tell) => (stored === null ? null : read(stored, tell)),
})

const schemaOf = (schema: Codec<unknown>['schema']) => (schema === undefined ? {} : { schema })

/** The value of an absent field is `absent`. */
export const orElse = <T>({ write, read, schema }: Codec<T>, absent: T): Codec<T> => ({
  ...schemaOf(schema),
  mayLack: true,
  write,
  read: (stored, tell) => (stored === undefined ? absent : read(stored, tell)),
})
export const optional = <T>({ isPlain, write, read, schema }: Codec<T>): Codec<T | undefined> => ({
  ...schemaOf(schema),
  mayLack: true,
  ...(isPlain === true ? { isPlain } : {}),
  write: (value) => (value === undefined ? undefined : write(value)),
  read: (stored, tell) => (stored === undefined ? undefined : read(stored, tell)),
})
/** The field is left out if it has nothing. */
export function unlessEmpty<T>(codec: Codec<T>, empty: T): Codec<T> {
  const write = (value: T) => {
    const stored = codec.write(value) as object
    return Object.keys(stored).length === 0 ? undefined : stored
  }
  return { ...orElse(codec, empty), write }
}
/** What the file does not have, because it is the same in each value of the type. */
export const implied = <T>(value: T): Codec<T> => ({ mayLack: true, write: () => undefined, read: () => value })

export function list<T>({ isPlain, write, read, schema: ofItem }: Codec<T>): Codec<readonly T[]> {
  const schema = () => ({ type: 'array', items: ofItem?.() ?? {} })
  const readList = (stored: unknown, tell: Tell) => {
    if (!Array.isArray(stored)) throw otherType('list')
    const items = stored as readonly unknown[]
    if (isPlain !== true) return items.map((item) => read(item, tell))
    for (const item of items) read(item, tell)
    return items as readonly T[]
  }
  return isPlain === true
    ? { isPlain, schema, write: (value) => value, read: readList }
    : { schema, write: (value) => value.map((item) => write(item)), read: readList }
}

export function record<Name extends string, T>({ isPlain, write, read, schema: ofValue }: Codec<T>): Codec<Readonly<Record<Name, T>>> {
  const schema = () => ({ type: 'object', additionalProperties: ofValue?.() ?? {} })
  const each = (values: object, make: (value: unknown) => unknown) =>
    Object.fromEntries(Object.entries<unknown>(values as Json).map(([name, value]) => [name, make(value)])) as Record<Name, T>
  const readRecord = (stored: unknown, tell: Tell) => {
    if (!isObject(stored)) throw otherType('record')
    if (isPlain !== true) return each(stored, (value) => read(value, tell))
    for (const value of Object.values(stored)) read(value, tell)
    return stored as Record<Name, T>
  }
  return isPlain === true
    ? { isPlain, schema, write: (value) => value, read: readRecord }
    : { schema, write: (value) => each(value, (part) => write(part as T)), read: readRecord }
}

/** A value that has another form in the file. */
export const converted = <T, Stored>(
  { write, read, schema, mayLack }: Codec<Stored>,
  toStored: (value: T) => Stored,
  fromStored: (stored: Stored) => T,
): Codec<T> => ({
  ...schemaOf(schema),
  ...(mayLack === undefined ? {} : { mayLack }),
  write: (value) => write(toStored(value)),
  read: (stored, tell) => fromStored(read(stored, tell)),
})

/** The codec of a field, with the field's name in the file if that is another one. `notStored`: the file does not have the field. */
type Row<T> = Codec<T> | readonly [string, Codec<T>]
/** A table that lacks a field of the type does not compile. An optional field may be left out of the file. */
type Table<T> = {
  readonly [Name in keyof T]-?: undefined extends Partial<Pick<T, Name>>[Name]
    ? object extends Pick<T, Name>
      ? Row<T[Name] | undefined> | 'notStored'
      : Row<T[Name]>
    : never
}

/** A field that is not in the table is one of a newer version, unless `old` names it: then no version needs it any more. */
export function object<T extends object>(table: Table<T>, old: Readonly<Record<string, Pick<Codec<unknown>, 'read'>>> = {}): Codec<T> {
  type Part = Exclude<Row<unknown>, readonly unknown[]>
  const rows = Object.entries<Row<unknown> | 'notStored'>(table as never).flatMap(([name, row]) => {
    if (row === 'notStored') return []
    const [storedName, codec] = Array.isArray(row) ? (row as readonly [string, Part]) : [name, row as Part]
    return [{ name, storedName, codec, isPlain: codec.isPlain === true }]
  })
  const known = new Set([...rows.map(({ storedName }) => storedName), ...Object.keys(old)])
  return {
    schema: () => ({
      type: 'object',
      properties: Object.fromEntries(rows.map(({ storedName, codec }) => [storedName, codec.schema?.() ?? {}])),
      required: rows.flatMap(({ storedName, codec }) => (codec.mayLack === true ? [] : [storedName])),
    }),
    write: (value) => {
      const stored: Record<string, unknown> = {}
      for (const { name, storedName, codec } of rows) stored[storedName] = codec.write((value as Json)[name])
      return stored
    },
    read: (stored, tell) => {
      if (!isObject(stored)) throw otherType('object')
      const value: Record<string, unknown> = {}
      for (const { name, storedName, codec, isPlain } of rows) {
        const part = codec.read(stored[storedName], isPlain ? tell : inField(tell, storedName))
        if (part !== undefined) value[name] = part
      }
      for (const name in stored) {
        if (known.has(name)) old[name]?.read(stored[name], tell)
        else tell(name)
      }
      return value as T
    },
  }
}

const isCodec = <T>(form: Table<T> | Codec<T>): form is Codec<T> => 'read' in form && typeof form.read === 'function'

type Word<T, Tag extends keyof T> = T[Tag] & string
/** The members of a union whose `Tag` may be `K`. */
type Form<T, Tag extends PropertyKey, K> = T extends { readonly [_ in Tag]: infer Words } ? (K extends Words ? T : never) : never

export type Forms<T, Tag extends keyof T> = { readonly [K in Word<T, Tag>]: Table<Form<T, Tag, K>> | Codec<Form<T, Tag, K>> }

/**
 * A union of which each member has a table. `tag` tells them apart, as `storedTag` in the file.
 *
 * @param what what the error for an unknown word is about: `the change`
 * @param old the fields of any member that no version needs any more
 */
export function union<T extends object, const Tag extends keyof T>(
  what: string,
  tag: Tag | readonly [Tag, string],
  forms: Forms<T, Tag>,
  old: Parameters<typeof object>[1] = {},
): Codec<T> {
  const [name, storedTag] = Array.isArray(tag) ? (tag as readonly [Tag, string]) : [tag as Tag, tag as string]
  const codecs = Object.fromEntries(
    Object.entries<Table<T> | Codec<T>>(forms as never).map(([word, form]) => [word, isCodec(form) ? form : object<T>(form, old)]),
  )
  return {
    schema: () => ({ anyOf: Object.values(codecs).map((codec) => codec.schema?.() ?? {}) }),
    write: (value) => codecs[value[name] as string]?.write(value),
    read: (stored, tell) => {
      const word = isObject(stored) ? stored[storedTag] : undefined
      if (typeof word !== 'string') throw otherType(`${storedTag} of ${what}`)
      const codec = Object.hasOwn(codecs, word) ? codecs[word] : undefined
      if (codec === undefined) throw new OperationalError('FormatNewer', `${what} ${JSON.stringify(word)}`)
      return codec.read(stored, tell)
    },
  }
}
