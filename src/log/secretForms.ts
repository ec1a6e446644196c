/** Characters of the shortest base64 piece that is replaced. A shorter one is in any text by chance. */
const piecesMin = 4

/**
 * All forms in which a secret may be in a line of the log: plain, JSON-escaped once and twice (an error that quotes a body), URL-encoded once and
 * twice, form-encoded, in hex, and in base64 of both alphabets, also as part of a longer text (`Basic` joins it with a name). The longest form comes
 * first, so that it is replaced whole. Entities of HTML are decoded before a text is searched. docs/threat-model.md lists the forms.
 */
export function secretForms(secret: string): readonly string[] {
  const value = secret.toWellFormed()
  const encoded = [encodeURIComponent(value), new URLSearchParams({ _: value }).toString().slice(2)]
  const twice = encoded.map(encodeURIComponent)
  const hex = Buffer.from(value).toString('hex')
  const plain = [value, ...encoded, ...encoded.map(lowerHex), ...twice, ...twice.map(lowerHex), hex, hex.toUpperCase()]
  const escaped = [jsonEscaped(value), jsonEscaped(jsonEscaped(value))]
  const pieces = [value, ...encoded].flatMap(base64Forms).filter(({ length }) => length >= piecesMin)
  return [...new Set([...plain, ...escaped, ...pieces])].toSorted((a, b) => b.length - a.length)
}

const jsonEscaped = (text: string): string => JSON.stringify(text).slice(1, -1)
const lowerHex = (text: string): string => text.replaceAll(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase())

/**
 * A text in base64: whole, and inside a longer text, where it may begin at the first, second or third byte of three. Inside, the characters at
 * its edges depend on the neighbours and are left out.
 */
function base64Forms(text: string): readonly string[] {
  const bytes = Buffer.from(text)
  const whole = bytes.toString('base64')
  const within = [0, 1, 2].map((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    return padded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
  })
  return [whole, ...within].flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')])
}
