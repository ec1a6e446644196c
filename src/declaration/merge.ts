import { type GroupName, keyOf, type WorkspaceName } from '../core/mapping.ts'
import { comparePositions, type Provenance, type Rule, type WorkspaceDeclaration } from '../core/rule.ts'
import type { Part } from './compile.ts'

/** Merges the parts of each workspace into one declaration. Entries are in the order of their places. The parts must not contradict each other. */
export function mergeParts(parts: readonly Part[]): ReadonlyMap<WorkspaceName, WorkspaceDeclaration> {
  const byWorkspace = Map.groupBy(parts, ({ workspace }) => workspace)
  return new Map([...byWorkspace].map(([workspace, mine]) => [workspace, mergeWorkspace(workspace, mine)]))
}

function mergeWorkspace(workspace: WorkspaceName, parts: readonly Part[]): WorkspaceDeclaration {
  const [first, ...others] = inPlaces(parts.flatMap(({ groupSync }) => groupSync ?? []))
  return {
    workspace,
    owns: new Set(parts.flatMap(({ owns }) => owns)),
    rules: withoutRepeats(workspace, inPlaces(parts.flatMap(({ rules }) => rules.map(({ what }) => what)))),
    removed: inPlaces(parts.flatMap(({ removed }) => removed.map(({ what }) => what))),
    unmanaged: inPlaces(parts.flatMap(({ unmanaged }) => unmanaged.map(({ what }) => what))),
    ...(first === undefined
      ? {}
      : {
          groupSync: {
            wanted: others.reduce((sofar, { wanted }) => Object.assign(sofar, wanted), { ...first.wanted }),
            because: first.because,
          },
        }),
  }
}

const inPlaces = <T extends { readonly because: Provenance }>(said: readonly T[]): T[] =>
  said.toSorted((a, b) => comparePositions(a.because.at, b.because.at))

/**
 * Merges exact rules of one key with the same `from` into one: the rule that expires last. If several expire last, a rule that allows a
 * protected role is taken, or else the first. Every `previously` is kept: the result has the rule once for each old name.
 */
function withoutRepeats(workspace: WorkspaceName, rules: readonly Rule[]): Rule[] {
  const best = new Map<string | Rule, Rule>()
  const before = new Map<string | Rule, Set<GroupName>>()
  for (const rule of rules) {
    const { groups, target } = rule
    const key =
      groups.kind === 'exact' && target.kind === 'fixed'
        ? `${rule.from?.join(' ') ?? ''} ${keyOf(workspace, target.target, groups.name)}`
        : rule
    const sofar = best.get(key)
    if (sofar === undefined || outlasts(rule, sofar)) best.set(key, rule)
    if (rule.previously !== undefined) before.set(key, (before.get(key) ?? new Set()).add(rule.previously))
  }
  return [...best].flatMap(([key, rule]) => {
    const names = before.get(key)
    return names === undefined ? [rule] : [...names].map((previously) => ({ ...rule, previously }))
  })
}

function outlasts(rule: Rule, other: Rule): boolean {
  const untilMs = rule.expiresMs ?? Number.POSITIVE_INFINITY
  const otherUntilMs = other.expiresMs ?? Number.POSITIVE_INFINITY
  return untilMs > otherUntilMs || (untilMs === otherUntilMs && rule.allowProtected && !other.allowProtected)
}
