import { usual } from './composed.ts'
import { planOf, type Situation } from './plan.ts'
import { over, type Row, type Tree, when } from './row.ts'

/** Settings that change decisions. Each row shows the plans for the same situation. */

const five = ['g1', 'g2', 'g3', 'g4', 'g5']
const twenty = Array.from({ length: 20 }, (_, n) => `g${n}`)
const as = (role: string, groups: readonly string[]) => groups.map((group) => `${group} ${role}`)
const others = twenty.filter((group) => !five.includes(group))

const fiveRaises: Situation = { existing: as('guest', twenty), declared: [...as('member', five), ...as('guest', others)] }
const fiveLowers: Situation = { existing: as('member', twenty), declared: [...as('guest', five), ...as('member', others)] }
const fiveDeletes: Situation = { existing: as('guest', twenty), declared: as('guest', others), removed: five }
const fiveCreates: Situation = { declared: as('member', five) }
const oneOfEach: Situation = { existing: ['b guest', 'c guest', 'd guest'], declared: ['a guest', 'b member'], removed: ['c'] }
const oneOurs: Situation = { ...oneOfEach, existing: ['b guest', 'c guest', 'd guest', 'e guest'], ours: ['d guest'] }
const onePatch: Situation = { existing: ['devs guest'], declared: ['devs member'] }
const oneCreate: Situation = { declared: ['devs member'] }

const oneApproved: Situation = { declared: ['devs admin'], approved: 'devs admin' }

const row = (setting: string, situation: Situation, cases: Row['cases'], more: Tree = {}): Row => ({
  setting,
  base: over(usual, more),
  cases,
  see: (settings) => planOf(settings, situation),
})

const waits = (setting: string) => [`held: ${setting}`]
/** `of`: the workspace that has the limit for itself, or none. */
const limitRows = (
  guard: 'raises' | 'lowers' | 'deletes',
  situation: Situation,
  ids: readonly string[],
  of: '' | 'workspaces.acme.',
): readonly Row[] => {
  const at = `${of}guards.${guard}`
  const setting = at.replace('acme', '<name>')
  const limited = (limit: Tree): Tree =>
    of === '' ? { guards: { [guard]: limit } } : { workspaces: { acme: { guards: { [guard]: limit } } } }
  return [
    row(`${setting}.count`, situation, [when(4, waits(`${at}.count`)), when(5, ids)]),
    row(`${setting}.share`, situation, [when('20%', waits(`${at}.share`)), when('25%', ids)], limited({ minExisting: 0 })),
    row(`${setting}.minExisting`, situation, [when(4, waits(`${at}.minExisting`)), when(5, ids)], limited({ share: '0%' })),
  ]
}
const peopleRows = (of: '' | 'workspaces.acme.'): readonly Row[] => {
  const at = `${of}guards.people`
  const setting = at.replace('acme', '<name>')
  const undeclared: Situation = { existing: ['devs guest', 'ops guest'], declared: ['ops guest'] }
  return [
    row(`${setting}.raise`, oneCreate, [when(1, waits(`${at}.raise`)), when(2, ['1 create'])]),
    row(`${setting}.gainProtected`, { declared: ['devs admin'] }, [when(1, waits(`${at}.gainProtected`)), when(2, ['held: approval'])]),
    row(`${setting}.lose`, undeclared, [when(1, waits(`${at}.lose`)), when(2, ['1 delete undeclared'])], { policy: 'exclusive' }),
  ]
}
/** What comes on top of the sum waits; the others are written. */
const sumRows = (span: 'run' | 'day'): readonly Row[] => [
  row(`guards.${span}.creates`, fiveCreates, [when(4, [...waits(`guards.${span}.creates`), '4 create']), when(5, ['5 create'])]),
  row(`guards.${span}.raises`, fiveRaises, [when(4, [...waits(`guards.${span}.raises`), '4 patch']), when(5, ['5 patch'])]),
  row(`guards.${span}.lowers`, fiveLowers, [when(4, [...waits(`guards.${span}.lowers`), '4 patch']), when(5, ['5 patch'])]),
  row(`guards.${span}.deletes`, fiveDeletes, [
    when(4, [...waits(`guards.${span}.deletes`), '4 delete removed']),
    when(5, ['5 delete removed']),
  ]),
]

