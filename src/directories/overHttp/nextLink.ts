import { DirectoryError } from '../directoryError.ts'

/** A longer link is refused: servers refuse request lines of this length, too. */
const charactersMax = 8_000

/**
 * The path and query of a link to the next page, relative to `base`, for a request to the origin of `base`. The link is an absolute URL from an
 * answer. It is followed only on the same scheme, host and port, and below the path of `base`, because the request has a token.
 *
 * @throws {DirectoryError} with the host to which the link leads
 */
function sameOrigin(link: string, base: URL): string {
  const refused = (why: string) =>
    new DirectoryError('foreign', `${base.href}: the link to the next page ${why}, so it is not followed`, {
      cure: `check that the address in the settings is the one by which the server calls itself, and that no proxy changes its answers`,
    })
  if (link.length > charactersMax) throw refused(`has ${link.length} characters`)
  // URL accepts and silently repairs `https:host`, `https:\\host`, blanks and control characters; other programs read the same text as another address.
  if (!writtenInFull.test(link) || !URL.canParse(link)) throw refused('is not an absolute address of HTTP')
  const url = new URL(link)
  if (url.origin !== base.origin) throw refused(`leads to another host, ${url.origin}`)
  if (url.username !== '' || url.password !== '') throw refused(`has a user name before its host, ${url.host}`)
  const prefix = base.pathname.replace(/\/$/, '')
  if (hasDotSegments(link)) throw refused(`to ${url.host} has a path with dot segments`)
  if (url.pathname !== prefix && !url.pathname.startsWith(`${prefix}/`)) throw refused(`to ${url.host} leads out of ${prefix}/`)
  return url.pathname.slice(prefix.length) + url.search
}

/** An authority of ASCII characters: of other characters `URL` makes ASCII ones, so that a host looks like another one. */
const writtenInFull = /^https?:\/\/[\x21-\x2e\x30-\x3e\x40-\x5b\x5d-\x7e]+(?:[/?#][^\s\\\p{Cc}]*)?$/iu

/** `.` or `..` in the path, also percent-encoded, and also behind an encoded slash: a server may decode them after the check of the prefix. */
const hasDotSegments = (link: string): boolean =>
  (link.split(/[?#]/, 1)[0] ?? '')
    .replaceAll(/%2e/gi, '.')
    .split(/\/|%2f|%5c/i)
    .some((segment) => /^\.\.?(?:;|$)/.test(segment))

/**
 * Follows the links from page to page of the lists of one reading.
 *
 * @param base the address of the directory
 * @returns gives the path of the next page. @throws {DirectoryError} if the link leads elsewhere, or was followed before
 */
export function openLinks(base: URL): (link: string) => string {
  const followed = new Set<string>()
  return (link) => {
    const path = sameOrigin(link, base)
    if (followed.has(path)) {
      throw new DirectoryError('garbled', `${base.href}: the link to the next page leads to a page that was read before`, {
        cure: 'the list would never end; look into the log of the server, or of a proxy before it',
      })
    }
    followed.add(path)
    return path
  }
}
