import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Change, ChangeId } from '../core/change.ts'
import type { HoldKind } from '../core/hold.ts'
import { bareId, partsOfId } from '../core/idWithPeople.ts'
import { grantsProtected } from '../core/judge/guards.ts'
import { namesPlan } from '../core/judge/waivers.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import { type LastApplied, leftBy, writtenMax } from '../core/memory/lastApplied.ts'
import type { Memory } from '../core/memory/memory.ts'
import type { Plan } from '../core/plan.ts'
import { counted } from '../core/quantity.ts'
import type { RoleSettings } from '../core/roles.ts'
import { visible } from '../core/safeName.ts'
import type { Waiver } from '../core/waiver.ts'
import type { CycleReport } from '../cycle/cycleReport.ts'
import type { SentLeft, SentReview } from '../documents/daemonOrder.ts'
import { grantsText } from '../render/counts.ts'
import type { Terminal } from './command.ts'

/**
 * Whether a plan may be written, because it is the reviewed plan and would write no more than was shown.
 *
 * @param waived the waivers that let changes of the plan pass, also those of other people
 */
export type IsReviewed = (plan: Plan, waived: readonly Waiver[]) => boolean

/**
 * How a change stood in the reviewed plan. `approval`: it waited for the approval of the plan or of the change. `set`: it waited with others, for the approval
 * of the set, too. `people`: it waited for the approval of a number of people. `requires`: a change that it requires waited. `held`: it waited for another
 * reason, which no approval ends.
 */
export type Shown = 'written' | 'approval' | 'set' | 'people' | 'requires' | 'held'

/** The plan of a workspace as a person saw it: its fingerprint, how each of its changes stood, and up to when it says what dates will change. */
export type ReviewedPlan = { readonly fingerprint: string; readonly shown: ReadonlyMap<string, Shown>; readonly laterUntilMs: number }

/**
 * A plan may be written if it has the reviewed fingerprint, which covers all of its changes, also those that wait. A change that waited in the review is
 * written only if `--allow` names the approval for which it waited. An edit of the declaration, of the settings or of the guards, or an approval of another
 * person, may let other such changes pass. Then nothing is written.
 *
 * @param seen the reviewed plan for the workspace of this plan; undefined if none was reviewed
 */
export function reviewedBy(seen: (plan: Plan) => ReviewedPlan | undefined, waivers: readonly Waiver[]): IsReviewed {
  const names = waivers.flatMap(({ ids }) => ids)
  return (plan, waived) => {
    const then = seen(plan)
    if (then === undefined || then.fingerprint !== plan.fingerprint) return false
    const planned = new Map(plan.changes.map((change) => [change.id, change]))
    const byName = waived.filter(({ used = [] }) => used.some((name) => names.includes(name)))
    const passed = new Set(byName.flatMap(({ ids }) => ids.map(bareId)))
    const mayPass = (change: Change | undefined): boolean => {
      switch (change && then.shown.get(change.id)) {
        case 'written':
          return true
        case 'approval':
          return names.some((name) => namesPlan(name, plan) || bareId(name) === change?.id)
        case 'set':
          return change !== undefined && passed.has(change.id)
        case 'people':
          return names.some((name) => partsOfId(name).people !== undefined && bareId(name) === change?.id)
        case 'requires':
          return change?.requires.every((id) => mayPass(planned.get(id))) === true
        default:
          return false
      }
    }
    return plan.changes.every(mayPass)
  }
}

/** A plan as a person sees it before it is written. */
export function reviewOf(plan: Plan): ReviewedPlan {
  const writes = writesOf(plan)
  const held = plan.holds.flatMap(({ change, reason }): [ChangeId, Shown][] =>
    change === undefined ? [] : [[change.id, writes.has(change.id) ? 'written' : shownAs(reason)]],
  )
  return {
    fingerprint: plan.fingerprint,
    laterUntilMs: plan.laterUntilMs,
    shown: new Map([...plan.changes.map(({ id }) => [id, 'written'] as const), ...held]),
  }
}

/** How a held change stands. */
export function shownAs({ kind, why }: { readonly kind: string; readonly why?: string }): Shown {
  if (kind === 'requires') return 'requires'
  if (kind !== 'approval') return 'held'
  return why === 'people' ? 'people' : why === 'limit' ? 'set' : 'approval'
}

/** What a person is asked before these plans are written; undefined if they write nothing. */
export function questionOf(plans: readonly Plan[], roles: RoleSettings): string | undefined {
  const count = plans.reduce((sum, plan) => sum + writesOf(plan).size, 0)
  if (count === 0) return undefined
  const grants = plans.reduce((sum, plan) => sum + protectedWritesOf(plan, roles), 0)
  return `${writeQuestion(plans)}${grantsText(grants)}? Type "yes" to write: `
}

/** Asks the person at the terminal. */
export async function agrees(question: string, terminal: Pick<Terminal, 'ask' | 'err'>, signal: AbortSignal): Promise<boolean> {
  const answer = await terminal.ask(question, signal)
  if (answer?.trim() === 'yes') return true
  terminal.err(answer === undefined ? 'Nothing was written.\n' : 'Nothing was written: only "yes" writes.\n')
  return false
}

/** The plans of a report that may be written: neither stale ones nor those in the place of a plan that was written before. */
export const judgedPlansOf = ({ workspaces }: CycleReport): readonly Plan[] =>
  workspaces.flatMap((workspace) => (workspace.kind === 'judged' && workspace.isWrittenBefore !== true ? [workspace.judged.plan] : []))

