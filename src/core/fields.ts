/** The fields without those that are undefined, so that an optional field without a value is absent. */
export const defined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>

type Defined<T> = { [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] } & {
  [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>
}

/** The type of `rest` in `const { a, b, ...rest } = object` when no field is left. */
type NoFields = Readonly<Record<string, never>>

/**
 * Returns `value`, which was made field by field from an object. `_rest` is what is left of that object after destructuring. If a field of the
 * object's type was forgotten, the field is still in `_rest`, and TypeScript refuses it.
 */
export const whole = <T>(value: T, _rest: NoFields): T => value
