type Primitive = string | number | boolean | null | undefined

/** `T` with all properties and lists read-only, at every depth. */
export type DeepReadonly<T> = T extends Primitive
  ? T
  : T extends readonly (infer Item)[]
    ? readonly DeepReadonly<Item>[]
    : { readonly [Name in keyof T]: DeepReadonly<T[Name]> }
