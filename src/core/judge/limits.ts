import { type Amounts, amountNames } from '../amounts.ts'
import { type Change, type ChangeId, type Hash, type MappingChange, waiverId } from '../change.ts'
import type { LimitName, LimitOver } from '../hold.ts'
import { type List, listOf } from '../mapping.ts'
import { amountsOfWrite, recentWriteOf } from '../memory/recentWrites.ts'
import type { Plan } from '../plan.ts'
import { listedFirst, partOf, counted as quantity } from '../quantity.ts'
import { isAdministrator, type RoleSettings } from '../roles.ts'
import { type GuardSettings, type Limit, settingOf } from './guardSettings.ts'

/** The changes that count besides those of this plan: of the run over all workspaces, and of the last 24 hours. */
export type Tally = { readonly run: Amounts; readonly day: Amounts }

/**
 * The files of the declaration that are gone, as the journal shows. `of`: the gone file that gave the mapping which the change deletes, since no rule names
 * it any more. `giving`: how many files gave mappings of the workspace, present or gone.
 */
export type GoneFiles = { readonly of: (change: Change) => string | undefined; readonly giving: () => number }

/**
 * `echoes`, for the list of workspace mappings: the role that was sent → the role that the service answered with. `gone`: absent if there is no journal, so
 * it is not known which file gave a mapping. `before`: only in later slices: what the first slice let pass, written or not, but for changes whose approval
 * has ended. They still count in the limits on amounts and people, and these do not hold them again.
 */
export type LimitInput = {
  readonly guards: GuardSettings
  readonly roles: RoleSettings
  readonly tally: Tally
  readonly echoes?: Readonly<Record<string, string>>
  readonly hash: Hash
  readonly gone?: GoneFiles
  readonly before?: readonly Change[]
}

/** Changes that wait together, since with them a limit is exceeded. */
type WaitingSet = { readonly over: LimitOver; readonly changes: readonly Change[] }

/**
 * How a change takes part in the limits. `isApproved`: a person lets it pass. `isUncounted`: it fills no limit on amounts, and none of them holds it.
 * `counts`: it fills them, and no earlier slice has counted it.
 */
type Counting = {
  readonly isApproved: (change: Change) => boolean
  readonly isUncounted: (change: Change) => boolean
  readonly counts: (change: Change) => boolean
}

/** More grants than this wait beside changes that exceed `raises`, `lowers` or `deletes`. */
const grantsBesideMax = 10

/**
 * The changes that wait for the first limit that they exceed, as one set, or as two sets if some of them are deletes because of gone files; empty if no
 * limit is exceeded. The caller approves sets and asks again, or takes all of them out and asks again.
 *
 * | limit                             | counts                                     | where it is exceeded, these wait                     |
 * |-----------------------------------|--------------------------------------------|------------------------------------------------------|
 * | lastAdministrator                 | mappings to an administrator role          | all changes that take one, but those approved        |
 * | emptiesList                       | mappings of a managed list, but those that | all deletes of the list that count                   |
 * |                                   | a recorded end takes away in this plan     |                                                      |
 * | creates, raises, lowers, deletes  | changes of the kind in this plan           | all changes of the kind that count                   |
 * | run, day                          | the same, with those of other plans        | the last ones of the kind, until the rest fits       |
 * | beside                            | grants of the plan, also those that wait,  | all other grants that count, if more than ten: of    |
 * |                                   | while raises, lowers or deletes wait, or   | two swapped files none is written half               |
 * |                                   | the deletes of an emptied list             |                                                      |
 *
 * A file that is gone is lines that are gone: few deletes because of it are written. They count in all limits like other deletes, and wait apart from them:
 *
 * | deletes because files are gone            | wait                       | the other deletes                 |
 * |-------------------------------------------|----------------------------|-----------------------------------|
 * | exceed `deletes` alone                    | as one set, `fileGone`     | are judged without them           |
 * | exceed it with other deletes              | as one set, `fileGone`     | wait, as another set              |
 * | are among those that wait for             | as one set, `fileGone`     | wait, as another set              |
 * | `emptiesList`, `run` or `day`             |                            |                                   |
 *
 * From `creates` on nothing counts that a person approved, or that a recorded end of a rule takes away. For `emptiesList` an approved delete counts, and
 * does not wait.
 *
 * A patch between roles that the order does not compare, or from no role, counts as a raise and as a lowering; so does a rename.
 *
 * @param waiting the limits for which changes of the plan wait already
 */
