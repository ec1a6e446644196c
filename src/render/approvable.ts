import { type ChangeId, waiverDigits } from '../core/change.ts'
import { idThatWaits, passOf } from '../core/hold.ts'
import { bareId, idText, partsOfId } from '../core/idWithPeople.ts'
import { defined } from '../core/optionalFields.ts'
import { type DescribedChange, type WaiverWords } from '../core/waiverWords.ts'
import { type DocumentChange } from '../documents/change.ts'
import { type DocumentHold, type PlannedWorkspace } from '../documents/plan.ts'
import { alsoPasses } from './alsoPasses.ts'
import { settingsFromDocument } from './documentParts.ts'
import { countedSet, setOf } from './statusEntries.ts'

/** The parts of the document of a plan that say what waits for approval. */
export type WaitingPlan = Pick<PlannedWorkspace, 'workspace' | 'fingerprint' | 'sets' | 'holds'>

/**
 * What an ID would approve. `words`: changes that pass the guards. `pass`: a project or a group with another id that is accepted; a file cannot say this
 * in words. `uncounted`: nothing, since an approval must say for how many people it is.
 */
export type Approvable =
  | {
      readonly kind: 'words'
      readonly changes: readonly DocumentChange[]
      readonly people?: WaiverWords['people']
      readonly sentence: string
    }
  | { readonly kind: 'pass'; readonly pass: string; readonly sentence: string; readonly cure: string }
  /** The number of people is not known, and the ID says none. */
  | { readonly kind: 'uncounted'; readonly sentence: string; readonly cure: string }

/** An ID that waits in a plan, and the sentence that says why. */
type WaitingId = { readonly id: string; readonly sentence: string }

/** The IDs of sets first; then those of single changes, projects and groups. */
export function idsIn({ sets, holds }: WaitingPlan): readonly WaitingId[] {
  const single = holds.flatMap((hold) => {
    const id = setOf(hold) !== undefined ? undefined : idThatWaits(hold)
    return id === undefined ? [] : [[id, hold.sentence] as const]
  })
  return [
    ...sets.map(({ id, limit, count, sentence }) => ({ id: passOf({ name: limit, pass: id, count }), sentence })),
    ...[...new Map<string, string>(single)].map(([id, sentence]) => ({ id, sentence })),
  ]
}

/** Every ID that `approve` takes of this plan, without a number of people: of the plan, of its sets, and of what waits in it. */
export const approvableIds = (plan: WaitingPlan): readonly string[] => [
  ...new Set([
    plan.fingerprint.slice(0, waiverDigits),
    ...plan.sets.map(({ id }) => id),
    ...plan.holds.flatMap(({ change, reason }) => nameOf(reason, change?.id) ?? []),
  ]),
]

/**
 * What `id` approves in this plan; empty if nothing waits under it. The ID of a plan approves all that waits in it, but for what waits for a number of
 * people.
 *
 * @param id as a plan shows it, perhaps with the number of people: `ID:160`
 * @returns `incomplete` if the document lacks some of the changes
 */
export function approvablesOf(plan: WaitingPlan, id: string): readonly Approvable[] | 'incomplete' {
  const { id: name, people } = partsOfId(id)
  const set = plan.sets.find(({ id: setId }) => setId === name)
  if (set !== undefined) return ofSets([set], plan, people)
  if (isIdOfPlan(name, plan)) {
    const ofPlan = ofSets(
      plan.sets.filter(({ limit }) => limit !== 'people'),
      plan,
    )
    if (ofPlan === 'incomplete') return ofPlan
    return [...ofPlan, ...plan.holds.filter(isSingle).flatMap((hold) => ofHold(hold, undefined))]
  }
  const hold = plan.holds.find(({ change, reason }) => nameOf(reason, change?.id) === name)
  return hold === undefined ? [] : ofHold(hold, people)
}

/** What IDs would let pass. `missing`: so many of their changes are not in the document. `also`: what passes beside them. */
export type Passing = Pick<WaitingPlan, 'workspace' | 'sets' | 'holds'> & { readonly missing: number; readonly also: readonly string[] }

