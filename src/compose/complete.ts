/** `T` with all properties required; an optional one may be `undefined`. */
export type Complete<T> = { readonly [Name in keyof T]-?: Partial<Pick<T, Name>> extends Pick<T, Name> ? T[Name] | undefined : T[Name] }

/**
 * Returns options without those that are `undefined`. The compiler refuses a forgotten property, and one that `T` does not have; of an
 * object made by spreads it would notice neither. The caller has to name `T`: it is never inferred from the options.
 */
export function complete<T extends object = never>(options: Complete<NoInfer<T>>): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T
}