export function exceeded(
  plan: Pick<Plan, 'workspace' | 'changes' | 'owned' | 'administrators'>,
  changes: readonly Change[],
  counting: Counting,
  waiting: ReadonlySet<LimitName>,
  input: LimitInput,
): readonly WaitingSet[] {
  const { isApproved, isUncounted, counts } = counting
  const { guards, roles, tally, hash, echoes, gone, before = [] } = input
  const setOf = (affected: readonly Change[], over: Over): readonly WaitingSet[] =>
    affected.length === 0 ? [] : [{ changes: affected, over: { ...over, pass: setId(affected, hash) } }]
  const isGone = (change: Change) => gone?.of(change) !== undefined
  const open = (affected: readonly Change[], over: Omit<LimitOver, 'pass' | 'count'>, passes: (change: Change) => boolean) => {
    const waits = affected.filter((change) => !passes(change))
    return setOf(waits, { ...over, count: affected.length })
  }

  const lost = lastAdministrator(plan.administrators, changes, roles, echoes)
  const counted = changes.filter(counts)
  const ofKind = (name: keyof Amounts, candidates: readonly Change[]) =>
    candidates.filter((change) => amountsOf(change, roles).includes(name))
  const kinds = new Map(amountNames.map((name) => [name, ofKind(name, counted)] as const))
  const filled = before.filter(({ uncounted }) => uncounted === undefined)
  const countedBefore = changes.filter((change) => !counts(change) && !isUncounted(change))
  const owned = ownedMappings(plan)
  const grants = plan.changes.filter((change) => counts(change) && isGrant(change, roles)).length
  const besideThem = counted.filter((change) => isGrant(change, roles))
  const accident = accidents.find((name) => waiting.has(name))
  const [first] = [
    ...(lost === undefined ? [] : open(lost.changes, lost.over, isApproved)),
    ...emptiedLists(plan.owned, changes).flatMap((emptied) => open(emptied.changes, emptied.over, isUncounted)),
    ...[...kinds].flatMap(([name, ofThisKind]) => {
      const setting = (key: keyof Limit) => settingOf(guards, plan.workspace, name, key)
      const setAbove = (part: readonly Change[]) => {
        const over = withEnds(overLimit(name, ofKind(name, filled).length + part.length, guards[name], owned, setting), part)
        return over === undefined ? [] : setOf(part, over)
      }
      return [...setAbove(ofThisKind.filter(isGone)), ...setAbove(ofThisKind)]
    }),
    ...(['run', 'day'] as const).flatMap((span) =>
      [...kinds].flatMap(([name, ofThisKind]) => {
        const already = tally[span][name] + ofKind(name, countedBefore).length
        const limit = guards[span][name]
        return setOf(ofThisKind.slice(Math.max(0, limit - already)), sumOver(span, name, ofThisKind.length, already, limit))
      }),
    ),
    ...(accident === undefined || grants <= grantsBesideMax
      ? []
      : setOf(besideThem, {
          name: 'beside',
          count: grants,
          limit: grantsBesideMax,
          setting: noSetting,
          sentence: `${quantity(grants, 'grant')}${alreadyText(grants - besideThem.length)} beside ${accident === 'emptiesList' ? 'deletes' : accident} that wait: they may belong together`,
        })),
  ]
  if (first === undefined) return []
  if (gone === undefined || first.over.name === 'lastAdministrator') return [first]
  const ofGone = first.changes.filter(isGone)
  if (ofGone.length === 0) return [first]
  const { pass: _, ...over } = first.over
  const others = first.changes.filter((change) => !ofGone.includes(change))
  return [
    ...setOf(ofGone, { ...over, name: 'fileGone', exceeds: over.name, sentence: `${goneText(ofGone, gone)}; ${over.sentence}` }),
    ...setOf(others, over),
  ]
}

const alreadyText = (waiting: number): string => (waiting === 0 ? '' : ` (${quantity(waiting, 'of them waits', 'of them wait')} already)`)

/** While changes wait for one of these, more than ten grants wait beside them. */
export const accidents = ['raises', 'lowers', 'deletes', 'emptiesList'] as const satisfies readonly LimitName[]

