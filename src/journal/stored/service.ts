import { whole } from '../../core/fields.ts'
import type { Service } from '../../core/memory/entry.ts'
import { read, type Tell } from './unknown.ts'

export type StoredService = { readonly host: string; readonly slugs: Readonly<Record<string, string>> }

export const storedService = ({ host, slugs, ...rest }: Service): StoredService => whole({ host, slugs }, rest)

export const serviceFromStored = ({ host, slugs, ...rest }: StoredService, tell: Tell): Service => read({ host, slugs }, rest, tell)
