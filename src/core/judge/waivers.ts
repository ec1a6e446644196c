import { mostOf } from '../bounds.ts'
import { type Change, type ChangeId, waiverDigits } from '../change.ts'
import { by } from '../compare.ts'
import { describer } from '../describedChange.ts'
import type { HoldReason, LimitName, LimitOver } from '../hold.ts'
import { bareId, idText, peopleMost } from '../idWithPeople.ts'
import { isApproval } from '../memory/approvals.ts'
import type { PeopleLimits, PeopleOver } from '../peopleEffect.ts'
import type { Plan } from '../plan.ts'
import type { Waiver } from '../waiver.ts'
import { type PeopleOf, type PeopleSet, passesPeople } from './people.ts'

/** The waivers that name at least one of `ids`. Names that are not in `ids` are left out of these waivers. */
export const waiversNaming = (ids: readonly string[], waivers: readonly Waiver[]): readonly Waiver[] =>
  waivers.flatMap((waiver) => {
    const named = waiver.ids.filter((id) => ids.includes(id))
    return named.length === 0 ? [] : [{ ...waiver, ids: named }]
  })

/** A shorter prefix does not count: a person could make another plan or change whose name begins with the same digits. */
export const namesPlan = (waiver: string, { fingerprint }: Pick<Plan, 'fingerprint'>): boolean =>
  waiver.length >= waiverDigits && fingerprint.startsWith(waiver)

/** The waivers of one plan, and which of them were used. */
type OpenWaivers = {
  /** The waiver that names or describes the change itself. One of a file inside a fence comes after all others. */
  ofChange(change: Change): Waiver | undefined
  /** The waiver by which the change passes a limit on people. */
  ofPeople(change: Change, crowd: PeopleOver): Waiver | undefined
  /** The waiver with the ID of the set and a number that is large enough, rewritten: it names each change of the set, with one number for all of them. */
  ofPeopleSet(crowd: PeopleSet): Waiver | undefined
  /**
   * The changes of the set that pass without an approval of the whole set, each with its waiver: by its own ID and number, or by words with one number for
   * all changes that they describe.
   */
  ofSomeInSet(crowd: PeopleSet): ReadonlyMap<Change, Waiver>
  /** The waiver that names the plan: it lets pass what would wait, but for the limits on people. */
  ofPlan(): Waiver | undefined
  /** The waiver that names a set of changes, or the plan. */
  ofSet(over: LimitOver): Waiver | undefined
  /** @param people those of a change that passes with a set, by a number of people */
  use(waiver: Waiver, change: Change, set?: LimitOver, people?: number): void
  /** @param isPassed whether the change passes in the end. What a waiver lets pass one guard may still wait for another one */
  used(isPassed: (id: ChangeId) => boolean): readonly Waiver[]
}

/**
 * Whether the number of a waiver counts. An approval with one number for several changes counts only while the plan has all of them: those that are written
 * have used a part of the number. The words of a file count anew in each plan.
 */
function isWhole(waiver: Waiver, { changes }: Pick<Plan, 'changes'>): boolean {
  const { ids, together, words } = waiver
  if (typeof together === 'number') {
    const planned = new Set<string>(changes.map(({ id }) => id))
    return ids.every((id) => planned.has(id))
  }
  if (typeof words?.people !== 'number' || !isApproval(waiver)) return true
  const planned = new Set(changes.filter(describer(words)).map(({ key }) => key))
  return words.changes.every((description) => 'key' in description && planned.has(description.key))
}

function withoutNumber(waiver: Waiver): Waiver {
  const { together: _, words, ...rest } = waiver
  return { ...rest, ...(words === undefined ? {} : { words: { changes: words.changes } }) }
}

