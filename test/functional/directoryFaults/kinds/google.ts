import { googleStandIn } from '../../standIns/google.ts'
import { keyFile } from '../../standIns/googleTokens.ts'
import type { Passed } from '../faultyProxy.ts'
import { type HttpKind, jsonOf, type Row, withJson } from '../httpKind.ts'
import { pageSize, type Team, twoDigits } from '../teams.ts'

type GoogleList = { readonly kind: string; readonly groups?: readonly Row[]; readonly nextPageToken?: string }
const listOf = (passed: Passed): GoogleList => jsonOf(passed) as GoogleList
const groupOf = ({ key, name }: Team) => ({ id: `id-${twoDigits(key)}`, email: `${name}.${key}@example.com`, name })

function page({ pathname, searchParams }: URL): number | undefined {
  if (pathname !== '/admin/directory/v1/groups') return undefined
  return Number(/^place-(\d+)-/.exec(searchParams.get('pageToken') ?? '')?.[1] ?? 1)
}

/** The list is read in both orders at the same time, so each fault strikes twice. Tokens come from the stand-in itself, which signs its address. */
export const googleKind: HttpKind = {
  order: 'name',
  async start(groups) {
    const server = await googleStandIn(groups.map(groupOf))
    const tokenUrl = new URL('/token', server.url).href
    return {
      url: () => server.url,
      secret: keyFile(),
      settings: ({ origin }) => ({
        ...{ kind: 'google', url: origin, tokenUrl, pageSize },
        account: { key: { env: 'OUTER_SECRET' } },
      }),
      async change(changed) {
        server.groups = changed.map(groupOf)
      },
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    }
  },
  page,
  rows: (list) => (list as GoogleList).groups ?? [],
  withRows: (list, groups) => ({ ...(list as GoogleList), groups }),
  half: ({ id }) => ({ id }),
  other: (_, team) => groupOf(team),
  endless(passed, { searchParams }, at) {
    const order = searchParams.get('sortOrder') ?? ''
    const groups = (listOf(passed).groups ?? []).map((_, n) => groupOf({ key: 0, name: `x${order}${at}-${n}` }))
    const fresh = groups.map((group) => ({ ...group, id: group.name }))
    return withJson(passed, {
      ...listOf(passed),
      groups: fresh,
      nextPageToken: `place-${at + 1}-${Buffer.from('x').toString('base64url')}`,
    })
  },
}
