import { type ChangeId, waiverDigits, waiverId } from '../core/change.ts'
import { defined } from '../core/fields.ts'
import { type DescribedChange, type GuardName, type WaiverWords } from '../core/waiverWords.ts'
import { type DocumentChange } from '../documents/change.ts'
import { type DocumentHold, type PlannedWorkspace } from '../documents/plan.ts'
import { settingsFromDocument } from './documentParts.ts'

/** The parts of the document of a plan that say what waits for approval. */
export type WaitingPlan = Pick<PlannedWorkspace, 'workspace' | 'fingerprint' | 'changes' | 'refusals' | 'holds'>

/**
 * What an ID would approve. `words`: changes that pass the guards of single changes, or, with `limit`, one limit of the plan. `pass`: a project or a group
 * with another id that is accepted; a file cannot say this in words. `uncounted`: nothing, since an approval must say for how many people it is.
 */
export type Approvable =
  | {
      readonly kind: 'words'
      readonly changes: readonly DocumentChange[]
      readonly limit?: WaiverWords['limit']
      readonly people?: WaiverWords['people']
      readonly sentence: string
    }
  | { readonly kind: 'pass'; readonly pass: string; readonly sentence: string; readonly cure: string }
  /** The number of people is not known, and the ID says none. */
  | { readonly kind: 'uncounted'; readonly sentence: string; readonly cure: string }

/** An ID that waits in a plan, and the sentence that says why. */
type WaitingId = { readonly id: string; readonly sentence: string }

/** The ID of the plan first, if guards refuse it or hold its creates; then those of single changes, projects and groups. */
export function idsIn({ fingerprint, refusals, holds }: WaitingPlan): readonly WaitingId[] {
  const plan = waiverId(fingerprint)
  const flood = holds.flatMap((hold) => (floodOf(hold) === undefined ? [] : [hold]))
  const ofPlan = [...refusals, ...flood.slice(0, 1)].map(({ sentence }) => sentence)
  const single = holds.flatMap(({ reason, change, sentence }) => {
    if (reason.kind === 'projectChanged' || reason.kind === 'groupChanged') return [[reason.pass, sentence] as const]
    return reason.kind === 'approval' && reason.why !== 'creates' && change !== undefined ? [[change.id, sentence] as const] : []
  })
  return [
    ...(ofPlan.length === 0 ? [] : [{ id: plan, sentence: ofPlan.join('; ') }]),
    ...[...new Map<string, string>(single)].map(([id, sentence]) => ({ id, sentence })),
  ]
}

/**
 * What `id` approves in this plan; empty if nothing waits under it. The ID of a plan approves what exceeds the limits of the plan, and no single change
 * that waits for another reason.
 *
 * @param id as a plan shows it. Behind it may stand the number of people: `ID:160`
 * @returns `incomplete` if the document lacks some of the changes
 */
export function approvablesOf(plan: WaitingPlan, id: string): readonly Approvable[] | 'incomplete' {
  const [name = '', people] = id.split(':')
  if (isIdOfPlan(name, plan)) return ofPlan(plan)
  const hold = plan.holds.find(({ change, reason }) => nameOf(reason, change?.id) === name)
  return hold === undefined ? [] : ofHold(hold, people)
}

/** Whether the ID is that of the plan, and not of one of its changes. */
export const isIdOfPlan = (id: string, { fingerprint }: Pick<WaitingPlan, 'fingerprint'>): boolean =>
  id.length >= waiverDigits && fingerprint.startsWith(id)

function nameOf(reason: DocumentHold['reason'], id: ChangeId | undefined): string | undefined {
  if (reason.kind === 'projectChanged' || reason.kind === 'groupChanged') return reason.pass
  return reason.kind === 'approval' ? id : undefined
}

function ofPlan({ changes, refusals, holds }: WaitingPlan): readonly Approvable[] | 'incomplete' {
  const known = new Map([...changes, ...holds.flatMap(({ change }) => change ?? [])].map((change) => [change.id, change]))
  const floods = holds.flatMap((hold) => floodOf(hold) ?? [])
  const [first] = floods
  const refused = refusals.map((refusal) => ({ ...refusal, changes: refusal.changes.flatMap((id) => known.get(id) ?? []) }))
  if (refused.some(({ changes }, index) => changes.length < (refusals[index]?.changes.length ?? 0))) return 'incomplete'
  return [
    ...refused.map(({ guard, count, sentence, changes }): Approvable => {
      return { kind: 'words', changes, limit: { guard: guard as GuardName, count }, sentence: `${guard}: ${sentence}` }
    }),
    ...(first === undefined ? [] : [{ ...first, changes: floods.flatMap(({ changes }) => changes) }]),
  ]
}

type Words = Extract<Approvable, { readonly kind: 'words' }>

/** A create that waits because there are too many creates. */
function floodOf({ reason, change, sentence }: DocumentHold): Words | undefined {
  if (reason.kind !== 'approval' || reason.why !== 'creates' || change === undefined) return undefined
  return { kind: 'words', changes: [change], limit: { guard: 'creates', count: reason.count }, sentence }
}

function ofHold(hold: DocumentHold, people: string | undefined): readonly Approvable[] {
  const { reason, change, sentence, cure } = hold
  if ('pass' in reason && reason.kind !== 'approval') return [{ kind: 'pass', pass: reason.pass, sentence, cure }]
  if (reason.kind !== 'approval' || change === undefined) return []
  const flood = floodOf(hold)
  if (flood !== undefined) return [flood]
  if (reason.why !== 'people') return [{ kind: 'words', changes: [change], sentence }]
  const number = people === undefined ? reason.people : people === 'any' ? 'any' : Number(people)
  if (number === undefined)
    return [
      { kind: 'uncounted', sentence, cure: `the number is not known, so only an approval for every number lets it pass: ${reason.pass}` },
    ]
  return [{ kind: 'words', changes: [change], people: number, sentence }]
}

/** The words that the guards compare with a change. */
export const wordsOf = ({ changes, limit, people }: Words): WaiverWords => ({
  changes: changes.map(describedChange),
  ...(limit === undefined ? {} : { limit }),
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
