import { type ScimGroup, type ScimOddities, standInScim } from '../../standIns/scim.ts'
import type { Passed } from '../faultyProxy.ts'
import { type HttpKind, type HttpServer, jsonOf, type Row, withJson } from '../httpKind.ts'
import { pageSize, type Team } from '../teams.ts'

type ScimList = { readonly totalResults: number; readonly Resources: readonly Row[]; readonly nextCursor?: string }
const listOf = (passed: Passed): ScimList => jsonOf(passed) as ScimList
const groupOf = ({ key, name }: Team): ScimGroup => ({ id: `id-${key}`, displayName: name })

/** The total of the list without end. It is below `groupsMax`. */
const manyGroups = 40_000

async function startScim(groups: readonly Team[], oddities: ScimOddities): Promise<HttpServer> {
  const server = await standInScim(groups.map(groupOf), undefined, oddities)
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
}

const usual = {
  order: 'id',
  rows: (list: unknown) => (list as ScimList).Resources,
  withRows: (list: unknown, Resources: readonly Row[]) => ({ ...(list as ScimList), Resources }),
  half: ({ id }: Row) => ({ id }),
  other: (_: Row, { key, name }: Team) => ({ id: `other-${key}`, displayName: name }),
  endlessFirst: (passed: Passed) => withJson(passed, { ...listOf(passed), totalResults: manyGroups }),
} as const

const withOtherTotal = (passed: Passed): Passed => withJson(passed, { ...listOf(passed), totalResults: listOf(passed).totalResults + 1 })

/** Pages by index: each page after the first begins one row early, with the last row of the page before. */
export const scimKind: HttpKind = {
  ...usual,
  start: (groups) => startScim(groups, {}),
  page: ({ pathname, searchParams }) =>
    pathname.endsWith('/Groups') ? Math.floor(Number(searchParams.get('startIndex')) / pageSize) + 1 : undefined,
  endless(passed, { searchParams }) {
    const [from, count] = [Number(searchParams.get('startIndex')), Number(searchParams.get('count'))]
    const [anchor] = listOf(passed).Resources
    const row = (at: number): Row | undefined => (at === pageSize ? anchor : { id: `x${at}`, displayName: `x${at}` })
    const Resources = Array.from({ length: count }, (_, n) => row(from + n))
    return withJson(passed, { ...listOf(passed), totalResults: manyGroups, Resources })
  },
  otherTotal: (passed, { pathname, searchParams }) =>
    pathname.endsWith('/Groups') && Number(searchParams.get('startIndex')) > 1 ? withOtherTotal(passed) : undefined,
}

/** Pages by cursor (RFC 9865). After the last page the total is asked once more, with one row. */
export const scimCursorKind: HttpKind = {
  ...usual,
  start: (groups) => startScim(groups, { cursors: true }),
  page({ pathname, searchParams }) {
    const cursor = searchParams.get('cursor') ?? ''
    if (!pathname.endsWith('/Groups') || searchParams.get('count') === '1') return undefined
    return cursor === '' ? 1 : Number(cursor.replace('after-', '')) / pageSize + 1
  },
  endless(passed, _, page) {
    const Resources = Array.from({ length: pageSize }, (_, n) => ({ id: `x${page}-${n}`, displayName: `x${page}-${n}` }))
    return withJson(passed, { ...listOf(passed), totalResults: manyGroups, Resources, nextCursor: `after-${page * pageSize}` })
  },
  otherTotal: (passed, { pathname, searchParams }) =>
    pathname.endsWith('/Groups') && (searchParams.get('cursor') ?? '') !== '' ? withOtherTotal(passed) : undefined,
}
