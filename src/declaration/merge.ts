import type { GroupSync } from '../core/groupSync.ts'
import { type GroupName, keyOf, type WorkspaceName } from '../core/mapping.ts'
import { comparePositions, type DeclaredSettings, type Provenance, type Rule, type WorkspaceDeclaration } from '../core/rule.ts'
import type { Part } from './compile.ts'

/** Merges the parts of each workspace into one declaration. Entries are in the order of their places. Entries that contradict each other all stay. */
export function mergeParts(parts: readonly Part[]): ReadonlyMap<WorkspaceName, WorkspaceDeclaration> {
  const byWorkspace = Map.groupBy(parts, ({ workspace }) => workspace)
  return new Map([...byWorkspace].map(([workspace, ofWorkspace]) => [workspace, mergeWorkspace(workspace, ofWorkspace)]))
}

function mergeWorkspace(workspace: WorkspaceName, parts: readonly Part[]): WorkspaceDeclaration {
  const groupSync = mergeGroupSync(
    inPlaces(
      parts.flatMap(({ groupSync: stated, ownsKeys }) => (stated === undefined ? [] : [{ ...stated, fenced: ownsKeys !== undefined }])),
    ),
  )
  const ownsKeys = inPlaces(parts.flatMap((part) => part.ownsKeys ?? []))
  const waivers = inPlaces(
    parts.flatMap(({ waivers, ownsKeys }) =>
      ownsKeys === undefined ? waivers : waivers.map((waiver) => ({ ...waiver, fenced: true as const })),
    ),
  )
  return {
    workspace,
    owns: new Set(parts.flatMap(({ owns }) => owns)),
    ...(ownsKeys.length === 0 ? {} : { ownsKeys }),
    rules: withoutRepeats(workspace, inPlaces(parts.flatMap(({ rules }) => rules.map(({ what }) => what)))),
    removed: inPlaces(parts.flatMap(({ removed }) => removed.map(({ what }) => what))),
    unmanaged: inPlaces(parts.flatMap(({ unmanaged }) => unmanaged.map(({ what }) => what))),
    ...(groupSync && { groupSync }),
    ...(waivers.length === 0 ? {} : { waivers }),
  }
}

const inPlaces = <T extends { readonly because: Provenance }>(stated: readonly T[]): T[] =>
  stated.toSorted((a, b) => comparePositions(a.because.at, b.because.at))

/**
 * Merges exact rules of one key with the same `from`. Rules that say different things about unknown groups or projects stay: each of them gives the
 * role on its own terms. So do rules that contradict each other. Of the others, a rule whose whole time lies in the time of another one is left out. Of
 * rules with the same time, one that allows a protected role is taken, or else the first. All rules of the key get its one label, and every `previously`
 * is kept: the result has a rule once for each old name, its own and those of the rules that it stands for.
 */
function withoutRepeats(workspace: WorkspaceName, rules: readonly Rule[]): Rule[] {
  const byKey = Map.groupBy(rules, (rule) => {
    const { groups, target, fenced, because } = rule
    const isExact = groups.kind === 'exact' && target.kind === 'fixed'
    // Two files inside fences that name one key may contradict each other: then the key is held.
    const owner = fenced === true ? because.at.file : ''
    return isExact ? `${rule.from?.join(' ') ?? ''} ${keyOf(workspace, target.target, groups.name)} ${owner}` : rule
  })
  return [...byKey.values()].flatMap((ofKey) => (ofKey.length === 1 ? ofKey : withoutContained(labelled(ofKey))))
}

function labelled(rules: readonly Rule[]): readonly Rule[] {
  const [label, ...others] = new Set(rules.flatMap((rule) => rule.label ?? []))
  return label === undefined || others.length > 0 ? rules : rules.map((rule) => (rule.label === label ? rule : { ...rule, label }))
}

function withoutContained(rules: readonly Rule[]): Rule[] {
  const onSameTerms = Map.groupBy(
    rules,
    ({ unknownGroups, unknownProjects, role, label }) =>
      `${unknownGroups} ${unknownProjects} ${role.kind === 'fixed' ? role.role : ''} ${label ?? ''}`,
  )
  return [...onSameTerms.values()].flatMap((alike) => {
    const kept: { readonly rule: Rule; readonly names: Set<GroupName> }[] = []
    // `toSorted` is stable, so the first of equal rules stays the first.
    for (const rule of alike.toSorted(byTime)) {
      const last = kept.at(-1)
      const isContained = last !== undefined && endMs(rule) <= endMs(last.rule)
      const { names } = isContained ? last : { names: new Set<GroupName>() }
      if (rule.previously !== undefined) names.add(rule.previously)
      if (!isContained) kept.push({ rule, names })
    }
    return kept.flatMap(({ rule, names }) => (names.size === 0 ? [rule] : [...names].map((previously) => ({ ...rule, previously }))))
  })
}

/** The earlier start first, then the later end, then the rule that allows a protected role. */
const byTime = (a: Rule, b: Rule): number =>
  compareNumbers(startMs(a), startMs(b)) || compareNumbers(endMs(b), endMs(a)) || Number(b.allowProtected) - Number(a.allowProtected)

type Said = { readonly wanted: GroupSync; readonly because: Provenance; readonly fenced: boolean }

/**
 * Merges the group-sync settings that files declare for one workspace, in the order of their places. A file without limits decides about its settings. A
 * setting for which two files with the same rights have different values is left out, and the places are noted.
 *
 * @returns undefined if no file declares a setting
 */
function mergeGroupSync(statements: readonly Said[]): DeclaredSettings | undefined {
  const [first] = statements
  if (first === undefined) return undefined
  const values = new Map<string, unknown>()
  const contested = new Map<string, Provenance[]>()
  const sayers = Map.groupBy(
    statements.flatMap(({ wanted, because, fenced }) => Object.entries(wanted).map(([name, value]) => ({ name, value, because, fenced }))),
    ({ name }) => name,
  )
  for (const [name, both] of sayers) {
    const open = both.filter(({ fenced }) => !fenced)
    const stated = open.length > 0 ? open : both
    if (new Set(stated.map(({ value }) => value)).size === 1) values.set(name, stated[0]?.value)
    else
      contested.set(
        name,
        stated.map(({ because }) => because),
      )
  }
  const places = [...new Set([...contested.values()].flat())]
  return { wanted: Object.fromEntries(values) as GroupSync, because: first.because, ...(places.length > 0 && { contested: places }) }
}

/** The time in which a rule applies: from `startMs` until just before `endMs`, epoch ms. Without dates both are infinite. */
export const startMs = ({ startsMs }: Pick<Rule, 'startsMs'>): number => startsMs ?? Number.NEGATIVE_INFINITY
export const endMs = ({ expiresMs }: Pick<Rule, 'expiresMs'>): number => expiresMs ?? Number.POSITIVE_INFINITY

/** Infinities may be among the numbers, and their difference is no number. */
export const compareNumbers = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0)
