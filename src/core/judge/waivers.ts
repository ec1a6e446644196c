import { type Change, type ChangeId, waiverDigits } from '../change.ts'
import type { GroupSync } from '../groupSync.ts'
import type { ApprovalWhy } from '../hold.ts'
import { changeLater } from '../later.ts'
import type { Key } from '../mapping.ts'
import type { PeopleOver } from '../peopleEffect.ts'
import type { Plan } from '../plan.ts'
import type { Guard, Waiver, WaiverScope } from '../waiver.ts'
import type { DescribedChange } from '../waiverWords.ts'
import { passesPeople } from './limits.ts'

/** The waivers that name at least one of `ids`. Names that are not in `ids` are left out of these waivers. */
export const waiversNaming = (ids: readonly string[], waivers: readonly Waiver[]): readonly Waiver[] =>
  waivers.flatMap((waiver) => {
    const named = waiver.ids.filter((id) => ids.includes(id))
    return named.length === 0 ? [] : [{ ...waiver, ids: named }]
  })

/**
 * The waiver with only those of its ids that were used. After the first write the plan has a new fingerprint; the waiver keeps covering what is left of
 * the old plan. A waiver in words gets the ids of the changes that passed by it.
 */
export function withScope(waiver: Waiver, uses: WaiverScope, plan: Plan): Waiver {
  if (waiver.rememberedScope !== undefined) return waiver
  const used = new Set<string>([...uses.values()].flatMap((changes) => [...changes]))
  if (waiver.words !== undefined) return { ...waiver, ids: [...used] }
  const ids = waiver.ids.filter((name) => used.has(changeNamed(name)) || namesPlan(name, plan))
  return ids.some((name) => namesPlan(name, plan)) ? { ...waiver, ids, rememberedScope: uses } : { ...waiver, ids }
}

/**
 * The waivers for a plan that is judged again. A waiver with a remembered scope replaces the one from which it was made: the plan passes only the guards
 * that stopped it the first time, also if its fingerprint is still the same.
 */
export function rememberedFirst(waivers: readonly Waiver[]): readonly Waiver[] {
  const remembered = new Set(waivers.flatMap(({ ids, rememberedScope }) => (rememberedScope === undefined ? [] : ids)))
  return waivers.map((waiver) =>
    waiver.rememberedScope === undefined ? { ...waiver, ids: waiver.ids.filter((id) => !remembered.has(id)) } : waiver,
  )
}

/** A shorter prefix does not count: a person could make another plan or change whose name begins with the same digits. */
export const namesPlan = (waiver: string, { fingerprint }: Plan): boolean => waiver.length >= waiverDigits && fingerprint.startsWith(waiver)

/** The change that a waiver names. Behind it may stand up to how many people it is approved: `ID:160`. */
export const changeNamed = (waiver: string): string => waiver.split(':', 1)[0] ?? waiver

/** The waivers of one plan, and which of them were used. */
type OpenWaivers = {
  /** The waiver by which the change passes a guard; undefined if none lets it pass. @param count the number that exceeds the limit of a plan */
  of(change: Change, guard: Exclude<Guard, 'people'>, count?: number): Waiver | undefined
  /** The waiver by which the change passes a limit on people. */
  ofCrowd(change: Change, crowd: PeopleOver): Waiver | undefined
  use(waiver: Waiver, guard: Guard, change: Change): void
  /** The waivers that were used. What a run has made for a later slice is no approval of a person, so it is not among them. */
  used(): readonly Waiver[]
}

