/** The shortest piece that is worth replacing: less meets by chance in any text. */
const piecesMin = 4

/**
 * Every way in which a secret may stand in a line of a log: as it is, JSON-escaped once and twice (an error that quotes a body), URL- and
 * form-encoded, and in base64 of either alphabet, also as part of something longer (`Basic` joins it with a name). Longest first, so that
 * what contains another is replaced whole.
 */
export function secretForms(secret: string): readonly string[] {
  const value = secret.toWellFormed()
  const encoded = [encodeURIComponent(value), new URLSearchParams({ _: value }).toString().slice(2)]
  const plain = [value, ...encoded, ...encoded.map(lowerHex)]
  const escaped = [jsonEscaped(value), jsonEscaped(jsonEscaped(value))]
  const pieces = [value, ...encoded].flatMap(base64Forms).filter(({ length }) => length >= piecesMin)
  return [...new Set([...plain, ...escaped, ...pieces])].toSorted((a, b) => b.length - a.length)
}

const jsonEscaped = (text: string): string => JSON.stringify(text).slice(1, -1)
const lowerHex = (text: string): string => text.replaceAll(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase())

/** Whole, and at each of the three places where it may begin within three bytes: there only the characters that no neighbour changes. */
function base64Forms(text: string): readonly string[] {
  const bytes = Buffer.from(text)
  const whole = bytes.toString('base64')
  const within = [0, 1, 2].map((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    return padded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
  })
  return [whole, ...within].flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')])
}
