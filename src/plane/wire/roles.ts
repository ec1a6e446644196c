import type { Role } from '../../core/mapping.ts'
import { optionalText } from './fields.ts'
import { parse, z } from './parse.ts'

const roleRow = z.object({ slug: z.string().min(1), namespace: optionalText })

/** A role that a mapping may name. Older servers do not say its namespace. */
export type NamedRole = { readonly slug: Role; readonly namespace: string | undefined }

export function roleFrom(row: unknown, at = ''): NamedRole {
  const { slug, namespace } = parse(roleRow, row, at)
  return { slug: slug as Role, namespace: namespace ?? undefined }
}
