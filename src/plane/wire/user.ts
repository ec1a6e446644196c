import { defined } from '../../core/fields.ts'
import { id, optionalText, parse, z } from './fields.ts'

const userRow = z.object({ id, email: optionalText, display_name: optionalText })

/** The owner of a credential. */
export type User = { readonly id: string; readonly name?: string; readonly email?: string }

export function userFrom(body: unknown): User {
  const { id, email, display_name } = parse(userRow, body, '')
  return { id, ...defined({ name: display_name ?? undefined, email: email ?? undefined }) }
}