export function passingWith(plan: WaitingPlan, ids: readonly string[]): Passing {
  const names = ids.map(bareId)
  const isWholePlan = names.some((name) => isIdOfPlan(name, plan))
  const named = plan.sets.filter(({ id, limit }) => names.includes(id) || (isWholePlan && limit !== 'people'))
  const inSets = new Set(named.flatMap(({ changes }) => changes))
  const holds = plan.holds.filter((hold) => {
    const { change, reason } = hold
    if (change !== undefined && inSets.has(change.id)) return true
    return (isWholePlan && isSingle(hold)) || names.includes(nameOf(reason, change?.id) ?? '')
  })
  const approved = new Set([...inSets, ...holds.flatMap(({ change }) => change?.id ?? [])])
  const known = new Set(holds.map(({ change }) => change?.id))
  return {
    workspace: plan.workspace,
    sets: plan.sets.filter(({ changes }) => changes.some((id) => approved.has(id))),
    holds,
    missing: [...inSets].filter((id) => !known.has(id)).length,
    also: alsoPasses(plan.sets.map(countedSet), approved),
  }
}

/** Whether the hold waits alone, and not for a number of people. */
const isSingle = ({ reason }: DocumentHold): boolean => reason.kind === 'approval' && reason.why !== 'limit' && reason.why !== 'people'

/** Whether the ID is that of the plan, and not of one of its changes. */
const isIdOfPlan = (id: string, { fingerprint }: Pick<WaitingPlan, 'fingerprint'>): boolean =>
  id.length >= waiverDigits && fingerprint.startsWith(id)

/** Whether the ID is that of several changes: then only the daemon surely has all of them. */
export const isIdOfSeveral = (id: string, plan: WaitingPlan): boolean =>
  isIdOfPlan(id, plan) || plan.sets.some((set) => set.id === bareId(id))

function nameOf(reason: DocumentHold['reason'], id: ChangeId | undefined): string | undefined {
  if (reason.kind === 'projectChanged' || reason.kind === 'groupChanged') return reason.pass
  return reason.kind === 'approval' ? id : undefined
}

type Words = Extract<Approvable, { readonly kind: 'words' }>

/** @param people the number behind the ID; absent: as many as the plan says */
function ofSets(sets: WaitingPlan['sets'], { holds }: WaitingPlan, people?: WaiverWords['people']): readonly Words[] | 'incomplete' {
  const known = new Map(holds.flatMap(({ change }) => (change === undefined ? [] : [[change.id, change] as const])))
  const entries = sets.map(({ changes: ids, sentence, limit, count }) => ({
    ids,
    words: {
      kind: 'words' as const,
      changes: ids.flatMap((id) => known.get(id) ?? []),
      ...(limit === 'people' ? { people: people ?? count } : {}),
      sentence,
    },
  }))
  return entries.some(({ ids, words }) => words.changes.length < ids.length) ? 'incomplete' : entries.map(({ words }) => words)
}

function ofHold({ reason, change, sentence, cure }: DocumentHold, people: WaiverWords['people']): readonly Approvable[] {
  if (reason.kind === 'projectChanged' || reason.kind === 'groupChanged') return [{ kind: 'pass', pass: reason.pass, sentence, cure }]
  if (reason.kind !== 'approval' || change === undefined) return []
  const isOfSet = reason.why === 'limit' && reason.name === 'people'
  if (reason.why !== 'people' && !isOfSet) return [{ kind: 'words', changes: [change], sentence }]
  const number = people ?? (reason.why === 'people' ? reason.people.most : undefined)
  if (number === undefined) {
    const cure = isOfSet
      ? `it waits together with others for its people, so it needs their number, or any: ${idText(change.id, 'any')}`
      : `the number is not known, so only an approval for every number lets it pass: ${reason.pass}`
    return [{ kind: 'uncounted', sentence, cure }]
  }
  return [{ kind: 'words', changes: [change], people: number, sentence }]
}

/** The words that the guards compare with a change. */
export const wordsOf = ({ changes, people }: Words): WaiverWords => ({
  changes: changes.map(describedChange),
  ...(people === undefined ? {} : { people }),
})

type Rename = Extract<DocumentChange, { readonly action: 'rename' }>
/** A change that gives a role. Only a create has no role before it, and only a rename has an old group. */
type Grant = Pick<Rename, 'key' | 'role' | 'groupId'> & Partial<Pick<Rename, 'before' | 'fromGroup'>>

/** A change of a document in words. A delete has no id of its group: it takes the role away from whichever group has it. */
export function describedChange(change: DocumentChange): DescribedChange {
  if (change.action === 'settings') return { before: settingsFromDocument(change.before), after: settingsFromDocument(change.after) }
  if (change.action === 'delete') return { key: change.key, before: change.before }
  const { key, fromGroup, before, role, groupId }: Grant = change
  return defined({ key, fromGroup, before, after: role, groupId })
}
