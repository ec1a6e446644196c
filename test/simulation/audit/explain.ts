import { type DeclaredWorkspace, keyOf, owns, type Place, ruleOf, wasOwned } from '../declared.ts'
import type { Spec } from '../spec.ts'
import type { Happened } from '../trace.ts'
import { type Allowance, describes } from './approvals.ts'
import type { InForce } from './inForce.ts'
import type { Known } from './measure.ts'
import { type Fail, protectedRoles } from './violation.ts'
import { gaveUntil, isAskedFor, isFrozen, mayEndWhileHeld, vouchedFor, wanted } from './wanted.ts'
import type { Write } from './write.ts'

/** The readings that a process has when it writes. */
export type Told = {
  /** The versions of the declaration that were on disk while it read them. */
  readonly versions: readonly number[]
  readonly directories: readonly Extract<Happened, { is: 'directory' }>[]
  /** See `Clocks.dates`: in at least one of these lists, each date must allow the write. */
  readonly dates: readonly (readonly number[])[]
  /** All these dates. */
  readonly moments: readonly number[]
  /** Projects that can be written to as far as is known. A replacement in another project may have to wait. */
  readonly projects: readonly string[]
  /** Whether the name of a group has belonged to several groups. A grant to such a group may wait, and no delete waits for it. */
  readonly hasChanged: (group: string) => boolean
  /** The approvals of exactly this change. */
  readonly approvals: readonly Allowance[]
  readonly policy: Spec['policy']
  /** Whether the mapping may be ours, as far as the process knows. */
  readonly mayBeOurs: boolean
  /** See `Skips.of`. */
  readonly skips: (declared: DeclaredWorkspace) => readonly boolean[]
}

/** Checks that a reading of the process asks for this write, and that nothing forbids it. */
export function explain(write: Write, told: Told, spec: Judged, known: Known | undefined, fail: Fail): void {
  const { workspace, does, before } = write
  if (!(workspace in spec.rows)) return fail('owned', 'not a workspace of the settings')
  if (told.policy === 'observe' || spec.suspend === true) fail('guards', 'written although nothing may be')
  if (does !== 'create' && before === undefined) return fail('reading', 'a row that the process was not told of')
  if (does !== 'patch' && write.listing?.whole !== true) fail('reading', 'rests on a list that was not read whole')
  const versions = told.versions.flatMap((version) => declaredIn(spec, version, workspace) ?? [])
  const earlier = Array.from({ length: Math.max(0, ...told.versions) + 1 }, (_, one) => declaredIn(spec, one, workspace) ?? [])
  const facts = { ...told, earlier: earlier.flat() }
  const againstAll = (declared: DeclaredWorkspace, dates: readonly number[], skips: boolean, isOurs: boolean) =>
    dates.map((nowMs) => against(write, declared, { ...facts, mayBeOurs: isOurs }, nowMs, skips)).find((reason) => reason !== undefined)
  const reasonsIf = (isOurs: boolean) =>
    versions.flatMap((declared) =>
      told.skips(declared).flatMap((skips) => told.dates.map((dates) => againstAll(declared, dates, skips, isOurs))),
    )
  const reasons = reasonsIf(told.mayBeOurs)
  if (!reasons.includes(undefined)) {
    if (reasonsIf(true).includes(undefined)) fail('ours', 'it is not ours')
    else fail('declared', reasons[0] ?? 'without a declaration')
  }
  const heirs = versions.map((declared) => missingHeir(write, declared, told, known))
  if (heirs.length > 0 && !heirs.includes(undefined)) fail('declared', `${heirs[0]} replaces it, and is not there`)
}

/** Before a delete, the mapping that replaces it must exist. Returns the replacement that is missing. */
function missingHeir(
  { does, before, listing }: Write,
  declared: DeclaredWorkspace,
  { directories, moments, projects, hasChanged }: Told,
  known: Known | undefined,
): string | undefined {
  if (does !== 'delete' || before === undefined || known === undefined || before.at === 'workspace') return undefined
  // If a key has two mappings, one of them stays.
  if (isDouble(before, listing?.rows ?? [])) return undefined
  const { group } = before
  if (hasChanged(group)) return undefined
  const knowing = directories.filter(({ names }) => names.includes(group)).length
  const others = (before.at === '*' ? projects : ['*']).filter((at) => at !== before.at)
  const wantsHeir = (at: string) => moments.every((nowMs) => wanted(declared, { group, at }, { known: knowing === 1, nowMs }).is === 'role')
  const missing = others.find((at) => wantsHeir(at) && ![...known.values()].some((row) => row.group === group && row.at === at))
  return knowing === 1 && !group.includes(escape) && missing !== undefined ? `${missing} ${group}` : undefined
}
const escape = String.fromCharCode(27)

/** The declaration of one workspace. With fences, `number` is that of a declaration in force. */
export const declaredIn = ({ versions, inForce }: Judged, number: number, workspace: string): DeclaredWorkspace | undefined =>
  (inForce?.at(number) ?? versions[number]?.declared.workspaces)?.find(({ name }) => name === workspace)