const policyRow = (setting: string): Row =>
  row(setting, oneOurs, [
    when('observe', ['held: policy', 'held: undeclared']),
    when('create-only', ['held: policy', 'held: undeclared', '1 delete removed', '1 create']),
    when('upsert-only', ['held: undeclared', '1 delete removed', '1 patch', '1 create']),
    when('sync', ['held: undeclared', '1 delete removed', '1 delete undeclared', '1 patch', '1 create']),
    when('exclusive', ['1 delete removed', '2 delete undeclared', '1 patch', '1 create']),
  ])
const suspendRow = (setting: string): Row =>
  row(setting, oneOfEach, [
    when(false, ['held: undeclared', '1 delete removed', '1 patch', '1 create']),
    when('grants', ['held: suspended', 'held: undeclared', '1 delete removed']),
    when(true, ['held: suspended', 'held: undeclared']),
  ])

export const decisionRows: readonly Row[] = [
  policyRow('policy'),
  policyRow('workspaces.<name>.policy'),
  suspendRow('suspend'),
  suspendRow('workspaces.<name>.suspend'),
  row('approvals', oneApproved, [when('any', ['1 create']), when('files-only', ['held: approval'])]),
  row('later.horizon', { ...oneCreate, startsInDays: 30 }, [when('10d', []), when('90d', ['later: create'])]),
  row('unknownGroups', { declared: ['unknown member'] }, [when('hold', ['held: groupUnknown']), when('send', ['1 create'])]),
  row('unknownProjects', { declared: ['devs member'], project: 'captured' }, [
    when('hold', ['held: projectUnknown']),
    when('send', ['1 create']),
    when('skip', []),
  ]),
  row('roles.order', onePatch, [when(['guest', 'member'], ['held: suspended']), when(['member', 'guest'], ['1 patch'])], {
    suspend: 'grants',
  }),
  row('roles.ordinary', { declared: ['devs member', 'ops admin'] }, [
    when(['guest', 'member'], ['held: approval', '1 create']),
    when(['guest'], ['held: approval']),
    when({ project: ['member', 'admin'] }, ['2 create']),
  ]),
  row('roles.ordinary.project', oneCreate, [when(['guest', 'member'], ['1 create']), when(['guest'], ['held: approval'])]),
  row('roles.ordinary.workspace', { declared: ['devs member'], project: 'workspace' }, [
    when(['guest', 'member'], ['1 create']),
    when(['guest'], ['held: approval']),
  ]),
  row('roles.aliases.<name>', onePatch, [when(undefined, ['1 patch']), when('guest', [])]),
  ...(['', 'workspaces.acme.'] as const).flatMap((of) => [
    ...limitRows('raises', fiveRaises, ['5 patch'], of),
    ...limitRows('lowers', fiveLowers, ['5 patch'], of),
    ...limitRows('deletes', fiveDeletes, ['5 delete removed'], of),
    row(`${of.replace('acme', '<name>')}guards.creates.count`, fiveCreates, [
      when(4, [`held: ${of}guards.creates.count`]),
      when(5, ['5 create']),
    ]),
    ...peopleRows(of),
  ]),
  ...sumRows('run'),
  ...sumRows('day'),
  row('guards.flapping.rounds', { ...oneCreate, writtenHoursAgo: [3, 2] }, [when(2, ['held: flapping']), when(3, ['1 create'])]),
  row('guards.flapping.span', { ...oneCreate, writtenHoursAgo: [3, 2] }, [when('24h', ['held: flapping']), when('1h', ['1 create'])], {
    guards: { flapping: { rounds: 2 } },
  }),
  row('guards.protectedGroups', oneCreate, [when([], ['1 create']), when(['devs'], ['held: approval'])]),
]
