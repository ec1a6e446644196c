import { optionalText, parse, z } from './fields.ts'

const ownerBody = z.object({ email: optionalText, display_name: optionalText, id: optionalText })

/** How people call the account of a credential: its address, else its name. @throws {UnexpectedBody} if the body is no account */
export function ownerFrom(body: unknown): string {
  const { email, display_name, id } = parse(ownerBody, body, '')
  return [email, display_name, id].find((text) => typeof text === 'string' && text !== '') ?? 'an account without a name'
}
