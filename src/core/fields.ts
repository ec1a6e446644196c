/** Fields without those that are undefined: an optional field is absent. */
export const defined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>

type Defined<T> = { [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] } & {
  [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>
}

/** The rest of an object of which every field was taken out by name. */
export type NoFields = Readonly<Record<string, never>>

/**
 * Returns `value`, which was made field by field from an object. `rest` has the other fields of that object: TypeScript refuses any field in
 * it, so no field can be forgotten.
 */
export const whole = <T>(value: T, _rest: NoFields): T => value