/** The ids of the changes that a plan would write now or after a quarantine. It also has the ids of the held changes that require only such changes. */
export function writesOf({ changes, holds }: Plan): ReadonlySet<ChangeId> {
  const held = (kind: HoldKind) => holds.flatMap(({ change, reason }) => (change !== undefined && reason.kind === kind ? [change] : []))
  const sooner = new Set([...changes, ...held('quarantined')].map(({ id }) => id))
  const later = held('requires').filter(({ requires }) => requires.every((id) => sooner.has(id)))
  return new Set([...sooner, ...later.map(({ id }) => id)])
}

/** How many of the changes in `writesOf` give a group a protected role. */
function protectedWritesOf(plan: Plan, roles: RoleSettings): number {
  const writes = writesOf(plan)
  const allChanges = [...plan.changes, ...plan.holds.flatMap(({ change }) => (change === undefined ? [] : [change]))]
  return allChanges.filter((change) => writes.has(change.id) && grantsProtected(change, roles)).length
}

/** `Write 16 changes`; `Delete 16 mappings` if nothing else is written. */
export function writeQuestion(plans: readonly Plan[]): string {
  const actions = plans.flatMap((plan) => {
    const writes = writesOf(plan)
    const allChanges = [...plan.changes, ...plan.holds.flatMap(({ change }) => change ?? [])]
    return allChanges.flatMap(({ id, action }) => (writes.has(id) ? [action] : []))
  })
  const isDelete = actions.every((action) => action === 'delete')
  return isDelete ? `Delete ${counted(actions.length, 'mapping')}` : `Write ${counted(actions.length, 'change')}`
}

const letters = { written: 'w', approval: 'a', set: 's', people: 'p', requires: 'r', held: 'h' } as const satisfies Record<Shown, string>
const shownBy = new Map(Object.entries(letters).map(([shown, letter]) => [letter as string, shown as Shown]))

/**
 * A reviewed plan as an order carries it: one letter for each change, in the order of their ids. The ids are not part of it, because the daemon has the
 * same plan. So an order stays small however many changes wait.
 */
export function sentReview(workspace: WorkspaceName, { fingerprint, laterUntilMs, shown }: ReviewedPlan): SentReview {
  const sorted = [...shown.keys()].toSorted()
  const text = sorted.map((id) => letters[shown.get(id) as Shown]).join('')
  return { workspace, fingerprint, laterUntilMs, changes: digestOf(sorted), shown: deflateRawSync(text).toString('base64') }
}

/** The reviewed plan again. @param plan with the same fingerprint @returns undefined if this plan does not have the same changes */
export function reviewSent({ fingerprint, laterUntilMs, changes, shown }: SentReview, plan: Plan): ReviewedPlan | undefined {
  const sorted = [...reviewOf(plan).shown.keys()].toSorted()
  if (digestOf(sorted) !== changes) return undefined
  const text = inflated(shown, sorted.length)
  return { fingerprint, laterUntilMs, shown: new Map(sorted.map((id, index) => [id, shownBy.get(text[index] ?? '') ?? 'held'])) }
}

function inflated(base64: string, lengthMax: number): string {
  try {
    return inflateRawSync(Buffer.from(base64, 'base64'), { maxOutputLength: Math.max(1, lengthMax) }).toString('latin1')
  } catch {
    return ''
  }
}

/** Bytes of a digest of one state. A wrong match only leaves something unwritten, and 2,000 states and a match by chance in ten million orders are few. */
const stateBytes = 6

const stateDigest = ({ key, role }: Pick<LastApplied, 'key' | 'role'>): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([key, role ?? null]))
    .digest()
    .subarray(0, stateBytes)

/**
 * What the changes of saved plans leave, as an order carries it. A plan is left out if the memory cannot show that all of it was written: it has a change of
 * the settings, or more changes than the memory keeps.
 */
export function sentLeft(saved: ReadonlyMap<WorkspaceName, readonly Change[]>): SentLeft {
  let sum = 0
  return [...saved].flatMap(([workspace, changes]) => {
    const states = leftBy(changes)
    if (states === undefined || sum + states.length > writtenMax) return []
    sum += states.length
    return [{ workspace, states: Buffer.concat(states.map(stateDigest)).toString('base64') }]
  })
}

/**
 * Whether the journal shows that this program wrote all changes of a saved plan, and nothing is to do for their keys now. Then the saved plan is not stale: a
 * job that applies one file twice has nothing to repair.
 */
export function writtenBefore(left: SentLeft | undefined, memory: () => Pick<Memory, 'lastApplied'>): (plan: Plan) => boolean {
  const sent = new Map(left?.map(({ workspace, states }) => [workspace, Buffer.from(states, 'base64')]))
  return ({ workspace, changes, holds }) => {
    const bytes = sent.get(workspace)
    if (bytes === undefined || bytes.length === 0) return false
    const open = new Set([...changes, ...holds].map(({ key }) => key))
    const shown = new Set(memory().lastApplied.flatMap((state) => (open.has(state.key) ? [] : stateDigest(state).toString('hex'))))
    for (let at = 0; at < bytes.length; at += stateBytes) if (!shown.has(bytes.subarray(at, at + stateBytes).toString('hex'))) return false
    return true
  }
}

/** For each workspace whose saved plan was written before: that this is so. */
export const writtenBeforeText = ({ workspaces }: CycleReport): string =>
  workspaces
    .flatMap((workspace) =>
      workspace.kind === 'judged' && workspace.isWrittenBefore === true
        ? visible(`${workspace.workspace}: already as planned: the journal shows that this program wrote all changes of the saved plan`)
        : [],
    )
    .map((line) => `${line}\n`)
    .join('')

const digestOf = (ids: readonly string[]): string => createHash('sha256').update(ids.join(' ')).digest('hex')