/** Says how many of the changes happen since a rule ends. No line is gone then, so another remedy is the right one. */
function withEnds(over: Over | undefined, changes: readonly Change[]): Over | undefined {
  const ends = changes.filter((change) => change.action === 'delete' && change.why === 'expired').length
  if (over === undefined || ends === 0) return over
  const number = ends === changes.length ? 'all' : `${ends}`
  const sentence = `${over.sentence}; ${number} of them by ends of rules that were known for less than 72 hours: if a date is wrong, correct it`
  return { ...over, sentence }
}

/** `27 of 41 files are gone, so 31 mappings are undeclared` */
function goneText(changes: readonly Change[], { of, giving }: GoneFiles): string {
  const files = new Set(changes.map(of))
  const [file] = files
  const mappings = `${quantity(changes.length, 'mapping')} ${changes.length === 1 ? 'is' : 'are'} undeclared`
  return files.size === 1 ? `${file} is gone, so ${mappings}` : `${files.size} of ${quantity(giving(), 'file')} are gone, so ${mappings}`
}

const noSetting = 'no setting: only an approval lets them pass'

/** The ID of changes that wait together: another set of changes has another ID. */
export const setId = (changes: readonly Change[], hash: Hash): ChangeId =>
  waiverId(hash(JSON.stringify(changes.map(({ id }) => id).toSorted())))

/** The limits on amounts in which a change counts. */
export const amountsOf = (change: Change, roles: RoleSettings): readonly (keyof Amounts)[] =>
  change.action === 'settings' ? [] : amountsOfWrite(recentWriteOf(change, 0), roles)

const isGrant = (change: Change, roles: RoleSettings): boolean => {
  const amounts = amountsOf(change, roles)
  return amounts.includes('creates') || amounts.includes('raises')
}

/** The number of mappings in the lists that the declaration manages. */
const ownedMappings = ({ owned }: Pick<Plan, 'owned'>): number => Object.values(owned).reduce((sum, count) => sum + count, 0)

type Over = Omit<LimitOver, 'pass'>

function overLimit(
  name: keyof Amounts,
  total: number,
  limits: Limit | Pick<Limit, 'count'>,
  owned: number,
  settingOfKey: (key: keyof Limit) => string,
): Over | undefined {
  const { count } = limits
  if (!('share' in limits)) {
    const setting = settingOfKey('count')
    const sentence = `${amountText(name, total)}; ${setting} allows ${count}`
    return total <= count ? undefined : { name, count: total, limit: count, setting, sentence }
  }
  const allowed = Math.max(limits.minExisting, Math.floor(partOf(limits.share, owned)))
  const limit = Math.min(count, allowed)
  if (total <= limit) return undefined
  const { key, bound } = decisive(limits, owned, allowed)
  const setting = settingOfKey(key)
  return {
    name,
    count: total,
    limit,
    owned,
    setting,
    sentence: `${amountText(name, total)}${ofOwned(total, owned)}; ${setting} allows ${bound}`,
  }
}

/** Which of the three settings of a limit decides, and what it allows. */
function decisive({ count, share, minExisting }: Limit, owned: number, allowed: number) {
  const key: keyof Limit = count <= allowed ? 'count' : minExisting <= partOf(share, owned) ? 'share' : 'minExisting'
  const part = `${percent(share)} of ${quantity(owned, 'owned mapping')}`
  const bounds = { count: `${count}`, share: `${part}, which is ${allowed}`, minExisting: `${allowed}, which is more than ${part}` }
  return { key, bound: bounds[key] }
}

const spans = { run: 'this run', day: 'the last 24 hours' } as const

/** Without this limit, a plan of 100 deletes could be written as ten plans of ten. */
function sumOver(span: 'run' | 'day', name: keyof Amounts, added: number, before: number, limit: number): Over {
  const setting = `guards.${span}.${name}`
  const onTop = before === 0 ? '' : ` on top of ${before} in ${spans[span]}`
  return { name: span, count: before + added, limit, setting, sentence: `${amountText(name, added)}${onTop}; ${setting} allows ${limit}` }
}

type TakenRoles = { readonly changes: readonly Change[]; readonly over: Omit<LimitOver, 'pass' | 'count'> }

