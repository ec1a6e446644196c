import type { Change } from './change.ts'
import type { Finding } from './finding.ts'
import type { Hold } from './hold.ts'
import type { Later } from './later.ts'
import type { Plan, UnchangedMapping } from './plan.ts'

/** Entries of a plan. */
export type PlanParts = Pick<Plan, 'changes' | 'holds' | 'later' | 'findings'>

/** A plan that lists the mappings which are as declared. */
type Compared = PlanParts & Pick<Plan, 'unchangedMappings'>

/** `added`: what only the second declaration does, or does otherwise. `gone`: what only the first one does. `same`: what both do. */
export type PlanDifference = {
  readonly added: PlanParts
  readonly gone: PlanParts
  readonly same: PlanParts
  /** Mappings that the first declaration wants as they are, and of which the second says nothing any more. */
  readonly left: readonly UnchangedMapping[]
}

/**
 * What a branch changes beside its base, both planned from the same readings at the same moment. An entry is the same if the same happens to the same mapping: the line
 * of its rule, the text of its reason and the number of people do not matter. A set of changes that wait is another set with one more change, since its ID passes all of
 * them: then all of its changes are added.
 *
 * | base                        | branch                      | in            |
 * |-----------------------------|-----------------------------|---------------|
 * | a change is written         | it is written, too          | same          |
 * | a change is written         | it waits                    | added (hold)  |
 * | a change waits              | it is written               | added         |
 * | a change waits              | it waits for another reason | added (hold)  |
 * | a change, written or held   | there is no such change     | gone          |
 * | no such change              | a change, written or held   | added         |
 *
 * Mappings that are held without a change, dates and findings are compared in the same way.
 */
export function planDifference(base: Compared, branch: Compared): PlanDifference {
  const statesOfBase = entriesWithStates(base)
  const isSame = ([name, state]: State) => statesOfBase.get(name) === state
  const [changes, holds, later, findings] = [
    parted(branch.changes, (change) => isSame(changeState(change))),
    parted(branch.holds, (hold) => isSame(holdState(hold))),
    parted(branch.later, (row) => isSame(laterState(row))),
    parted(branch.findings, (finding) => isSame(findingState(finding))),
  ]
  // What only waits for another reason, or waits no more, is among the added entries.
  const named = new Set(entriesWithStates(branch).keys())
  const isGone = ([name]: State) => !named.has(name)
  return {
    added: { changes: changes.others, holds: holds.others, later: later.others, findings: findings.others },
    same: { changes: changes.same, holds: holds.same, later: later.same, findings: findings.same },
    gone: {
      changes: base.changes.filter((change) => isGone(changeState(change))),
      holds: base.holds.filter((hold) => isGone(holdState(hold))),
      later: base.later.filter((row) => isGone(laterState(row))),
      findings: base.findings.filter((finding) => isGone(findingState(finding))),
    },
    left: mappingsLeft(base, branch),
  }
}

function mappingsLeft(
  { unchangedMappings: before = [] }: Compared,
  { unchangedMappings = [], changes, holds }: Compared,
): readonly UnchangedMapping[] {
  const spoken = new Set<string>([
    ...unchangedMappings.map(({ id }) => id),
    ...[...changes, ...holds.flatMap(({ change }) => change ?? [])].flatMap((change) => ('mapping' in change ? [change.mapping] : [])),
  ])
  const keys = new Set(holds.map(({ key }) => key))
  return before.filter(({ id, key }) => !spoken.has(id) && !keys.has(key))
}

/** The name of an entry, and what becomes of it. */
type State = readonly [name: string, state: string]

const entriesWithStates = ({ changes, holds, later, findings }: PlanParts): ReadonlyMap<string, string> =>
  new Map([...changes.map(changeState), ...holds.map(holdState), ...later.map(laterState), ...findings.map(findingState)])

const changeState = ({ id }: Change): State => [id, 'written']

function holdState({ change, key, would, reason }: Hold): State {
  // A set with one more change is another set: its ID passes all of them.
  const why = reason.kind === 'approval' ? [reason.why, 'name' in reason ? [reason.name, reason.pass] : ''] : []
  return [change?.id ?? JSON.stringify(['hold', key, would]), JSON.stringify([reason.kind, why])]
}

const laterState = ({ key, atMs, write, waits }: Later): State => [
  JSON.stringify(['later', key, atMs]),
  JSON.stringify([write, waits === undefined ? '' : waits.kind]),
]

/** A place in a file moves if a line is added above it. */
const findingState = ({ code, place, sentence }: Finding): State => {
  const withoutPlaces = (text: string) => text.replaceAll(/(?<=\.ya?ml):\d+(?::\d+)?/g, '')
  return [JSON.stringify(['finding', code, withoutPlaces(place), withoutPlaces(sentence)]), '']
}

function parted<T>(entries: readonly T[], isSame: (entry: T) => boolean): { readonly same: readonly T[]; readonly others: readonly T[] } {
  const { true: same = [], false: others = [] } = Object.groupBy(entries, (entry) => `${isSame(entry)}`)
  return { same, others }
}

export const isNothing = ({ changes, holds, later, findings }: PlanParts): boolean =>
  [changes, holds, later, findings].every(({ length }) => length === 0)
