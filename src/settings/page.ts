import { isLoopback } from '../http/addressRanges.ts'
import type { AddProblem } from '../yaml/document.ts'
import { z } from '../yaml/zod.ts'
import { parseListen } from './patterns/address.ts'
import { hostName, secret } from './scalars.ts'

/** Who may see the page: all who know a password, or everyone on this machine. */
export const pageSchema = z
  .union([
    z.strictObject({
      token: secret.describe('The password of the page, for HTTP Basic. Any user name is accepted.'),
      behindTls: z
        .boolean()
        .default(false)
        .describe(
          'Your word that people reach the page only through a proxy that speaks TLS, such as an Ingress: the program itself speaks plain HTTP. Needed unless `http.listen` is a loopback address.',
        ),
    }),
    z.strictObject({
      open: z.literal(true).describe('No password. Only with a loopback address in `http.listen`.'),
      hosts: z
        .array(hostName)
        .default([])
        .describe(
          'The names under which the page may be asked for, besides `localhost` and the loopback addresses. A request with another `Host` is refused.',
        ),
    }),
  ])
  .optional()
  .describe('The page for people at `/`: status, and who has access. Absent: there is no such page. See docs/page.md.')
export type PageSettings = NonNullable<z.output<typeof pageSchema>>

type Http = { readonly listen: string; readonly page?: PageSettings | undefined }

/** A password on an open network, and a page for everyone. */
export function checkPage(http: Http | 'none', journal: unknown, at: AddProblem): void {
  if (http === 'none' || http.page === undefined) return
  const { listen, page } = http
  const path = ['http', 'page']
  if (journal === 'none')
    at(
      path,
      'the page shows what the daemon leaves beside its journal, and these settings have no journal',
      'name a journal.folder, or remove http.page',
      'key',
    )
  if (listensToThisMachine(listen)) return
  if ('open' in page)
    at(
      [...path, 'open'],
      `everyone who reaches http.listen, ${listen}, would see who has access`,
      'listen on 127.0.0.1; or, in place of open, name a token',
      'key',
    )
  else if (!page.behindTls)
    at(
      [...path, 'token'],
      `the password would cross the network without TLS: http.listen, ${listen}, is no loopback address`,
      'put a proxy that speaks TLS before the page, and say behindTls: true; or listen on 127.0.0.1',
      'key',
    )
}

function listensToThisMachine(listen: string): boolean {
  const { host } = parseListen(listen)
  return isLoopback(host.includes(':') ? `[${host}]` : host)
}

/**
 * Whether an open page answers a request, by its header `Host`. A page of another site can make a browser ask this machine under a name of its own, and
 * read the answer (DNS rebinding); that name is neither loopback nor in the settings.
 */
export function isPageHost(header: string | undefined, hosts: readonly string[]): boolean {
  const [, host = ''] = /^(\[[\da-f:.]+\]|[^:[\]]+)(?::\d+)?$/i.exec(header ?? '') ?? []
  const name = host.toLowerCase().replace(/\.$/, '')
  return isLoopback(name) || (name !== '' && hosts.some((known) => known.toLowerCase().replace(/\.$/, '') === name))
}
