import { by } from '../compare.ts'
import { type Directories, directoriesOf, whyUnread } from '../directories.ts'
import { type GroupName, type ProjectIdentifier, type Target, targetText, type WorkspaceName } from '../mapping.ts'
import { isSelected, type Matches, patternId } from '../matches.ts'
import { differenceOf, isNear } from '../nearest.ts'
import { defined } from '../optionalFields.ts'
import { produce } from '../resolve/produce.ts'
import { type Captures, comparePositions, positionText, type Rule, type Unmanaged, type WorkspaceDeclaration } from '../rule.ts'

/** What a person asks about: a group on a target. With the workspace it is a key. */
export type AskedKey = { readonly group: GroupName; readonly target: Target }

/** How the name of the group fits a pattern: as it is, or only in another letter case. `captured`: what the pattern captures from it. */
export type Fit = { readonly as: 'written' | 'otherCase'; readonly captured: Captures }
/** `patternId` → how the group that is asked about fits. A pattern that fits in no way is absent. */
export type Fits = ReadonlyMap<string, Fit>

/**
 * Why a rule that comes near to a key says nothing of it, the nearest first.
 *
 * | kind             | the rule would give the role, but                                        |
 * |------------------|--------------------------------------------------------------------------|
 * | `unmanaged`      | an unmanaged entry hides the key from it                               |
 * | `projectUnknown` | the project does not exist, and the rule skips such projects             |
 * | `except`         | it leaves this group out                                                 |
 * | `outsideFence`   | the group is outside of the fence of its file                            |
 * | `unknownGroup`   | neither a directory nor a mapping has the group, and it has a pattern    |
 * | `formerName`     | it has the group under its new name, and this one in `previously`        |
 * | `letterCase`     | its pattern and the group differ in letter case                          |
 * | `similarName`    | it names a similar group                                                 |
 * | `otherTarget`    | it gives the role to this group on other targets                         |
 * | `otherWorkspace` | it gives the role to this group in another workspace                     |
 */
export type WhyNot =
  | { readonly kind: 'unmanaged'; readonly entry: Unmanaged['because'] }
  | { readonly kind: 'projectUnknown' | 'except' | 'outsideFence' | 'letterCase' }
  /**
   * The rule asks `asked`, which were read whole, and `unread`, which were not, and may have the group. `notRecorded`: the recording does not have it.
   */
  | { readonly kind: 'unknownGroup'; readonly asked: readonly string[]; readonly unread: readonly string[]; readonly notRecorded?: true }
  | { readonly kind: 'formerName'; readonly name: GroupName }
  | { readonly kind: 'similarName'; readonly name: GroupName; readonly difference?: string }
  | { readonly kind: 'otherTarget'; readonly targets: readonly Target[] }
  | { readonly kind: 'otherWorkspace'; readonly workspace: WorkspaceName }
export const whyNotKinds = [
  'unmanaged',
  'projectUnknown',
  'except',
  'outsideFence',
  'unknownGroup',
  'formerName',
  'letterCase',
  'similarName',
  'otherTarget',
  'otherWorkspace',
] as const satisfies readonly WhyNot['kind'][]

/** A rule that does not count for the key, and why. */
export type NearRule = { readonly rule: Rule; readonly whyNot: WhyNot }

type Surroundings = {
  readonly declared: WorkspaceDeclaration
  readonly others: readonly WorkspaceDeclaration[]
  readonly directories: Directories
  readonly matches: Matches
  readonly fits: Fits
  /** Whether a directory or a mapping has the group. Patterns are matched with such names only. */
  readonly isKnown: boolean
  readonly notRecorded: boolean
  /** The unmanaged entry that hides the key; undefined if none does. */
  readonly unmanaged: Unmanaged | undefined
}

