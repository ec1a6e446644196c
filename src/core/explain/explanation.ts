import { compare } from '../compare.ts'
import type { ClaimOnKey, Desired, DesiredMapping } from '../desired.ts'
import type { Directories } from '../directories.ts'
import type { Existing } from '../existing.ts'
import type { Group } from '../group.ts'
import { type Key, keyOf, type Mapping, type ProjectIdentifier } from '../mapping.ts'
import { isKeyIn, isSelected, type Matches, patternId, type Unmatched, unmanagedEntries } from '../matches.ts'
import { nearest } from '../nearest.ts'
import { defined } from '../optionalFields.ts'
import { type Reading, valueIfRead, whyIncomplete } from '../reading.ts'
import type { RecordedGroups } from '../recordedGroups.ts'
import { type Captures, comparePositions, type FrozenFile, type Provenance, positionText, type WorkspaceDeclaration } from '../rule.ts'
import { type AskedKey, type Fits, type NearRule, nearRules } from './nearRules.ts'

/** What a plan knows of one key, also of one without a mapping and without a rule. */
export type Explanation = AskedKey & {
  readonly key: Key
  /** What the declaration wants there. Absent: nothing, or only what does not count without a mapping. */
  readonly wanted?: DesiredMapping
  /** What rules and removals say of the key: the one that decides first. The others follow in the order of the files. */
  readonly claims: readonly Claimed[]
  /** The entry for which the key is never touched. */
  readonly unmanaged?: Provenance
  /** Whether the declaration manages the key: without a rule its mapping is undeclared. */
  readonly isManaged: boolean
  /** The mappings that Plane has there. */
  readonly mappings: readonly Mapping[]
  /** For a project: the mappings of the group to all projects, which give it a role here, too. */
  readonly everywhere: readonly Mapping[]
  /** Why the list of mappings was not read whole; absent: it was. */
  readonly mappingsUnread?: string
  /** The directories that the rules of the workspace ask, by name. */
  readonly directories: readonly AskedDirectory[]
  /** The recording is narrow and does not have the group, so that directories may have it. */
  readonly notRecorded?: true
  /** How people call the group, if its name is an id. */
  readonly label?: string
  /** The name of a group that is similar, if no directory and no mapping has this group. */
  readonly nearGroup?: string
  /** The project is not in the list of projects, which was read whole. `near`: the identifier that was probably meant. */
  readonly noProject?: { readonly near?: string }
  /** The rules that come near and say nothing of the key, the nearest first. Empty if a rule decides. */
  readonly near: readonly NearRule[]
  /** A file of which nothing is used, and that may name the key. */
  readonly unusedFile?: Provenance
  /** Why patterns were not compared with the names. */
  readonly unmatched?: string
}

/** `decides`: its rule is the one that the plan names. `captured`: what its pattern takes from the name of the group. */
export type Claimed = ClaimOnKey & { readonly decides: boolean; readonly captured?: Captures }

/** What one directory says of the group. Several groups may have the name. */
export type AskedDirectory = {
  readonly name: string
  readonly status: Reading<unknown>['status']
  readonly why?: string
  readonly atMs: number
  readonly groups: readonly Group[]
}

export type ExplainInput = {
  readonly declared: WorkspaceDeclaration
  readonly others: readonly WorkspaceDeclaration[]
  readonly desired: Pick<Desired, 'mappings' | 'claimsOn' | 'isUnmanaged' | 'isOwned' | 'factsOf'>
  readonly existing: Existing
  readonly directories: Directories
  readonly matches: Matches
  readonly unmatched?: Unmatched | undefined
  /** The list that has the key. The plan does not read it if the declaration does not manage it. Undefined: it was not read. */
  readonly list: Reading<readonly Mapping[]> | undefined
  readonly fits: Fits
  readonly recordedGroups?: RecordedGroups | undefined
}

