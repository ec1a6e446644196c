import type { Reading } from '../../../src/core/reading.ts'
import { type KeycloakSettings, keycloak } from '../../../src/directories/keycloak/read.ts'
import { always, type Branch, type Fault, fakeKeycloak, first, json } from '../keycloak-fake.ts'
import { httpEnvironment } from '../standIns/httpEnvironment.ts'
import { seen } from './said.ts'

type Part = Partial<Omit<KeycloakSettings, 'groups' | 'limits'>> & {
  readonly groups?: Partial<KeycloakSettings['groups']>
  readonly limits?: Partial<KeycloakSettings['limits']>
}

const names = (prefix: string, count: number): readonly Branch[] => Array.from({ length: count }, (_, n) => ({ name: `${prefix}${n}` }))
const usual: readonly Branch[] = [{ name: 'Team', groups: [{ name: 'dev', groups: [{ name: 'leaf' }] }] }, ...names('g', 12)]

function directory(url: URL, { groups, limits, ...more }: Part) {
  const settings: KeycloakSettings = {
    url,
    realm: 't',
    client: { id: 'reader', secret: async () => 'secret' },
    ...more,
    groups: { name: 'path', slashes: 'plain', members: false, ...groups },
    limits: { pageSize: 5, groupsMax: 1_000, attemptsMax: 2, ...limits },
  }
  return keycloak(settings, httpEnvironment({ bytesMax: 50_000_000, deadlineMs: 20_000 }))
}

async function reading(fault: Fault = () => false, part: Part = {}, groups = usual): Promise<Reading<unknown>> {
  await using server = await fakeKeycloak(groups, fault)
  return await directory(server.url, part).read(AbortSignal.timeout(20_000))
}

/** The members of the group `/team`. */
async function members(people: number, fault: Fault, limits: Part['limits'], groups: readonly Branch[] = []): Promise<Reading<unknown>> {
  await using server = await fakeKeycloak([{ name: 'team', people, groups }], fault)
  const { members: read } = directory(server.url, { people: { identity: 'email', nested: groups.length > 0 }, ...(limits && { limits }) })
  const group = { id: '/team', name: '/team' as never, place: '/team' }
  const reading = await read?.([group], 0, AbortSignal.timeout(60_000), { leftMs: () => 60_000 })
  if (reading === undefined) throw new Error('members are not read')
  return reading
}
export const membersOfHuge = () => members(100_001, () => false, { membersPageSize: 50_000 })

const rows =
  (key: string, body: (nth: number) => unknown): Fault =>
  (asked, nth, response) =>
    asked === key && json(response, 200, body(nth))
const group = (id: string) => ({ id, name: id, path: `/${id}`, subGroupCount: 0 })
/** A gateway that gives at most two rows. */
const atMostTwo =
  (key: string, all: readonly object[]): Fault =>
  (asked, _, response, query) => {
    if (asked !== key) return false
    const from = Number(query.get('first'))
    return json(response, 200, all.slice(from, from + Math.min(2, Number(query.get('max')))))
  }
const count = (n: number) => first('count', always, (response) => json(response, 200, { count: n }))
const both =
  (...faults: readonly Fault[]): Fault =>
  (...asked) =>
    faults.some((fault) => fault(...asked))

export const keycloakDoubts = {
  'keycloak.itemTwice': seen(/g\d+ came twice: the list changed while it was read; if it is so at each reading, raise pageSize/, () =>
    reading(rows('groups', (nth) => (nth === 1 ? ['g0', 'g1', 'g2', 'g3', 'g4'] : ['g4', 'g0', 'g5', 'g6', 'g7']).map(group))),
  ),
  'keycloak.rowMoved': seen(/row 5 is no longer the same/, () =>
    reading(rows('groups', (nth) => ['0', '1', '2', '3', '4'].map((n) => group(`p${nth}${n}`)))),
  ),
  'keycloak.smallerPages': seen(/a list of subgroups ended after 2 rows, and has more/, () =>
    members(6, atMostTwo('children /team', ['a', 'b', 'c'].map(group)), { membersPageSize: 100 }, [{ name: 'a' }]),
  ),
  'keycloak.smallerMemberPages': seen(/a list of members ended after 2 rows, and has more/, () =>
    members(
      3,
      atMostTwo(
        'members /team',
        ['a', 'b', 'c'].map((id) => ({ id, email: `${id}@x`, enabled: true })),
      ),
      { membersPageSize: 100 },
    ),
  ),
  'keycloak.seesNone': seen(/has 15 groups, and the account of client "reader" sees none/, () => reading(rows('groups', () => []))),
  'keycloak.totalChanged': seen(/had 15 groups before and 99 after/, () =>
    reading((key, nth, response) => key === 'count' && nth === 2 && json(response, 200, { count: 99 })),
  ),
  'keycloak.notAll': seen(/15 of the realm's 20 groups were found/, () => reading(count(20))),
  'keycloak.groupTwice': seen(/was found twice: it was moved/, () =>
    reading(rows('children /Team', () => [group('g3')].map((row) => ({ ...row, id: '/g3' })))),
  ),
  'keycloak.groupVanished': seen(/vanished while the tree was read/, () =>
    reading((key, _, response) => key === 'children /Team' && json(response, 404, {})),
  ),
  'keycloak.deep': seen(/there are groups more than 2 deep/, () => reading(undefined, { limits: { depthMax: 2 } })),
  'keycloak.groupsMax': seen(/has 15 groups, which are more than groupsMax/, () => reading(undefined, { limits: { groupsMax: 14 } })),
  'keycloak.otherPath': seen(/Keycloak's path is/, () => reading(both(count(1)), { groups: { slashes: 'escaped' } }, [{ name: 'a/b' }])),
  'keycloak.rolesDiffer': seen(/the roles were read twice, and the answers differ/, () =>
    reading(
      rows('roles', (nth) => [{ id: nth <= 2 ? 'r1' : 'r2', name: 'r' }]),
      { groups: { roles: 'realmRoles' } },
    ),
  ),
}
