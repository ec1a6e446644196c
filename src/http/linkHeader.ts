/** The characters of a header that are read. A link in the rest is not found. */
const charactersMax = 32_000

/** The address of a link with this relation in a `Link` header (RFC 8288); undefined if there is none. */
export function linkOf(header: string | undefined, relation: string): string | undefined {
  for (const [, address, parameters = ''] of (header ?? '').slice(0, charactersMax).matchAll(linkValue)) {
    if (address !== undefined && relationsIn(parameters).includes(relation)) return address
  }
  return undefined
}

/** `<address>; name=value; name="value"`. A comma may be in an address and in quotes. */
const linkValue = /<([^<>]*)>((?:;|[^<>,;"]|"(?:[^"\\]|\\.)*")*)/g

/** The relations in the first parameter `rel`. A text in quotes may have the characters of a parameter: `title="; rel=next"`. */
function relationsIn(parameters: string): readonly string[] {
  for (const [parameter] of parameters.matchAll(/(?:"(?:[^"\\]|\\.)*"|[^";])+/g)) {
    const [, quoted, plain = ''] = /^\s*rel\s*=\s*(?:"([^"]*)"|([^\s"]+))/i.exec(parameter) ?? []
    const value = quoted ?? plain
    if (value !== '') return value.toLowerCase().split(/\s+/)
  }
  return []
}
