import {
  type DeclaredWorkspace,
  hasEnded,
  isOfGone,
  owns as isOwned,
  keyOf,
  namedTargets,
  type Place,
  ruleOf,
  rulesOf,
  statementsOf,
} from '../declared.ts'
import type { Holding } from '../projects.ts'
import type { StoredRow } from '../service.ts'
import type { Spec } from '../spec.ts'
import { mayBeHeld } from './disturbed.ts'
import { protectedRoles } from './violation.ts'
import { isFrozen, mayBeShown, vouchedFor, wanted } from './wanted.ts'

/** The state at the end of a world, after the faults. */
export type End = {
  readonly directories: ReadonlyMap<string, ReadonlySet<string>>
  readonly rows: (workspace: string) => readonly StoredRow[]
  readonly holdings: (workspace: string) => readonly Holding[]
  /** Keys on which the program reports that it has given up against another writer, by workspace. */
  readonly given: ReadonlySet<string>
  readonly nowMs: number
  /** The begin of the last cycle that ended. */
  readonly lastCycleMs: number
  /** The policy in force at the end. */
  readonly policy: Spec['policy']
  /** The declaration in force. */
  readonly declared: readonly DeclaredWorkspace[]
}

/**
 * One sentence for each difference from the last declaration. A rule may end while the last cycle runs, so a difference counts only if it is one both
 * at the begin of that cycle and now.
 */
export function unsettled(spec: Spec, end: End): readonly string[] {
  const before = new Set(differences(spec, { ...end, nowMs: end.lastCycleMs }).map(({ where }) => where))
  return differences(spec, end).flatMap(({ where, what }) => (before.has(where) ? [`${where}: ${what}`] : []))
}

function differences(spec: Spec, end: End): readonly { readonly where: string; readonly what: string }[] {
  const { suspend, echo, duplicates, journal } = spec
  const { policy } = end
  if (policy === 'observe' || suspend !== false) return []
  return end.declared.flatMap((one) => {
    const rows = end.rows(one.name)
    const rules = rulesOf(one)
    const identifiers = [...end.holdings(one.name).map(({ identifier }) => identifier), ...statementsOf(one).flatMap(({ names }) => names)]
    const projects = [...new Set(identifiers)]
    const held = new Set(projects.filter((identifier) => mayBeHeld(spec, one, end.holdings(one.name), identifier)))
    const named = [
      ...[...end.directories.values()].flatMap((groups) => [...groups]),
      ...rows.map(({ group }) => group),
      ...rules.flatMap((rule) => ('group' in rule ? rule.group : [])),
    ]
    const places = [...new Set(named)].flatMap((group) => ['workspace', '*', ...projects].map((at): Place => ({ group, at })))
    // The replacement of a deleted mapping may wait for an approval, or be a rename that the policy holds. Then the delete waits with it.
    const tidies = !rules.some((rule) => protectedRoles.has(rule.role) || (policy === 'create-only' && 'previously' in rule))
    return places.flatMap((place) => {
      const here = rows.filter((row) => keyOf(row) === keyOf(place)).map(({ role }) => role)
      const why = end.given.has(`${one.name} ${keyOf(place)}`)
        ? undefined
        : wrongAt(one, place, here, { ...end, policy, echo, duplicates, tidies, all: rows, held, journal })
      return why === undefined ? [] : [{ where: `${one.name} ${keyOf(place)}`, what: `${why}; there: ${here.join(', ') || 'none'}` }]
    })
  })
}

type Surroundings = End &
  Pick<Spec, 'echo' | 'duplicates' | 'journal'> & { readonly tidies: boolean; readonly all: readonly StoredRow[] } & {
    /** Projects for which the program may hold all changes. */
    readonly held: ReadonlySet<string>
  }

function wrongAt(
  one: DeclaredWorkspace,
  place: Place,
  here: readonly string[],
  { directories, nowMs, policy, echo, duplicates, tidies, all, held, journal }: Surroundings,
): string | undefined {
  if (held.has(place.at)) return undefined
  /** Whether the group has a right in a project that can no longer be identified. */
  const isElsewhere = statementsOf(one).some(({ at, rule }) => {
    if (rule === undefined) return false
    return at(place.group).some((one) => held.has(one)) || ('group' in rule && rule.previously === place.group && held.has(rule.at))
  })
  const owns = isOwned(one, place)
  const knowing = [...directories.values()].filter((groups) => groups.has(place.group)).length
  const there = here.length > 0
  const want = wanted(one, place, { known: knowing > 0, nowMs, mapped: there })
  // The policy holds the raise of a mapping that covers the project, too. Then the delete waits with it.
  const mayReplace = ({ group, at }: Place) =>
    group === place.group && at !== 'workspace' && place.at !== 'workspace' && (at === '*') !== (place.at === '*')
  // So does the delete wait while the service shows a lower role for the one that was sent to that mapping.
  const waitsForRaise = all.some((row) => mayReplace(row) && (policy === 'create-only' || (echo && row.role === 'contributor')))
  if (want.is === 'absent') return there && tidies && !waitsForRaise && !(place.at === '*' && isElsewhere) ? 'should be gone' : undefined
  if (want.is === 'undeclared' && journal !== 'none' && mayBeClipped(one, place, nowMs)) return undefined
  if (want.is === 'undeclared')
    return there && tidies && owns && !isFrozen(one) && policy === 'exclusive' && !waitsForRaise && !isElsewhere && !mayBeTaken(one, place)
      ? 'is undeclared, under exclusive'
      : undefined
  // A name in two directories is ambiguous. A name with control characters is not sent.
  if (want.is !== 'role' || !owns || knowing > 1 || place.group.includes(String.fromCharCode(27))) return undefined
  // With fences, a pattern may hold it to which another mapping shows the group.
  const isShownElsewhere = knowing === 0 && !there && all.some((row) => row.group === place.group)
  if (isShownElsewhere && mayBeShown(one, place, nowMs)) return undefined
  if (protectedRoles.has(want.role) && (place.at === '*' || !vouchedFor(one, place, knowing > 0, nowMs))) return undefined
  if (!there) {
    // A rename is not a create. If two rules name the same old mapping, one waits for the other.
    const old = ruleOf(one, place)?.previously
    return all.some((row) => row.group === old && row.at === place.at) ? undefined : `should be ${want.role}`
  }
  if (policy === 'create-only') return undefined
  // Two projects had the identifier one after the other. The service changes neither of their mappings, and only `exclusive` deletes one.
  if (policy !== 'exclusive' && duplicates !== undefined && here.length > 1) return undefined
  const isRight = (role: string) => role === want.role || (echo && want.role === 'member' && role === 'contributor')
  return here.every(isRight) ? undefined : `should be ${want.role}`
}

/** Whether a rule names this mapping as `previously`, and possibly cannot take it over yet. */
const mayBeTaken = (one: DeclaredWorkspace, { group, at }: Place): boolean =>
  rulesOf(one).some((rule) => 'group' in rule && rule.previously === group && rule.at === at)

/**
 * Whether a file that is gone may have given the mapping, and a pattern names it that only the fence of its file keeps from it. For the program the file may
 * have been moved.
 */
const mayBeClipped = (one: DeclaredWorkspace, place: Place, nowMs: number): boolean =>
  isOfGone(one, place) &&
  rulesOf(one).some(
    (rule) =>
      rule.inside !== undefined && !('group' in rule) && !hasEnded(rule, nowMs) && namedTargets(rule, place.group).includes(place.at),
  )
