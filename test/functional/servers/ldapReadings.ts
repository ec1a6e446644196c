import type { GroupName } from '../../../src/core/mapping.ts'
import { readLdap } from '../../../src/directories/ldap/read.ts'
import { readLdapMembers } from '../../../src/directories/ldap/readMembers.ts'
import type { LdapSettings } from '../../../src/directories/ldap/settings.ts'

/** What a test says of a directory. All else is usual. */
export type Asked = Partial<Omit<LdapSettings, 'groups' | 'people' | 'addresses'>> & {
  readonly addresses: LdapSettings['addresses']
  readonly groups: Partial<LdapSettings['groups']> & Pick<LdapSettings['groups'], 'base'>
  readonly people?: Partial<NonNullable<LdapSettings['people']>> & Pick<NonNullable<LdapSettings['people']>, 'base'>
}

const settingsOf = ({ groups, people, ...asked }: Asked): LdapSettings => ({
  bind: 'anonymous',
  pageSize: 500,
  timeoutMs: 20_000,
  groupsMax: 10_000,
  membersMax: 200_000,
  referrals: 'fail',
  ...asked,
  groups: { scope: 'sub', filter: '(objectClass=groupOfNames)', name: 'cn', members: 'member', ...groups },
  ...(people && { people: { filter: '(objectClass=person)', identity: 'mail', nested: false, ...people } }),
})

const { signal } = new AbortController()

/** The reading of the groups, with the number of groups after each page and the lines of the log. */
export async function groupsIn(asked: Asked) {
  const [lines, pages]: [string[], number[]] = [[], []]
  const onPage = ({ groups }: { readonly groups: number }) => void pages.push(groups)
  const capabilities = { now: () => performance.now(), log: (line: string) => void lines.push(line), onPage }
  return { reading: await readLdap(settingsOf(asked), capabilities, signal), pages, lines }
}

/** Status and number of groups; of a failure the reason and the cure. */
export async function outcomeOf(asked: Asked): Promise<object> {
  const { reading } = await groupsIn(asked)
  return reading.status === 'failed'
    ? { status: reading.status, why: reading.why, cure: reading.cure }
    : { status: reading.status, groups: reading.value.size }
}

/** The people of each group of which all people are known, by the name of the group; a person's identity stands for the person. */
export async function membersIn(asked: Asked, asOfMs = Date.now()) {
  const found = await groupsIn(asked)
  if (found.reading.status === 'failed') throw new Error(found.reading.why)
  const index = found.reading.value
  const wanted = [...index.values()].flat()
  const capabilities = { now: () => performance.now(), log: (line: string) => void found.lines.push(line) }
  const reading = await readLdapMembers(settingsOf(asked), wanted, asOfMs, capabilities, signal)
  const memberships = reading.status === 'failed' ? new Map() : reading.value
  const of = (name: string) => memberships.get(index.get(name as GroupName)?.[0]?.id ?? '')
  const shown = (text: string) => text.replace('\u0000', 'id ')
  const known: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
    [...index.keys()].flatMap((name) =>
      of(name) === undefined || of(name).more !== undefined ? [] : [[name, of(name).people.map(shown).toSorted()]],
    ),
  )
  return {
    reading,
    known,
    /** Those who are known to be people, also if there may be others. */
    leastOf: (name: string) => (of(name)?.people.map(shown).toSorted() ?? []) as readonly string[],
    doubtful: (name: string) => of(name)?.doubtful as object | undefined,
    notCounted: (name: string) => of(name)?.notCounted as object | undefined,
    more: (name: string) => of(name)?.more as string | undefined,
    lines: found.lines,
  }
}
