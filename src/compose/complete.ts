/** The same properties, all of them required: one that `T` may lack is `undefined` instead. */
export type Complete<T> = { readonly [Name in keyof T]-?: Partial<Pick<T, Name>> extends Pick<T, Name> ? T[Name] | undefined : T[Name] }

/**
 * The options of a part, without those that are `undefined`. The compiler refuses a property that is forgotten and one that `T` does not have;
 * in an object that is spread together it sees neither. `T` is said by the caller: it is never inferred from the options.
 */
export function complete<T extends object = never>(options: Complete<NoInfer<T>>): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T
}
