/** The fields without those that are undefined, so that an optional field without a value is absent. */
export const defined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>

type Defined<T> = { [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] } & {
  [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>
}

/** `T` with all properties required; an optional one may be `undefined`. */
export type Complete<T> = { readonly [Name in keyof T]-?: Partial<Pick<T, Name>> extends Pick<T, Name> ? T[Name] | undefined : T[Name] }

/**
 * Returns options without those that are `undefined`. The compiler refuses an object that lacks a property of `T`, or has one that `T` does not have.
 * With conditional spreads it would notice neither. The caller has to name `T`: it is never inferred from the options.
 */
export function complete<T extends object = never>(options: Complete<NoInfer<T>>): T {
  return defined(options) as T
}