/** @param given without those that have ended */
export function openWaivers(given: readonly Waiver[], plan: Pick<Plan, 'fingerprint' | 'changes'>, peopleOf: PeopleOf): OpenWaivers {
  const waivers = given.map((waiver) => (isWhole(waiver, plan) ? waiver : withoutNumber(waiver)))
  // One of a file inside a fence lets less pass.
  const inOrder = waivers.toSorted(by(({ fenced }) => `${fenced === true}`))
  const opened = inOrder.map((waiver) => {
    const { ids, words, together } = waiver
    const describes = together === undefined ? describer(words) : ({ id }: Change) => ids.includes(id)
    const most = together ?? words?.people
    // The number is for all these changes of the plan, each person once. One without an upper bound waits by itself.
    const described = (limit: keyof PeopleLimits) =>
      plan.changes.filter((change) => describes(change) && peopleOf(limit, [change]).most !== undefined)
    const isEnough = (limit: keyof PeopleLimits) =>
      most === 'any' || (most !== undefined && mostOf(peopleOf(limit, described(limit))) <= most)
    return { waiver, describes, isEnough }
  })
  const uses: { readonly waiver: Waiver; readonly id: ChangeId; readonly passed: string; readonly names: readonly string[] }[] = []
  const ofPlan = () => waivers.find(({ ids }) => ids.some((name) => namesPlan(name, plan)))
  return {
    ofChange: (change) =>
      opened.find(({ waiver: { ids }, describes }) => ids.some((name) => bareId(name) === change.id) || describes(change))?.waiver,
    ofPeople: (change, { over, people }) =>
      opened.find(({ waiver: { ids, words, together }, describes, isEnough }) => {
        if (ids.some((name) => passesPeople(name, change, mostOf(people)))) return true
        return (people.most !== undefined || (together ?? words?.people) === 'any') && describes(change) && isEnough(over)
      })?.waiver,
    ofPeopleSet: ({ over, changes }) => {
      const names = (name: string) => passesPeople(name, { id: over.pass }, over.count)
      const waiver = waivers.find(({ ids }) => ids.some(names))
      if (waiver === undefined) return undefined
      const used = waiver.ids.filter(names)
      const most = used.map(peopleMost).reduce((a, b) => Math.max(a, b))
      return { ...waiver, ids: changes.map(({ id }) => id), used, together: Number.isFinite(most) ? most : 'any' }
    },
    ofSomeInSet: ({ limit, changes }) =>
      new Map(
        opened.toReversed().flatMap(({ waiver, describes, isEnough }): readonly (readonly [Change, Waiver])[] => {
          const named = changes.filter((change) => waiver.ids.some((name) => passesPeople(name, change, mostOf(peopleOf(limit, [change])))))
          return [...named, ...(isEnough(limit) ? changes.filter(describes) : [])].map((change) => [change, waiver] as const)
        }),
      ),
    ofPlan,
    ofSet: ({ pass }) => waivers.find(({ ids }) => ids.includes(pass)) ?? ofPlan(),
    use: (waiver, { id }, set, people) => {
      const [own] = waiver.ids.filter((name) => bareId(name) === id).toSorted((a, b) => peopleMost(b) - peopleMost(a))
      // A waiver for a set is used by the name of the set.
      const names =
        waiver.together !== undefined
          ? []
          : waiver.ids.filter((name) => name === own || bareId(name) === set?.pass || (own === undefined && namesPlan(name, plan)))
      uses.push({ waiver, id, passed: own ?? idText(id, people), names })
    },
    used: (isPassed) =>
      [
        ...Map.groupBy(
          uses.filter(({ id }) => isPassed(id)),
          ({ waiver }) => waiver,
        ),
      ].map(([waiver, of]) => ({
        ...waiver,
        // A change may pass several guards, at last with a number of people.
        ids: [...new Map(of.map(({ id, passed }) => [id, passed])).values()],
        used: [...new Set([...(waiver.used ?? []), ...of.flatMap(({ names }) => names)])],
      })),
  }
}

/** Whether a change waits since it concerns too many people, alone or with others. */
export const isForPeople = (reason: HoldReason | undefined): boolean =>
  reason?.kind === 'approval' && (reason.why === 'people' || (reason.why === 'limit' && reason.name === 'people'))

/**
 * The limit for which a change waits although the words of a waiver describe it; undefined if there is none. One on people: the words say fewer people, or the
 * number is not known. Words of a file inside a fence pass no limit at all.
 */
export function limitAbove({ holds }: Pick<Plan, 'holds'>): (waiver: Waiver) => LimitName | undefined {
  const waiting = holds.flatMap(({ change, reason }) => {
    if (change === undefined || reason.kind !== 'approval') return []
    const limit = isForPeople(reason) ? 'people' : reason.why === 'limit' ? reason.name : undefined
    return limit === undefined ? [] : [{ change, limit }]
  })
  return ({ words, fenced }) => {
    const describes = describer(words)
    return waiting.find(({ change, limit }) => (fenced === true || limit === 'people') && describes(change))?.limit
  }
}
