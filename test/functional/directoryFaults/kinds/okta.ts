import { everyone, group, oktaStandIn, privateKey, serviceApp } from '../../standIns/okta.ts'
import { type HttpKind, jsonOf, type Row, withJson } from '../httpKind.ts'
import { type Team, twoDigits } from '../teams.ts'

const idOf = ({ key }: Team) => `00g1${twoDigits(key)}`
/** No group at all: the account does not see the group Everyone either. */
const groupsOf = (groups: readonly Team[]) => (groups.length === 0 ? [] : [everyone, ...groups.map((team) => group(idOf(team), team.name))])
/** Thirteen groups with Everyone, in three pages. */
const pageSize = 5

const cursorOf = (page: number): string => Buffer.from(JSON.stringify({ cursor: `x${page}`, page })).toString('base64url')
function page({ pathname, searchParams }: URL): number | undefined {
  if (pathname !== '/api/v1/groups' || searchParams.get('filter')?.includes('lastUpdated')) return undefined
  const after = searchParams.get('after')
  return after === null ? 1 : (JSON.parse(Buffer.from(after, 'base64url').toString()) as { readonly page: number }).page
}

export const oktaKind: HttpKind = {
  order: 'id',
  async start(groups, order) {
    const server = await oktaStandIn({ groups: groupsOf(groups), sortedBy: order, rateLimit: 100_000 })
    return {
      url: () => server.url,
      secret: privateKey,
      settings: ({ origin }) => ({
        ...{ kind: 'okta', url: origin, pageSize },
        client: { id: serviceApp, privateKey: { key: { env: 'OUTER_SECRET' } } },
      }),
      async change(changed) {
        const before = new Map(server.groups.map((one) => [one.id, one]))
        server.groups = groupsOf(changed).map((one) =>
          before.get(one.id)?.profile['name'] === one.profile['name'] ? one : { ...one, lastUpdatedMs: Date.now() },
        )
      },
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    }
  },
  page,
  rows: (answer) => answer as readonly Row[],
  withRows: (_, rows) => rows,
  half: ({ id }) => ({ id }),
  other: (row, { key, name }) => ({ ...row, id: `00g9${key}`, profile: { name } }),
  endless(passed, url, at) {
    const next = new URL(url)
    next.searchParams.set('after', cursorOf(at + 1))
    const rows = (jsonOf(passed) as readonly Row[]).map((row, n) => ({ ...row, id: `00g8${at}-${n}`, profile: { name: `x${at}-${n}` } }))
    return withJson({ ...passed, headers: { ...passed.headers, link: `<${next.href}>; rel="next"` } }, rows)
  },
  linkTo(passed, origin) {
    const link = [passed.headers['link'] ?? ''].flat().join(', ')
    return { ...passed, headers: { ...passed.headers, link: link.replaceAll(/<http:\/\/[^/]+/g, `<${origin}`) } }
  },
}
