import { z } from '../../yaml/zod.ts'

/**
 * The schema of an object of SCIM. Names of attributes have no case (RFC 7643 §2.1), so `Members` is read as `members`. Otherwise `Members` would be an
 * unknown attribute, and a group with it would count as empty. If an object has a name in both cases, the one of the schema counts.
 */
export function attributesOf<Shape extends z.ZodRawShape>(shape: Shape) {
  const usual = new Map(Object.keys(shape).map((name) => [name.toLowerCase(), name]))
  return z.preprocess((value) => withUsualNames(value, usual), z.object(shape))
}

function withUsualNames(value: unknown, usual: ReadonlyMap<string, string>): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const renamed: Record<string, unknown> = {}
  let isOther = false
  for (const [name, one] of Object.entries(value)) {
    const wanted = usual.get(name.toLowerCase())
    if (wanted === undefined || (wanted !== name && Object.hasOwn(value, wanted))) continue
    renamed[wanted] = one
    isOther ||= wanted !== name
  }
  return isOther ? renamed : value
}