/** A world, and with fences the declarations that are in force. */
export type Judged = Spec & { readonly inForce?: InForce }

/** Why one version of the declaration does not ask for a write; undefined if it does. `earlier`: all versions until then. */
function against(
  write: Write,
  declared: DeclaredWorkspace,
  { directories, approvals, policy, mayBeOurs, earlier }: Told & { readonly earlier: readonly DeclaredWorkspace[] },
  nowMs: number,
  skips: boolean,
): string | undefined {
  const { does, before, after, listing } = write
  const isKnown = (group: string) => directories.some(({ names }) => names.includes(group))
  const isListed = (place: Place) => listing?.rows.some((row) => keyOf(row) === keyOf(place)) === true
  const factsOf = (place: Place) => ({
    ...{ known: isKnown(place.group), nowMs, skips, mapped: isListed(place) },
    groupMapped: listing?.rows.some(({ group }) => group === place.group) === true,
  })
  const wish = (place: Place) => wanted(declared, place, factsOf(place))
  const deletes = policy === 'exclusive' || (policy === 'sync' && mayBeOurs)
  const isOwned = owns(declared, after ?? before ?? { group: '', at: 'workspace' })
  if (before !== undefined && wish(before).is === 'unmanaged') return 'it is unmanaged'
  if (after === undefined) {
    if (before === undefined) return 'nobody knows what'
    const { is } = wish(before)
    if (is === 'unknown' && mayEndWhileHeld(declared, before, factsOf(before))) return undefined
    if (is === 'unknown' && earlier.some((one) => gaveUntil(one, before, nowMs)) && !isAskedFor(declared, before, nowMs)) return undefined
    const mayTidy = deletes && (isOwned || (mayBeOurs && wasOwned(declared, before)))
    return againstDelete(before, listing?.rows ?? [], is, mayTidy, !isFrozen(declared))
  }
  const want = wish(after)
  if (!isOwned) return 'its key is not owned'
  if (want.is !== 'role') return `its key is ${want.is}`
  if (want.role !== after.role) return `the declaration says ${want.role}`
  if (directories.some(({ whole }) => !whole)) return 'a directory was not read whole'
  const isApproved =
    approvals.some(({ untilMs }) => nowMs < untilMs) ||
    waiversIn(declared).some((one) => nowMs < one.untilMs && describes(one, write, idsIn(directories, write)))
  if (protectedRoles.has(after.role) && !isApproved && (after.at === '*' || !vouchedFor(declared, after, isKnown(after.group), nowMs)))
    return 'grants a protected role that nobody allowed'
  if (does === 'create' && isListed(after)) return 'the key is there already'
  if (does === 'rename' && before !== undefined && ['role', 'unknown'].includes(wish(before).is))
    return 'a rule speaks of the old name itself'
  if (does === 'rename' && ruleOf(declared, after)?.previously !== before?.group) return 'nobody said that it was called so'
  if (does === 'patch' && before?.role === after.role) return 'nothing would change'
  return policy === 'create-only' && does !== 'create' ? 'the policy only creates' : undefined
}

/** The approvals and waivers that describe the change, also those that have ended since the plan was judged. */
export function allowancesOf(write: Write, { approvals, directories, versions }: Told, spec: Judged): readonly Allowance[] {
  const declared = versions.flatMap((one) => declaredIn(spec, one, write.workspace) ?? [])
  const ids = idsIn(directories, write)
  return [...approvals, ...declared.flatMap(waiversIn).filter((one) => describes(one, write, ids))]
}

const idsIn = (directories: Told['directories'], { after }: Write): readonly string[] =>
  directories.flatMap(({ names, ids }) => names.flatMap((name, index) => (name === after?.group ? (ids[index] ?? []) : [])))

const waiversIn = ({ name: workspace, waivers = [], teams = [] }: DeclaredWorkspace): readonly Allowance[] =>
  [...waivers, ...teams.flatMap((team) => (team.waivers ?? []).map((one) => ({ ...one, fenced: true as const })))].map(
    ({ until, ...one }) => ({ ...one, workspace, untilMs: Date.parse(until) }),
  )

/**
 * Under `exclusive` a duplicate of a declared mapping is deleted. So is an undeclared mapping, if the whole declaration was read. Under `sync` each of them
 * is deleted if it is ours.
 *
 * @param mayTidy the policy deletes the mapping, and the declaration owns its list
 */
function againstDelete(
  before: Place,
  rows: readonly Place[],
  is: ReturnType<typeof wanted>['is'],
  mayTidy: boolean,
  isWhole: boolean,
): string | undefined {
  const isTidied = (is === 'undeclared' && isWhole) || (is === 'role' && isDouble(before, rows))
  return is === 'absent' || (mayTidy && isTidied) ? undefined : `its key is ${is}`
}

const isDouble = (place: Place, rows: readonly Place[]): boolean => rows.filter((row) => keyOf(row) === keyOf(place)).length > 1