/** @param waivers without those that have ended */
export function openWaivers(waivers: readonly Waiver[], plan: Plan): OpenWaivers {
  const opened = waivers.map((waiver) => ({ waiver, describes: describer(waiver) }))
  const uses = new Map<Waiver, Map<Guard, Set<ChangeId>>>()
  return {
    of(change, guard, count = 0) {
      return opened.find(({ waiver: { ids, rememberedScope, words }, describes }) => {
        if (rememberedScope?.get(guard)?.has(change.id) === true) return true
        if (words === undefined)
          return ids.some((name) => changeNamed(name) === change.id || (rememberedScope === undefined && namesPlan(name, plan)))
        const { limit } = words
        const isMeant = isPlanLimit(guard) ? limit?.guard === guard && count <= limit.count : limit === undefined
        return isMeant && describes(change)
      })?.waiver
    },
    ofCrowd(change, { people }) {
      return opened.find(({ waiver: { ids, words }, describes }) => {
        if (words === undefined) return ids.some((name) => passesPeople(name, change, people))
        const isEnough = words.people === 'any' || (words.people !== undefined && people !== undefined && people <= words.people)
        return isEnough && words.limit === undefined && describes(change)
      })?.waiver
    },
    use(waiver, guard, { id }) {
      const mine = uses.get(waiver) ?? new Map<Guard, Set<ChangeId>>()
      uses.set(waiver, mine.set(guard, (mine.get(guard) ?? new Set()).add(id)))
    },
    used: () =>
      [...uses].flatMap(([waiver, mine]) => (waiver.ids.length === 0 && waiver.words === undefined ? [] : [withScope(waiver, mine, plan)])),
  }
}

/**
 * What dates will change, each with whether it will wait for an approval. Only waivers in words last long enough to let it pass.
 *
 * @param whysOf the approvals that a change needs
 */
export function judgedLater(plan: Plan, waivers: readonly Waiver[], whysOf: (change: Change) => readonly ApprovalWhy[]): Plan['later'] {
  const inWords = waivers.filter(({ words }) => words !== undefined).map((waiver) => ({ waiver, open: openWaivers([waiver], plan) }))
  return plan.later.map((row) => {
    const change = row.waits === undefined ? changeLater(row) : undefined
    const asked = change === undefined ? [] : whysOf(change)
    if (change === undefined || asked.length === 0) return row
    const passing = asked.map((why) => inWords.find(({ waiver, open }) => row.atMs < waiver.untilMs && open.of(change, why) !== undefined))
    const open = asked.find((_, index) => passing[index] === undefined)
    return open === undefined ? { ...row, waivedBy: passing[0]?.waiver.source ?? '' } : { ...row, waits: { kind: 'approval', why: open } }
  })
}

const isPlanLimit = (guard: Guard): boolean =>
  guard !== 'protectedRole' && guard !== 'protectedGroup' && guard !== 'groupSync' && guard !== 'allProjectsProtected'

/** Whether the words of a waiver describe a change that waits, since it concerns more people than they say, or an unknown number. */
export function forFewerPeople({ holds }: Pick<Plan, 'holds'>): (waiver: Waiver) => boolean {
  const crowds = holds.flatMap(({ change, reason }) => (reason.kind === 'approval' && reason.why === 'people' ? (change ?? []) : []))
  return (waiver) => waiver.words !== undefined && waiver.words.limit === undefined && crowds.some(describer(waiver))
}

/** Whether the words of a waiver describe a change. */
function describer({ words }: Waiver): (change: Change) => boolean {
  const settings: DescribedChange[] = []
  const byKey = new Map<Key, DescribedChange[]>()
  for (const one of words?.changes ?? []) {
    if (!('key' in one)) settings.push(one)
    else byKey.set(one.key, [...(byKey.get(one.key) ?? []), one])
  }
  return (change) => (change.action === 'settings' ? settings : (byKey.get(change.key) ?? [])).some((one) => isDescribed(change, one))
}

function isDescribed(change: Change, one: DescribedChange): boolean {
  if (change.action === 'settings') return !('key' in one) && isSame(one.before, change.before) && isSame(one.after, change.after)
  if (!('key' in one) || one.key !== change.key) return false
  const after = change.action === 'delete' ? undefined : change.role
  const before = change.action === 'create' ? undefined : change.before
  const fromGroup = change.action === 'rename' ? change.fromGroup : undefined
  // A group that was deleted and made again has another id. A delete takes the role away from whichever group has it.
  const isMeant = one.groupId === undefined || after === undefined || one.groupId === change.groupId
  return one.after === after && one.before === before && one.fromGroup === fromGroup && isMeant
}

const isSame = (one: GroupSync, other: GroupSync): boolean => {
  const names = Object.keys({ ...one, ...other }) as (keyof GroupSync)[]
  return names.every((name) => one[name] === other[name])
}
