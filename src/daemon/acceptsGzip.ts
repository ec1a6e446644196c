/**
 * Whether a client wants gzip, by its header `Accept-Encoding` (RFC 9110, section 12.5.3). Without the header, and for a client that likes the plain
 * text better, the answer is no.
 */
export function acceptsGzip(header: string | undefined): boolean {
  const weights = new Map((header ?? '').split(',').map(weightOf))
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0)
}

/** `gzip;q=0.5` → its name and its weight. A weight that is no number between 0 and 1 refuses the coding. */
function weightOf(item: string): readonly [string, number] {
  const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))
  if (weight === undefined) return [name, 1]
  const text = weight.replace(/^q\s*=\s*/, '')
  return [name, /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0]
}
