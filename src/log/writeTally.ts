import type { Change, ChangeId } from '../core/change.ts'
import type { Hold } from '../core/hold.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import type { Outcome } from '../core/outcome.ts'
import type { WritingStep } from '../cycle/apply.ts'
import type { WriteCounts } from '../render/progressText.ts'

/**
 * All changes of an apply by their last known state, over all workspaces, slices and rounds. A change is counted once, so the total and the number of
 * written changes never decrease.
 */
type WriteTally = {
  add(workspace: WorkspaceName, step: WritingStep): void
  counts(): WriteCounts
  /** What is still to be written in each workspace. */
  remaining(): readonly Remaining[]
}

/**
 * `now`: the changes that the present round still writes, in the order of writing. `hasCreated`: it has created a mapping. `waiting`: changes in
 * quarantine, which the next round writes; `untilMs`: the end of the last of these waits.
 */
type Remaining = {
  readonly workspace: WorkspaceName
  readonly now: readonly Change[]
  readonly hasCreated: boolean
  readonly waiting: readonly Change[]
  readonly untilMs: number
}

/** `dropped`: it may not be written in this round, and no later round is certain to write it. */
type State = { readonly kind: 'todo' | 'dropped' | Outcome['kind'] } | { readonly kind: 'waiting'; readonly untilMs: number }
type Counted = { readonly change: Change; readonly state: State }
type Tallied = { readonly changes: Map<ChangeId, Counted>; hasCreated: boolean }

export function openWriteTally(): WriteTally {
  const tallies = new Map<WorkspaceName, Tallied>()
  const numbers: Record<State['kind'], number> = { todo: 0, waiting: 0, dropped: 0, done: 0, unknown: 0, refused: 0, notSent: 0 }

  function set({ changes }: Tallied, change: Change, state: State): void {
    const before = changes.get(change.id)?.state.kind
    if (before === 'done') return
    changes.set(change.id, { change, state })
    if (before !== undefined) numbers[before]--
    numbers[state.kind]++
  }

  function drop(tallied: Tallied, kinds: readonly State['kind'][]): void {
    for (const { change, state } of tallied.changes.values()) if (kinds.includes(state.kind)) set(tallied, change, { kind: 'dropped' })
  }

  function hold(tallied: Tallied, { change, reason, untilMs }: Hold): void {
    if (change === undefined) return
    const waits = reason.kind === 'quarantined' && untilMs !== undefined
    // Only a hold that ends by itself within this command belongs to the changes that may be written.
    if (waits) set(tallied, change, { kind: 'waiting', untilMs })
    else if (tallied.changes.has(change.id)) set(tallied, change, { kind: 'dropped' })
  }

  return {
    add(workspace, step) {
      const tallied = tallies.get(workspace) ?? { changes: new Map(), hasCreated: false }
      tallies.set(workspace, tallied)
      switch (step.kind) {
        case 'begins':
          drop(tallied, ['todo', 'waiting'])
          tallied.hasCreated = false
          for (const change of step.plan.changes) set(tallied, change, { kind: 'todo' })
          for (const planHold of step.plan.holds) hold(tallied, planHold)
          return
        case 'tried': {
          const { change, outcome } = step.result
          set(tallied, change, { kind: outcome.kind })
          if (outcome.kind === 'notSent' && outcome.hold !== undefined) hold(tallied, outcome.hold)
          if (change.action === 'create' && outcome.kind === 'done') tallied.hasCreated = true
          return
        }
        case 'held':
          return hold(tallied, step.hold)
        case 'ends':
          return drop(tallied, ['todo'])
        default:
          return step satisfies never
      }
    },
    counts: () => ({
      written: numbers.done,
      total: Object.values(numbers).reduce((sum, number) => sum + number, 0),
      workspaces: [...tallies.values()].reduce((sum, { changes }) => sum + (changes.size > 0 ? 1 : 0), 0),
      unknown: numbers.unknown,
      refused: numbers.refused,
      notSent: numbers.notSent,
    }),
    remaining: () =>
      [...tallies].map(([workspace, { changes, hasCreated }]) => {
        const waits = [...changes.values()].flatMap(({ change, state }) => (state.kind === 'waiting' ? [{ change, ...state }] : []))
        return {
          workspace,
          hasCreated,
          now: [...changes.values()].flatMap(({ change, state }) => (state.kind === 'todo' ? [change] : [])),
          waiting: waits.map(({ change }) => change),
          untilMs: waits.reduce((last, { untilMs }) => Math.max(last, untilMs), 0),
        }
      }),
  }
}
