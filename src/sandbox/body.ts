import type { OpenCall } from './call.ts'
import type { Dialect } from './dialect.ts'
import { detail, error, json, type Reply } from './reply.ts'
import type { Request } from './request.ts'

/** A field that a body may have. Texts are trimmed, and numbers become texts (both measured on the Community Edition). */
type Field = { readonly type: 'text'; readonly charactersMax: number; readonly nullable?: true } | { readonly type: 'boolean' }
type ValueOf<F extends Field> = F extends { type: 'boolean' } ? boolean : F extends { nullable: true } ? string | null : string
/** The checked fields of a body. A field that was not sent is absent; unknown fields are ignored. */
export type Sent<Fields extends Record<string, Field>> = { [Name in keyof Fields]?: ValueOf<Fields[Name]> }

/** Checks a JSON body by its fields. The refusal has all errors by field, in the words of Plane's framework. */
export function readBody<Fields extends Record<string, Field>>(
  { request, dialect }: Pick<OpenCall, 'request' | 'dialect'>,
  fields: Fields,
  required: readonly (keyof Fields & string)[],
): { sent: Sent<Fields> } | { refusal: Reply } {
  const parsed = parse(request, fields, dialect)
  if ('refusal' in parsed) return parsed
  const { body } = parsed
  if (request.method === 'PATCH' && Object.keys(body).length === 0) return { refusal: error(400, 'Request body cannot be empty.') }
  const complaints: Record<string, string[]> = {}
  const sent: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    if (!Object.hasOwn(body, name)) {
      if (required.includes(name)) complaints[name] = ['This field is required.']
      continue
    }
    const checked = check(body[name], field)
    if ('complaint' in checked) complaints[name] = [checked.complaint]
    else sent[name] = checked.value
  }
  if (Object.keys(complaints).length > 0) return { refusal: json(400, complaints) }
  return { sent: sent as Sent<Fields> } // each value went through the check of its own field
}

type Parsed = { body: Record<string, unknown> } | { refusal: Reply }

function parse({ headers, body }: Request, fields: Record<string, Field>, { formBodies }: Pick<Dialect, 'formBodies'>): Parsed {
  if (body.length === 0) return { body: {} }
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded' && formBodies === 'read') return { body: fromForm(body.toString(), fields) }
  if (type !== 'application/json') return { refusal: detail(415, `Unsupported media type "${type ?? ''}" in request.`) }
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { body: value as Record<string, unknown> }
    return { refusal: json(400, { non_field_errors: ['Invalid data. Expected a dictionary.'] }) }
  } catch (cause) {
    return { refusal: detail(400, `JSON parse error - ${cause instanceof Error ? cause.message : 'unreadable'}`) }
  }
}

/** The values of a form. If a name comes twice, the last value counts. A form has no null; an empty value stands for it where null is allowed. */
function fromForm(text: string, fields: Record<string, Field>): Record<string, unknown> {
  const isNull = (name: string, value: string) => value === '' && Object.hasOwn(fields, name) && isNullable(fields[name])
  return Object.fromEntries([...new URLSearchParams(text)].map(([name, value]) => [name, isNull(name, value) ? null : value]))
}

const isNullable = (field: Field | undefined): boolean => field?.type === 'text' && field.nullable === true

function check(value: unknown, field: Field): { value: string | boolean | null } | { complaint: string } {
  if (field.type === 'boolean') {
    if (value === true || value === 'true' || value === 1) return { value: true }
    if (value === false || value === 'false' || value === 0) return { value: false }
    return { complaint: value === null ? 'This field may not be null.' : 'Must be a valid boolean.' }
  }
  if (value === null) return field.nullable ? { value: null } : { complaint: 'This field may not be null.' }
  if (typeof value !== 'string' && typeof value !== 'number') return { complaint: 'Not a valid string.' }
  const text = String(value).trim()
  if (text === '') return { complaint: 'This field may not be blank.' }
  if (text.includes('\0')) return { complaint: 'Null characters are not allowed.' }
  if (Array.from(text).length > field.charactersMax)
    return { complaint: `Ensure this field has no more than ${field.charactersMax} characters.` }
  return { value: text }
}