/** Explains one key by what the plan was made from. Nothing is decided here: `resolve` has decided. */
export function explainKey(asked: AskedKey, input: ExplainInput): Explanation {
  const { group, target } = asked
  const { declared, desired, existing, directories, list, matches, unmatched } = input
  const key = keyOf(declared.workspace, target, group)
  const wanted = desired.mappings.get(key)
  const claims = claimsOf(desired.claimsOn(key), wanted, asked, matches)
  const indexes = [...directories.values()].flatMap((reading) => valueIfRead(reading) ?? [])
  const mapped = [...existing.lists.values(), list].flatMap((reading) => valueIfRead(reading) ?? [])
  const isMapped = mapped.some((mapping) => mapping.group === group)
  const isKnown = indexes.some((index) => index.has(group)) || isMapped
  const unmanaged = desired.isUnmanaged(group, target) ? unmanagedEntries(declared.unmanaged, matches)(group, target) : undefined
  const claiming = new Set(claims.flatMap(({ rule }) => (rule === undefined ? [] : positionText(rule.because.at))))
  const notRecorded = !isKnown && input.recordedGroups?.names.has(group) === false
  const near = nearRules(asked, { ...input, isKnown, notRecorded, unmanaged })
  const isDecided = wanted !== undefined && !(wanted.kind === 'unknown' && wanted.hidden === true)
  const names = () => new Set([...indexes.flatMap((index) => [...index.keys()]), ...mapped.map((mapping) => mapping.group)])
  return {
    ...asked,
    key,
    claims,
    isManaged: desired.isOwned(group, target),
    mappings: mappedTo(key, list),
    everywhere: target.kind === 'project' ? mappedTo(keyOf(declared.workspace, { kind: 'allProjects' }, group), list) : [],
    directories: [...directories].map(([name, reading]) => directoryOf(name, reading, group)).toSorted((a, b) => compare(a.name, b.name)),
    near: isDecided ? [] : near.filter(({ rule }) => !claiming.has(positionText(rule.because.at))),
    ...defined({
      wanted,
      notRecorded: notRecorded ? (true as const) : undefined,
      unmanaged: unmanaged?.because,
      mappingsUnread: whyIncomplete(list),
      label: desired.factsOf(group).label,
      nearGroup: isKnown ? undefined : nearest(group, names()),
      noProject: noProject(asked, existing),
      unmatched: unmatched?.why,
      unusedFile: declared.frozen?.find((file) => mayName(file, asked, isKnown, matches))?.because,
    }),
  }
}

/** Of a group that nobody has it is not known whether a pattern of the fence has it. */
const mayName = ({ fence }: FrozenFile, { group, target }: AskedKey, isKnown: boolean, matches: Matches): boolean =>
  fence === undefined || !isKnown || isKeyIn(fence, group, target, matches)

const mappedTo = (key: Key, list: ExplainInput['list']): readonly Mapping[] =>
  (valueIfRead(list) ?? []).filter((mapping) => mapping.key === key)

/** The claims, the one that decides first. */
function claimsOf(
  claims: readonly ClaimOnKey[],
  wanted: DesiredMapping | undefined,
  { group }: AskedKey,
  matches: Matches,
): readonly Claimed[] {
  const deciding = claims.filter(({ lost }) => lost === undefined)
  const isNamed = (claim: ClaimOnKey) => wanted !== undefined && comparePositions(claim.wanted.because.at, wanted.because.at) === 0
  const first = deciding.find(isNamed) ?? deciding[0]
  return (first === undefined ? claims : [first, ...claims.filter((claim) => claim !== first)]).map((claim) => ({
    ...claim,
    decides: claim === first,
    ...defined({ captured: capturedBy(claim, group, matches) }),
  }))
}

function capturedBy({ rule }: ClaimOnKey, group: AskedKey['group'], matches: Matches): Captures | undefined {
  if (rule?.groups.kind !== 'pattern' || !isSelected([rule.groups], group, matches)) return undefined
  const captured = matches.get(patternId(rule.groups.pattern))?.get(group) ?? {}
  return Object.keys(captured).length === 0 ? undefined : captured
}

function directoryOf(
  name: string,
  reading: Directories extends ReadonlyMap<string, infer R> ? R : never,
  group: AskedKey['group'],
): AskedDirectory {
  const { status, atMs } = reading
  return { name, status, atMs, groups: valueIfRead(reading)?.get(group) ?? [], ...defined({ why: whyIncomplete(reading) }) }
}

function noProject({ target }: AskedKey, { projects, lists }: Existing): Explanation['noProject'] {
  if (target.kind !== 'project' || projects?.status !== 'complete' || projects.value.has(target.project)) return undefined
  const isShown = [...lists.values()].some((list) => valueIfRead(list)?.some((mapping) => isIn(mapping, target.project)) === true)
  return isShown ? undefined : defined({ near: nearest(target.project, projects.value.keys()) })
}

const isIn = ({ target }: Mapping, project: ProjectIdentifier): boolean => target.kind === 'project' && target.project === project
