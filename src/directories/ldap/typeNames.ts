import { textBytesMax } from './attribute.ts'

/** Decodes the name of an attribute. Undefined: it has an option that no search asked for, such as `cn;lang-de`. */
export type TypeNames = (buffer: Buffer, start: number, end: number) => string | undefined

/** The requested names with options, in lower case and without a range. */
type RequestedOptions = ReadonlySet<string>

const knownMax = 32

/** The entries of a reading have the same few attributes, so each name is decoded once. */
export function openTypeNames(requested: RequestedOptions = new Set()): TypeNames {
  const known: { readonly bytes: Buffer; readonly text: string }[] = []
  return (buffer, start, end) => {
    for (const { bytes, text } of known) if (hasBytes(buffer, start, end, bytes)) return text
    if (hasOtherOption(buffer, start, end, requested)) return undefined
    if (end - start > textBytesMax) throw new Error(`the name of an attribute is longer than ${textBytesMax} bytes`)
    const text = buffer.toString('utf8', start, end)
    if (known.length < knownMax) known.push({ bytes: Buffer.from(buffer.subarray(start, end)), text })
    return text
  }
}

const semicolon = 0x3b
const range = ';range='

/** Whether the name has options that were not requested. A person may add any number of them to an entry of OpenLDAP. */
function hasOtherOption(buffer: Buffer, start: number, end: number, requested: RequestedOptions): boolean {
  let at = start
  while (at < end && buffer[at] !== semicolon) at++
  if (at === end || buffer.toString('latin1', at, Math.min(end, at + range.length)).toLowerCase() === range) return false
  return requested.size === 0 || end - start > textBytesMax || !requested.has(withoutRange(buffer.toString('utf8', start, end)))
}

/** Active Directory sends `member;range=0-1499` for `member`. */
const withoutRange = (name: string): string => name.toLowerCase().replace(/;range=[^;]*$/, '')

/** Of requested names, those with options, such as `cn;lang-de`, as `RequestedOptions` has them. */
export const optionsIn = (attributes: readonly string[]): readonly string[] =>
  attributes.map(withoutRange).filter((name) => name.includes(';'))

function hasBytes(buffer: Buffer, start: number, end: number, bytes: Buffer): boolean {
  if (end - start !== bytes.length) return false
  for (let at = 0; at < bytes.length; at++) if (buffer[start + at] !== bytes[at]) return false
  return true
}