/**
 * The changes are counted one by one in the order of writing, and the list must not be empty after any of them: a run may end anywhere, and the
 * gate may stop the changes that come after. Mappings that a recorded end takes away are left out: the question is whether the other deletes take all
 * other mappings. An approved delete counts: who approves one delete of an emptied list approves none of the others.
 *
 * | the list has                             | deletes that count | of     | wait |
 * |------------------------------------------|--------------------|--------|------|
 * | 10 mappings, 10 deletes, none an end     | 10                 | 10     | yes  |
 * | 10 mappings, 10 deletes, all of them ends | 0                 | 0      | no   |
 * | 10 mappings, 9 ends and one other delete | 1                  | 1      | yes  |
 * | 10 mappings, 8 ends and one other delete | 1                  | 2      | no   |
 */
function emptiedLists(owned: Plan['owned'], changes: readonly Change[]): readonly TakenRoles[] {
  return (Object.entries(owned) as [List, number][]).flatMap(([list, size]) => {
    const inList = changes.filter((change) => change.action !== 'settings' && listOf(change.target) === list)
    const withoutEnds = inList.filter((change) => !(change.action === 'delete' && change.uncounted === 'ended'))
    const ends = inList.length - withoutEnds.length
    const before = size - ends
    let left = before
    let emptied = false
    for (const { action } of withoutEnds) {
      if (action === 'create') left++
      if (action === 'delete') emptied = --left === 0 || emptied
    }
    if (!emptied) return []
    const kind = list === 'workspaceRoles' ? 'workspace' : 'project'
    const which = before === 1 ? `the only ${kind} mapping` : `all ${quantity(before, `${kind} mapping`)}`
    const but = ends === 0 ? '' : `, but ${ends} that end${ends === 1 ? 's' : ''} now,`
    const sentence = `${which}${but} would be deleted${left > 0 ? ' before the first new one exists' : ', and none would be left'}`
    const over = { name: 'emptiesList' as const, limit: before - 1, owned: before, setting: noSetting, sentence }
    return [{ changes: withoutEnds.filter(({ action }) => action === 'delete'), over }]
  })
}

const groupsShown = 3

/**
 * A run may end at any point, and any of its changes may fail or be held. In each of these cases a mapping to an administrator role must be left.
 * A new such mapping makes up for a lost one only if the change that takes the role away requires the change that gives it: then the giving change is
 * written first. A new mapping makes up for at most one lost mapping.
 *
 * @param echoes roles that the service answered in place of an administrator role: the same role under another name, or a lower one. To be safe, a mapping
 *   with such a role counts as an administrator when it goes, and not when it stays
 */
function lastAdministrator(
  administrators: number,
  changes: readonly Change[],
  roles: RoleSettings,
  echoes: LimitInput['echoes'],
): TakenRoles | undefined {
  const had = (change: MappingChange) => 'before' in change && isAdministrator(change.before, roles, echoes)
  const has = (change: MappingChange) => 'role' in change && isAdministrator(change.role, roles, echoes)
  const inWorkspace = changes.flatMap((change) => (change.action !== 'settings' && change.target.kind === 'workspace' ? [change] : []))
  const replacements = new Set(inWorkspace.filter((change) => has(change) && !had(change)).map(({ id }) => id))
  const going = inWorkspace.filter((change) => had(change) && !has(change) && !change.requires.some((id) => replacements.delete(id)))
  const left = administrators - going.filter((change) => 'before' in change && isAdministrator(change.before, roles)).length
  if (left > 0) return undefined
  const groups = [...new Set(going.map(({ group }) => group))]
  const [have, them] = going.length === 1 ? ['has the last mapping', 'it'] : ['have the last mappings', 'them']
  const who = listedFirst(groups.slice(0, groupsShown), groups.length)
  const sentence = `${who} ${have} to a workspace administrator role; without ${them} no group gives that role`
  // Any of these changes may turn out to be the last one, so all of them wait.
  return { changes: going, over: { name: 'lastAdministrator', limit: Math.max(0, administrators - 1), setting: noSetting, sentence } }
}

const nouns: Readonly<Record<keyof Amounts, string>> = { creates: 'create', raises: 'raise', lowers: 'lowering', deletes: 'delete' }
/** `1 delete`, `2 lowerings` */
const amountText = (name: keyof Amounts, n: number): string => quantity(n, nouns[name])

const percent = (share: number): string => `${Math.round(share * 100)} %`
const ofOwned = (count: number, owned: number): string =>
  owned === 0 ? '' : ` (${percent(count / owned)} of ${quantity(owned, 'owned mapping')})`
