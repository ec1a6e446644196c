import type { Reading } from '../../../src/core/reading.ts'
import { noDeadline } from '../../../src/directories/deadline.ts'
import { scim } from '../../../src/directories/scim/read.ts'
import { askForResource } from '../../../src/directories/scim/users.ts'
import { type ScimPart, scimGroups, scimReading } from '../scimWorld.ts'
import { httpEnvironment } from '../standIns/httpEnvironment.ts'
import { type ScimFault, scimError, scimJson, scimToken, standInScim } from '../standIns/scim.ts'
import { seen } from './said.ts'

const groups = scimGroups(25)
const reading = async (fault?: ScimFault, part: ScimPart = {}): Promise<Reading<unknown>> => (await scimReading(groups, fault, part)).result
const unpaged: ScimPart = { limits: { pageSize: 0 } }

/** Answers requests for groups with these, the n-th one from `from` on. */
const sends =
  (body: (nth: number, startIndex: number) => unknown, from = 1): ScimFault =>
  ({ key, nth, query }, response) => {
    if (key !== 'groups' || nth < from) return false
    scimJson(response, 200, body(nth, Number(query.get('startIndex') ?? 1)))
    return true
  }
const list = (Resources: readonly unknown[], totalResults: number | undefined = 25) => ({ totalResults, Resources })

/** The members of a group. */
async function members(): Promise<Reading<unknown>> {
  await using server = await standInScim(
    [],
    ({ key }, response) => key === '/Groups/devs' && (scimJson(response, 200, { id: 'other' }), true),
  )
  const { url } = server
  const limits = { pageSize: 10, groupsMax: 10 }
  const people = { identity: 'email', nested: false } as const
  const reader = scim(
    { url, credential: { token: async () => scimToken }, allowPlaintext: false, groups: { name: 'displayName' }, people, limits },
    httpEnvironment(),
  )
  const reading = await reader.members?.([{ id: 'devs', name: 'devs' as never, place: 'devs' }], 0, AbortSignal.timeout(20_000), noDeadline)
  if (reading === undefined) throw new Error(`${askForResource.name} is not asked`)
  return reading
}

export const scimDoubts = {
  'scim.itemTwice': seen(/id-\d+ came twice: the list changed while it was read; if it is so at each reading, set pageSize: 0/, () =>
    reading(sends((nth, at) => list(nth === 1 ? groups.slice(0, 10) : [groups[at - 1], groups[0]]))),
  ),
  'scim.noId': seen(/a group has no id/, () => reading(sends(() => list([{ displayName: 'a' }])))),
  'scim.nameless': seen(/the group a has no displayName/, () => reading(sends(() => list([{ id: 'a' }])))),
  'scim.filterIgnored': seen(/does not match groups\.filter/, () =>
    reading(undefined, { groups: { filter: 'displayName sw "x"' }, oddities: { ignores: ['filter'] } }),
  ),
  'scim.cannotPage': seen(/501, the server has not implemented this list/, () =>
    reading(({ key, query }, response) => key === 'groups' && query.has('count') && (scimError(response, 501), true)),
  ),
  'scim.noTotal': seen(/does not say how many groups there are/, () => reading(sends(() => ({ Resources: groups })))),
  'scim.totalChanged': seen(/the list had 25 groups at first and 26 groups later/, () =>
    reading(sends((_, at) => list(groups.slice(at - 1, at + 9), 26), 2)),
  ),
  'scim.totalIsLess': seen(/its list has 3 groups, and has sent 10/, () => reading(sends(() => list(groups.slice(0, 10), 3)))),
  'scim.endsEarly': seen(/the list ends too early, or the account may not see all/, () =>
    reading(sends((_, at) => list(groups.slice(at - 1, Math.min(at + 9, 15))))),
  ),
  'scim.pageEmpty': seen(/the page that begins at group 10 of 25 is empty/, () => reading(sends(() => list([]), 2))),
  'scim.firstPageAgain': seen(/sends its first page instead/, () => reading(sends(() => list(groups.slice(0, 10))))),
  'scim.pageMoved': seen(/group 10 is no longer the same/, () => reading(sends(() => list(groups.slice(12)), 2))),
  'scim.unpagedDiffers': seen(/the groups were read twice, and the answers differ/, () =>
    reading(
      sends((nth) => ({ Resources: groups.slice(nth) })),
      unpaged,
    ),
  ),
  'scim.unpagedIsPart': seen(/in an answer without pages/, () =>
    reading(
      sends(() => list(groups.slice(1))),
      unpaged,
    ),
  ),
  'scim.groupsMax': seen(/there are at least 25 groups/, () => reading(undefined, { limits: { groupsMax: 24 } })),
  'scim.otherResource': seen(/200, but the answer is not the requested group/, members),
}
