/** The characters of a header that are read. A link in the rest is not found. */
const charactersMax = 32_000

/** The address of a link with this relation in a `Link` header (RFC 8288); undefined if there is none. */
export function linkOf(header: string | undefined, relation: string): string | undefined {
  for (const [, address, parameters = ''] of (header ?? '').slice(0, charactersMax).matchAll(linkValue)) {
    if (address !== undefined && relationsIn(parameters).includes(relation)) return address
  }
  return undefined
}

/** Whether each link of a `Link` header can be read and has a relation. If not, the header may have a link to a next page that was not found. */
export function areLinksReadable(header: string): boolean {
  if (header.length > charactersMax) return false
  const marked = header.replaceAll(linkValue, (_, _address, parameters: string) => (hasRelation(parameters) ? linkMark : '?'))
  return marked.split(',').every((part) => part.trim() === linkMark || part.trim() === '')
}

function hasRelation(parameters: string): boolean {
  const relations = relationsIn(parameters).filter((name) => name !== '')
  return relations.length > 0 && relations.every((name) => relationName.test(name))
}

/** The name of a relation in lower case, or an address (RFC 8288 §3.3). */
const relationName = /^[a-z](?:[a-z0-9.-]*|[a-z0-9+.-]*:.+)$/

/** Stands for a link that was read. No text beside the links can have it, because it is itself a link. */
const linkMark = '<>'

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
