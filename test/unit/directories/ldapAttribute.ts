import { BerWriter } from 'ldapts'
import { type Attribute, ReceivedAttribute } from '../../../src/directories/ldap/attribute.ts'

/** An attribute as it arrives. */
export function attributeOf(type: string, values: readonly (string | Buffer)[]): Attribute {
  const writer = new BerWriter()
  for (const value of values) writer.writeBuffer(Buffer.from(value), 0x04)
  const bytes = writer.buffer
  return new ReceivedAttribute(type, values.length, values.filter(({ length }) => length === 0).length, bytes, 0, bytes.length)
}

export const attributesOf = (attributes: Readonly<Record<string, readonly (string | Buffer)[]>>): readonly Attribute[] =>
  Object.entries(attributes).map(([type, values]) => attributeOf(type, values))
