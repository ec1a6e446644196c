import { type Branch, type FakeKeycloak, fakeKeycloak } from '../../keycloak-fake.ts'
import type { Passed } from '../faultyProxy.ts'
import { type HttpKind, jsonOf, type Row, withJson } from '../httpKind.ts'
import { pageSize, type Team } from '../teams.ts'

/** Two groups of one name cannot be in one place, so the second one is below another group. */
function branches(groups: readonly Team[]): readonly Branch[] {
  const isSecond = ({ name }: Team, at: number) => groups.findIndex((one) => one.name === name) < at
  const [first, second] = [groups.filter((team, at) => !isSecond(team, at)), groups.filter(isSecond)]
  return [...first.map(({ name }) => ({ name })), ...(second.length === 0 ? [] : [{ name: 'archive', groups: second }])]
}
const rowOf = ({ name }: Team): Row => ({ id: `/${name}`, name, path: `/${name}`, subGroupCount: 0, subGroups: [] })
const isList = ({ pathname }: URL): boolean => pathname.endsWith('/groups')

/** Each page after the first begins one row early, with the last row of the page before. The list is sorted by name. */
export const keycloakKind: HttpKind = {
  order: 'name',
  tellsTotal: true,
  async start(groups) {
    const servers: FakeKeycloak[] = [await fakeKeycloak(branches(groups))]
    let keys = new Map(groups.map(({ key, name }) => [name, key]))
    return {
      url: () => (servers.at(-1) as FakeKeycloak).url,
      secret: 'the-secret-of-the-client',
      settings: ({ origin }) => ({
        ...{ kind: 'keycloak', url: origin, realm: 't', groups: { name: 'name' }, pageSize },
        client: { id: 'reader', secret: { env: 'OUTER_SECRET' } },
      }),
      async change(changed) {
        servers.push(await fakeKeycloak(branches(changed)))
        keys = new Map(changed.map(({ key, name }) => [name, key]))
      },
      // The stand-in takes the path as the id. A real id stays the same after a rename.
      finish(passed, url) {
        if (!isList(url)) return passed
        const rows = jsonOf(passed) as readonly Row[]
        return withJson(
          passed,
          rows.map((row) => ({ ...row, id: row['name'] === 'archive' ? row['id'] : `id-${keys.get(String(row['name']))}` })),
        )
      },
      async [Symbol.asyncDispose]() {
        for (const server of servers) await server[Symbol.asyncDispose]()
      },
    }
  },
  page: (url) => (isList(url) ? Math.floor((Number(url.searchParams.get('first')) + 1) / pageSize) + 1 : undefined),
  rows: (page) => page as readonly Row[],
  withRows: (_, rows) => rows,
  half: ({ id }) => ({ id }),
  other: (_, team) => rowOf(team),
  endless(passed, { searchParams }) {
    const [first, max] = [Number(searchParams.get('first')), Number(searchParams.get('max'))]
    const known = jsonOf(passed) as readonly Row[]
    const row = (at: number) => (at === 0 && first < pageSize ? known[0] : rowOf({ key: first + at, name: `x${first + at}` }))
    return withJson(
      passed,
      Array.from({ length: max }, (_, at) => row(at)),
    )
  },
  /** The count before the list and the count after it. */
  otherTotal(passed: Passed, { pathname }, nth) {
    if (!pathname.endsWith('/groups/count') || nth === 1) return undefined
    return withJson(passed, { count: (jsonOf(passed) as { readonly count: number }).count + 1 })
  },
}