/** The rules that come near to a key and say nothing of it, the nearest first. A rule with several targets is one of them, with all targets. */
export function nearRules(asked: AskedKey, around: Surroundings): readonly NearRule[] {
  const { declared, others } = around
  const own = declared.rules.flatMap((rule): NearRule[] => {
    const whyNot = whyNotOf(rule, asked, around)
    return whyNot === undefined ? [] : [{ rule, whyNot }]
  })
  const elsewhere = others.flatMap(({ workspace, rules }) =>
    rules.flatMap((rule): NearRule[] =>
      rule.groups.kind === 'exact' && rule.groups.name === asked.group ? [{ rule, whyNot: { kind: 'otherWorkspace', workspace } }] : [],
    ),
  )
  const rank = ({ whyNot }: NearRule) => `${whyNotKinds.indexOf(whyNot.kind)}${isSimilarTarget(whyNot, asked) ? 0 : 1}`
  return [...ofOneLine(own), ...ofOneLine(elsewhere)]
    .toSorted((a, b) => comparePositions(a.rule.because.at, b.rule.because.at))
    .toSorted(by(rank))
}

function whyNotOf(rule: Rule, asked: AskedKey, around: Surroundings): WhyNot | undefined {
  const { groups } = rule
  const fit: Fit | undefined =
    groups.kind === 'pattern'
      ? around.fits.get(patternId(groups.pattern))
      : groups.name === asked.group
        ? { as: 'written', captured: {} }
        : undefined
  if (fit === undefined) return groups.kind === 'exact' ? whyNotNamed(rule, groups.name, asked) : undefined
  const { targets } = produce(rule, fit.captured)
  const isThere = targets.some((target) => targetText(target) === targetText(asked.target))
  if (!isThere) {
    const selects = fit.as === 'written' && (groups.kind === 'exact' || isSelected([groups], asked.group, around.matches))
    return selects && targets.length > 0 ? { kind: 'otherTarget', targets } : undefined
  }
  if (groups.kind === 'pattern') {
    if (fit.as === 'otherCase') return { kind: 'letterCase' }
    if (groups.except.has(asked.group)) return { kind: 'except' }
    if (!around.isKnown) {
      const names = directoriesOf(rule, around.directories)
      const unread = names.filter((name) => whyUnread(name, around.directories) !== undefined)
      const asked = names.filter((name) => !unread.includes(name))
      return { kind: 'unknownGroup', asked, unread, ...(around.notRecorded && { notRecorded: true as const }) }
    }
    if (groups.within !== undefined && !isSelected(groups.within, asked.group, around.matches)) return { kind: 'outsideFence' }
  }
  if (around.unmanaged !== undefined) return { kind: 'unmanaged', entry: around.unmanaged.because }
  return rule.unknownProjects === 'skip' ? { kind: 'projectUnknown' } : undefined
}

/** Of a rule with the exact name of another group. */
function whyNotNamed(rule: Rule, name: GroupName, { group, target }: AskedKey): WhyNot | undefined {
  if (rule.target.kind !== 'fixed' || targetText(rule.target.target) !== targetText(target)) return undefined
  if (rule.previously === group) return { kind: 'formerName', name }
  return isNear(group, [name]) ? { kind: 'similarName', name, ...defined({ difference: differenceOf(group, name) }) } : undefined
}

/** Whether the rule names a project with a similar identifier. */
const isSimilarTarget = (whyNot: WhyNot, { target }: AskedKey): boolean =>
  whyNot.kind === 'otherTarget' && target.kind === 'project' && isNear(target.project, whyNot.targets.flatMap(projectOf))

const projectOf = (target: Target): readonly ProjectIdentifier[] => (target.kind === 'project' ? [target.project] : [])

/** The compiler makes a rule of each target of an entry. For a person they are one, with several targets. */
function ofOneLine(near: readonly NearRule[]): readonly NearRule[] {
  const entries = Map.groupBy(near, ({ rule, whyNot }) =>
    JSON.stringify([positionText(rule.because.at), { ...whyNot, targets: undefined }]),
  )
  return [...entries.values()].map(([first, ...others]) => {
    const { rule, whyNot } = first as NearRule
    if (whyNot.kind !== 'otherTarget') return { rule, whyNot }
    const targets = [whyNot, ...others.map((other) => other.whyNot)].flatMap((each) => (each.kind === 'otherTarget' ? each.targets : []))
    return { rule, whyNot: { ...whyNot, targets } }
  })
}
