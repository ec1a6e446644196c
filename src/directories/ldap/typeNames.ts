import { textBytesMax } from './attribute.ts'

/** Decodes the name of an attribute. */
export type TypeNames = (buffer: Buffer, start: number, end: number) => string

const knownMax = 16

/** The entries of a reading have the same few attributes, so each name is decoded once. */
export function openTypeNames(): TypeNames {
  const known: { readonly bytes: Buffer; readonly text: string }[] = []
  return (buffer, start, end) => {
    for (const { bytes, text } of known) if (hasBytes(buffer, start, end, bytes)) return text
    if (end - start > textBytesMax) throw new Error(`the name of an attribute is longer than ${textBytesMax} bytes`)
    const text = buffer.toString('utf8', start, end)
    if (known.length < knownMax) known.push({ bytes: Buffer.from(buffer.subarray(start, end)), text })
    return text
  }
}

function hasBytes(buffer: Buffer, start: number, end: number, bytes: Buffer): boolean {
  if (end - start !== bytes.length) return false
  for (let at = 0; at < bytes.length; at++) if (buffer[start + at] !== bytes[at]) return false
  return true
}
