import { type ScimGroup, standInScim } from '../../standIns/scim.ts'
import type { Passed } from '../faultyProxy.ts'
import { type HttpKind, jsonOf, type Row, withJson } from '../httpKind.ts'
import { pageSize, type Team } from '../teams.ts'

type ScimList = { readonly totalResults: number; readonly Resources: readonly Row[] }
const listOf = (passed: Passed): ScimList => jsonOf(passed) as ScimList
const groupOf = ({ key, name }: Team): ScimGroup => ({ id: `id-${key}`, displayName: name })

/** The total of the list without end. It is below `groupsMax`. */
const manyGroups = 40_000

/** Pages by index: each page after the first begins one row early, with the last row of the page before. */
export const scimKind: HttpKind = {
  order: 'id',
  async start(groups) {
    const server = await standInScim(groups.map(groupOf))
    return {
      url: () => new URL(server.url.origin),
      secret: 'the-secret-of-the-client',
      settings: ({ origin }) => ({
        ...{ kind: 'scim', url: `${origin}/scim/v2`, tokenUrl: `${origin}/scim/v2/token`, pageSize },
        client: { id: 'reader', secret: { env: 'OUTER_SECRET' } },
      }),
      async change(changed) {
        server.groups.splice(0, server.groups.length, ...changed.map(groupOf))
      },
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    }
  },
  page: ({ pathname, searchParams }) =>
    pathname.endsWith('/Groups') ? Math.floor(Number(searchParams.get('startIndex')) / pageSize) + 1 : undefined,
  rows: (list) => (list as ScimList).Resources,
  withRows: (list, Resources) => ({ ...(list as ScimList), Resources }),
  half: ({ id }) => ({ id }),
  other: (_, { key, name }) => ({ id: `other-${key}`, displayName: name }),
  endless(passed, { searchParams }) {
    const [from, count] = [Number(searchParams.get('startIndex')), Number(searchParams.get('count'))]
    const [anchor] = listOf(passed).Resources
    const row = (at: number): Row | undefined => (at === pageSize ? anchor : { id: `x${at}`, displayName: `x${at}` })
    const Resources = Array.from({ length: count }, (_, n) => row(from + n))
    return withJson(passed, { ...listOf(passed), totalResults: manyGroups, Resources })
  },
  endlessFirst: (passed) => withJson(passed, { ...listOf(passed), totalResults: manyGroups }),
  otherTotal: (passed, { pathname, searchParams }) =>
    pathname.endsWith('/Groups') && Number(searchParams.get('startIndex')) > 1
      ? withJson(passed, { ...listOf(passed), totalResults: listOf(passed).totalResults + 1 })
      : undefined,
}
