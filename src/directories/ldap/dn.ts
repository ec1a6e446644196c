/** How to write a DN. */
export const dnCure = 'write it as RFC 4514 says: ou=groups,dc=example,dc=com, with , + " \\ inside values as \\, \\+ \\" \\\\'

/**
 * Whether two texts name the same entry. RFC 4514 escapes, blanks, and the case of types and values make no difference
 * (389-ds answers `cn=directory manager` for `cn=Directory Manager`). False if one of the texts is not a DN.
 */
export function sameDn(a: string, b: string): boolean {
  const left = parseDn(a)
  const right = parseDn(b)
  return left !== undefined && right !== undefined && left.length === right.length && left.every((rdn, at) => rdn === right[at])
}

/**
 * @returns each relative name in a normal form, leaf first, the parts of a multi-valued one sorted; undefined if the text is not a DN.
 * A type by name and the same type by OID count as different.
 */
export function parseDn(text: string): readonly string[] | undefined {
  const rdns: string[] = []
  if (text.trim() === '') return rdns
  let parts: string[] = []
  for (let at = 0; ; ) {
    const type = /^\s*([a-z][a-z0-9-]*|\d+(?:\.\d+)+)\s*=/i.exec(text.slice(at))
    if (!type) return undefined
    const value = readValue(text, at + type[0].length)
    if (!value) return undefined
    const folded = fold(value.text)
    parts.push(`${type[1]?.toLowerCase()}=${isPlainValue.test(folded) ? folded : JSON.stringify(folded)}`)
    at = value.end
    if (text[at] !== '+') {
      rdns.push(parts.sort().join('+'))
      parts = []
    }
    if (at >= text.length) return rdns
    at++
  }
}

/** Characters that mean only themselves in a DN, in words that one blank separates. */
const plainValue = String.raw`[!$-*\-./0-9:?-Z[\]-~]+(?: [!$-*\-./0-9:?-Z[\]-~]+)*`
const isPlainValue = new RegExp(`^${plainValue}$`)
const isPlainDn = new RegExp(`^[a-z][a-z0-9-]*=${plainValue}(?:,[a-z][a-z0-9-]*=${plainValue})*$`, 'i')

/**
 * A text that is equal for all texts that name the same entry, as `sameDn` compares them; undefined if the text is not a DN. Most DNs are in the form
 * that needs no parsing: a directory may have a million.
 */
export const dnKey = (text: string): string | undefined => (isPlainDn.test(text) ? text.toLowerCase() : parseDn(text)?.join(','))

/** A value up to an unescaped comma, semicolon or plus. Pairs of hex digits are bytes of UTF-8. */
function readValue(text: string, start: number): { text: string; end: number } | undefined {
  const unescaped = unescapedFrom(text, start)
  let at = start + unescaped.length
  if (text[at] !== '\\') return { text: unescaped, end: at }
  const bytes = [Buffer.from(unescaped)]
  while (text[at] === '\\') {
    const escape = /^\\(?:([0-9a-f]{2})|([ "#+,;<=>\\]))/i.exec(text.slice(at, at + 3))
    if (!escape) return undefined
    bytes.push(escape[1] === undefined ? Buffer.from(escape[2] ?? '') : Buffer.from(escape[1], 'hex'))
    at += escape[0].length
    const more = unescapedFrom(text, at)
    bytes.push(Buffer.from(more))
    at += more.length
  }
  return { text: Buffer.concat(bytes).toString('utf8'), end: at }
}

function unescapedFrom(text: string, start: number): string {
  const end = /[,;+\\]/g
  end.lastIndex = start
  return text.slice(start, end.exec(text)?.index ?? text.length)
}

/** Prepares a value as caseIgnoreMatch does (RFC 4518): compatible forms, case and blanks make no difference. */
const fold = (value: string): string => value.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
