import { flag, number, object, optional, string, union } from '../../src/core/codec.ts'

type Memory = { readonly open: number; readonly later: number; readonly optional?: string }
type Form = { readonly kind: 'a'; readonly a: number } | { readonly kind: 'b'; readonly b?: string }

/** Tables with a mistake. TypeScript must refuse each of them. Only `npm run types` checks this file. */
export const refused = [
  // @ts-expect-error it lacks an optional field
  object<Memory>({ open: number(), later: number() }),
  // @ts-expect-error it lacks a field
  object<Memory>({ open: number(), optional: optional(string()) }),
  // @ts-expect-error a field has another type
  object<Memory>({ open: number(), later: flag(), optional: 'notStored' }),
  // @ts-expect-error a field that must be there is not stored
  object<Memory>({ open: number(), later: 'notStored', optional: 'notStored' }),
  // @ts-expect-error a field that must be there may be absent
  object<Memory>({ open: number(), later: optional(number()), optional: 'notStored' }),
  // @ts-expect-error an optional field must be there
  object<Memory>({ open: number(), later: number(), optional: string() }),
  // @ts-expect-error it has a field that the type does not have
  object<Memory>({ open: number(), later: number(), optional: 'notStored', more: string() }),
  // @ts-expect-error it lacks a form
  union<Form, 'kind'>('the form', 'kind', { a: { kind: string(), a: number() } }),
  // @ts-expect-error a form lacks a field
  union<Form, 'kind'>('the form', 'kind', { a: { kind: string(), a: number() }, b: { kind: string() } }),
]

export const accepted = [
  object<Memory>({ open: number(), later: ['last', number()], optional: 'notStored' }),
  union<Form, 'kind'>('the form', 'kind', { a: { kind: string(), a: number() }, b: { kind: ['is', string()], b: optional(string()) } }),
]
