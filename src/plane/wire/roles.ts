import type { Role } from '../../core/mapping.ts'
import { optionalText } from './fields.ts'
import { pageFrom } from './page.ts'
import { parse, UnexpectedBody, z } from './parse.ts'

const roleRow = z.object({ slug: z.string().min(1), namespace: optionalText })

/** The slugs of one namespace. A server that does not know the filter sends all namespaces, so the answer is filtered here too. */
export function rolesFrom(body: unknown, namespace: string): readonly Role[] {
  const page = pageFrom(body)
  if (page.next !== 'none') throw new UnexpectedBody('roles on more than one page')
  const rows = page.rows.map((row, index) => parse(roleRow, row, `${page.at}[${index}]`))
  return rows.filter((row) => (row.namespace ?? namespace) === namespace).map((row) => row.slug as Role)
}
