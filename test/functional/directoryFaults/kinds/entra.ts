import { clientId, entraStandIn, tenantId } from '../../standIns/entra.ts'
import { idOf } from '../../standIns/entraMembers.ts'
import type { Passed } from '../faultyProxy.ts'
import { type HttpKind, jsonOf, type Row, withJson } from '../httpKind.ts'
import { pageSize, type Team } from '../teams.ts'

type GraphPage = { readonly value: readonly Row[]; readonly '@odata.nextLink'?: string; readonly '@odata.count'?: number }
const pageOf = (passed: Passed): GraphPage => jsonOf(passed) as GraphPage
const groupOf = ({ key, name }: Team) => ({ id: idOf(key), displayName: name })
const secret = 'the-secret-of-the-app'

export const entraKind: HttpKind = {
  order: 'id',
  async start(groups) {
    const server = await entraStandIn({ groups: groups.map(groupOf), secret })
    return {
      url: () => server.url,
      secret,
      settings: ({ origin }) => ({
        ...{ kind: 'entra', tenant: tenantId, graphUrl: origin, loginUrl: origin, groups: { name: 'displayName' }, pageSize },
        client: { id: clientId, secret: { env: 'OUTER_SECRET' } },
      }),
      change: async (changed) => server.change(changed.map(groupOf)),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    }
  },
  page: ({ pathname, searchParams }) =>
    pathname === '/v1.0/groups' ? Number(searchParams.get('$skiptoken') ?? 0) / pageSize + 1 : undefined,
  rows: (page) => (page as GraphPage).value,
  withRows: (page, value) => ({ ...(page as GraphPage), value }),
  half: ({ id }) => ({ id }),
  other: (row, team) => ({ ...row, ...groupOf(team) }),
  endless(passed, url, page) {
    const next = new URL(url)
    next.searchParams.set('$skiptoken', `${page * pageSize}`)
    const value = pageOf(passed).value.map((row, at) => ({ ...row, ...groupOf({ key: page * 100 + at, name: `x${page}-${at}` }) }))
    return withJson(passed, { ...pageOf(passed), value, '@odata.nextLink': next.href })
  },
  otherTotal(passed) {
    const count = pageOf(passed)['@odata.count']
    return count === undefined ? undefined : withJson(passed, { ...pageOf(passed), '@odata.count': count + 1 })
  },
  linkTo(passed, origin) {
    const { href, origin: own } = new URL(pageOf(passed)['@odata.nextLink'] ?? origin)
    return withJson(passed, { ...pageOf(passed), '@odata.nextLink': href.replace(own, origin) })
  },
}
