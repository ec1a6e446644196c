import { type FakeEntry, type FakeSearch, startFakeLdap } from '../directories/fakeLdap.ts'
import { composed, standIn } from './composed.ts'
import { withDirectory } from './directory.ts'
import { type Row, type Tree, when } from './row.ts'

/** Settings that change which people of a directory of the kind `ldap` are members. */

const corp: Tree = {
  kind: 'ldap',
  addresses: ['ldap://127.0.0.1:703'],
  bind: 'anonymous',
  groups: { base: 'ou=groups', member: 'member' },
  people: { base: 'ou=people' },
}

const person = (uid: string): FakeEntry => ({ dn: `uid=${uid},ou=people`, attributes: { uid: [uid], mail: [`${uid}@example.org`] } })
const group = (cn: string, ...member: readonly string[]): FakeEntry => ({
  dn: `cn=${cn},ou=groups`,
  attributes: { objectClass: ['groupOfNames'], cn: [cn], member },
})
const devs = group('devs', 'uid=ann,ou=people', 'uid=bob,ou=people', 'cn=ops,ou=groups')
const ops = group('ops', 'uid=cem,ou=people')

/** `ou=people` has ann and bob, `ou=guests` has bob and cem, and only ann matches the filter `(uid=a*)`. */
function answer({ base, filter }: FakeSearch): readonly FakeEntry[] {
  const everyone = base === 'ou=people' ? ['ann', 'bob'] : ['bob', 'cem']
  if (base === 'ou=groups') return [devs]
  if (base === 'cn=devs,ou=groups') return [devs]
  if (base === 'cn=ops,ou=groups') return [ops]
  if (!base.startsWith('ou=')) return filter === '(uid=a*)' && !base.startsWith('uid=a') ? [] : [{ dn: base, attributes: { cn: ['x'] } }]
  return (filter === '(uid=a*)' ? ['ann'] : everyone).map((uid) => ({ ...person(uid), dn: `uid=${uid},ou=people` }))
}

/** The members of all groups, as the program reads them. */
async function membersOf(settings: Tree): Promise<unknown> {
  await using server = await startFakeLdap({ search: (search) => ({ entries: answer(search), cookie: '' }) })
  await using program = await composed(settings, { ports: { [standIn.ldap]: server.url } })
  const { signal } = new AbortController()
  const directory = program.program.sources.directories.get('corp')
  const groups = await directory?.read(signal)
  if (groups === undefined || groups.status === 'failed') return groups
  const reading = await directory?.members?.([...groups.value.values()].flat(), Date.now(), signal)
  if (reading === undefined || reading.status === 'failed') return reading?.why
  return [...reading.value.values()].flatMap(({ people }) => people)
}

const row = (setting: string, cases: Row['cases'], base: Tree = corp): Row => ({
  setting: `directories.<ldap>.people.${setting}`,
  base: withDirectory(base),
  cases,
  see: membersOf,
})

const [ann, bob, cem] = ['ann@example.org', 'bob@example.org', 'cem@example.org']

export const ldapPeopleRows: readonly Row[] = [
  row('base', [when('ou=people', [ann, bob]), when(['ou=guests'], [bob])]),
  row('filter', [when(undefined, [ann, bob]), when('(uid=a*)', [ann])]),
  row('identity', [when(undefined, [ann, bob]), when('uid', ['ann', 'bob'])]),
  row('nested', [when(false, [ann, bob]), when(true, [ann, bob, cem])], { ...corp, people: { base: ['ou=people', 'ou=guests'] } }),
]
