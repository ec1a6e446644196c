import type { Dates } from '../core/dates.ts'
import type { Desired } from '../core/desired.ts'
import { diff } from '../core/diff/diff.ts'
import type { DiffOptions } from '../core/diff/draft.ts'
import { oldKeys, withSameGroups } from '../core/diff/renames.ts'
import { type Existing, managedMappings, mappingsAndProjects } from '../core/existing.ts'
import { type Explanation, explainKey } from '../core/explain/explanation.ts'
import type { AskedKey } from '../core/explain/nearRules.ts'
import { foreignTwins, isNamedAsTwin, type Twins } from '../core/findings/otherWriters.ts'
import { planFindings } from '../core/findings/planFindings.ts'
import { renamedGroups } from '../core/findings/renamedGroups.ts'
import type { GroupIndex } from '../core/group.ts'
import { type Key, type List, listOf, type Mapping } from '../core/mapping.ts'
import type { GroupIds } from '../core/memory/entry.ts'
import type { ToldById } from '../core/memory/knownMappings.ts'
import type { LastApplied } from '../core/memory/lastApplied.ts'
import type { DeclaredMapping } from '../core/memory/ownership.ts'
import { defined } from '../core/optionalFields.ts'
import { type Plan, restrict, withGroupFacts, withoutFindings, withRenamed } from '../core/plan.ts'
import { isComplete, type Reading } from '../core/reading.ts'
import type { RecordedGroups } from '../core/recordedGroups.ts'
import { fullName } from '../core/resolve/groupIds.ts'
import { checkGroups, type GroupsCheck, type RememberedGroups } from '../core/resolve/groups.ts'
import { lastGroupIds } from '../core/resolve/lastGroupIds.ts'
import {
  checkProjects,
  type NewProjectIds,
  newProjectIds,
  openRemembered,
  type ProjectCheck,
  type RememberedProjects,
} from '../core/resolve/projects.ts'
import { resolve } from '../core/resolve/resolve.ts'
import { textsNamingProjects } from '../core/resolve/textName.ts'
import type { WorkspaceDeclaration } from '../core/rule.ts'
import { askById, type KnownIds } from './askById.ts'
import type { LaterSlice } from './laterSlice.ts'
import { matchNames } from './matchNames.ts'
import { declaredIn } from './ownership.ts'
import { patternFits } from './patternFits.ts'
import { confirmLists, listsToConfirm, type Reader, readExisting, Stopped } from './readExisting.ts'
import { openStages } from './turns.ts'

/** What a plan needs from earlier cycles. */
export type Remembered = {
  readonly groups: RememberedGroups
  readonly projects: Omit<RememberedProjects, 'hash'>
  /** How many mappings of a list are known; undefined if no earlier cycle read it whole. */
  readonly sizeOf: (list: List) => number | undefined
  readonly known: KnownIds
  readonly lastApplied: () => readonly LastApplied[]
}

export type DraftSettings = {
  readonly diff: DiffOptions
  readonly remembered: Remembered
  /** The present date. It decides whether a rule or a waiver has ended. */
  readonly dates: () => Dates
  /** The declarations of the other workspaces. */
  readonly others: readonly WorkspaceDeclaration[]
  /** The groups that a narrow recording was asked for. Absent: the readings are of all groups. */
  readonly recordedGroups?: RecordedGroups | undefined
  /** The directories of the settings that no rule of the workspace asks. Absent: none. */
  readonly unasked?: readonly string[]
  /** The key that is explained beside the plan; absent: none. */
  readonly asked?: AskedKey
}

/** A plan that the guards have not seen yet. */
type Draft = {
  readonly plan: Plan
  /** Mappings of this program that exist a second time. The finding about them replaces those about duplicates. */
  readonly twins: Twins
  readonly existing: Existing
  /** The date by which the plan decides which rules have started and which have ended. */
  readonly dates: Dates
  /** What was asked about. */
  readonly explained?: Explanation
}

export type DraftedPlan = Draft & { readonly learned: Learned }

/** What the memory learns from the readings of a plan. `waived`: the names that waivers have accepted. */
type Learned = {
  /** Ids of the groups that rules with an exact name select. */
  readonly groupIds: GroupIds
  /** The ids of the groups that the rules mean, if the memory does not have them yet. */
  readonly meantGroups: Pick<GroupsCheck, 'ids' | 'waived'>
  /**
   * For rules, removals and unmanaged entries: the ids of the projects that they mean, if the memory does not have them yet. The declaration names projects
   * by identifiers, and Plane may give an identifier to another project. Rules that name it are held then, unless a waiver names the new project.
   */
  readonly projectIds: NewProjectIds
  readonly byId: ReadonlyMap<List, ToldById>
  /** What the declaration says of each mapping, before the guards. */
  readonly declaredOf: (mapping: Mapping) => DeclaredMapping
}

/**
 * Reads the mappings of one workspace, and plans the changes that make them equal to the declaration. A list may lack rows without a sign. So a
 * mapping that is known is planned again only if Plane says by its id that it is gone. If no earlier cycle saw a
 * mapping in a list, the list is read a second time before the first create in it.
 *
 * @param later for a later slice of an approved plan: its plan contains only changes that the first slice's plan had and that were not tried
 * @throws {OperationalError} if the service did not give a list; {Stopped} if `signal` fired before all was read
 */
export async function draftPlan(
  declared: WorkspaceDeclaration,
  directories: ReadonlyMap<string, Reading<GroupIndex>>,
  read: Reader,
  settings: DraftSettings,
  signal: AbortSignal,
  later: LaterSlice | undefined,
): Promise<DraftedPlan> {
  const listed = await readExisting(declared, read, signal)
  const asked = settings.asked && { ...settings.asked, ...defined({ list: await unmanagedList(settings.asked, listed, read, signal) }) }
  // The second draft decides by the same date. If a rule started in between, the draft would create in a list that was not read a second time.
  const dates = settings.dates()
  const draft = (existing: Existing) => draftFrom(existing, declared, directories, { ...settings, dates, asked }, signal, later)
  const first = await draft(listed)
  const { sizeOf, known } = settings.remembered
  const formerKeys = (key: Key) => {
    const wanted = first.desired.mappings.get(key)
    return wanted === undefined ? [] : oldKeys(wanted, declared.workspace)
  }
  const { existing, told } = await askById(first.plan, listed, known, formerKeys, read, signal)
  const isBelieved = [...existing.lists].every(([list, reading]) => reading === listed.lists.get(list))
  const second = isBelieved ? first : await draft(existing)
  // The creates of a later slice are in the first slice's plan, so their lists were confirmed for it.
  const unproved = later === undefined ? listsToConfirm(second.plan, sizeOf) : []
  const last = unproved.length === 0 ? second : await draft(await confirmLists(unproved, second.existing, read, signal))
  return { ...last, learned: { ...learnedFrom(last, declared, directories, settings), byId: told } }
}

/** `list`: the list of mappings that has the key, if the declaration does not manage it, so that the plan does not read it. */
type AskedKeyWithList = AskedKey & { readonly list?: Reading<readonly Mapping[]> }

/** @throws {Stopped} */
async function unmanagedList(
  { target }: AskedKey,
  { lists }: Existing,
  read: Reader,
  signal: AbortSignal,
): Promise<Reading<readonly Mapping[]> | undefined> {
  const list = listOf(target)
  if (lists.has(list)) return undefined
  const reading = await read.mappings(list, signal)
  if (signal.aborted) throw new Stopped('stopped before its lists were read')
  return reading
}

function learnedFrom(
  { existing, desired, check, groups, plan }: Checked,
  declared: WorkspaceDeclaration,
  directories: ReadonlyMap<string, Reading<GroupIndex>>,
  { remembered, diff: options }: DraftSettings,
): Omit<Learned, 'byId'> {
  const texts = textsNamingProjects(declared, options.hash)
  return {
    declaredOf: declaredIn(desired, plan, { options }),
    groupIds: lastGroupIds(declared, directories),
    meantGroups: { ids: groups.ids, waived: groups.waived },
    projectIds: newProjectIds(remembered.projects.ids, desired.named, texts, existing.projects, check),
  }
}

type Checked = Pick<Draft, 'existing' | 'plan'> & { readonly desired: Desired; readonly check: ProjectCheck; readonly groups: GroupsCheck }

/** The plan from one reading of the lists, with the findings about it. */
async function draftFrom(
  existing: Existing,
  whole: WorkspaceDeclaration,
  directories: ReadonlyMap<string, Reading<GroupIndex>>,
  {
    remembered,
    dates,
    diff: options,
    others,
    recordedGroups,
    unasked,
    asked,
  }: Omit<DraftSettings, 'dates' | 'asked'> & { readonly dates: Dates; readonly asked: AskedKeyWithList | undefined },
  signal: AbortSignal,
  later: LaterSlice | undefined,
): Promise<Draft & Checked> {
  const { hash } = options
  const has = mappingsAndProjects(existing)
  const turn = openStages(whole.rules.length + has.existing.length, signal)
  const { declared, matches, unmatched } = await matchNames(whole, directories, has.existing, signal)
  // A group that was made again under its name has another id. Grants to it wait until a person says that the new group is meant.
  const names = { matches, isWhole: unmatched === undefined && [...existing.lists.values()].every(isComplete) }
  const groups = checkGroups(declared.rules, directories, remembered.groups, names, hash, dates)
  await turn()
  const check = checkProjects(existing.projects, { ...remembered.projects, hash })
  const { lastId } = remembered.groups
  const seen = {
    directories,
    ...has,
    matches,
    unmatched,
    lastId,
    knownProjects: later?.knownProjects,
    others,
    recordedGroups,
    givenOf: options.owned?.givenOf,
    ...defined({ unasked }),
  }
  const isRemembered = openRemembered(remembered.projects.ids, () => textsNamingProjects(declared, hash))
  const desired = resolve(declared, { ...seen, check, isRemembered, changedGroups: groups.changed, hash, dates })
  await turn()
  const { ids: meantGroups } = remembered.groups
  const renamed = renamedGroups(declared, directories, lastId, { mappings: desired.mappings, matches, others })
  const about = {
    renamed,
    changedGroups: groups.byDirectory,
    meantGroups,
    sizeOf: remembered.sizeOf,
    roles: options.roles,
    doors: options.doors,
    dates,
  }
  const findings = planFindings(declared, desired, { ...seen, ...about })
  const plan = withSameGroups(withGroupFacts(diff(declared, desired, existing, options, findings), desired.factsOf), {
    idOf: (directory, group) => lastId(fullName(directory, group)),
    countOf: remembered.groups.countOf,
  })
  await turn()
  const twins = foreignTwins(managedMappings(declared, existing, desired).values(), remembered.lastApplied())
  const noticed = withoutFindings(withRenamed(plan, renamed), (finding) => isNamedAsTwin(finding, twins))
  const explained =
    asked &&
    explainKey(asked, {
      ...{ declared: whole, others, desired, existing, directories, matches, unmatched, recordedGroups },
      ...{ list: asked.list ?? existing.lists.get(listOf(asked.target)), fits: await patternFits(whole, asked.group, signal) },
    })
  const kept = later === undefined ? noticed : restrict(noticed, later.keep)
  return { existing, check, groups, desired, dates, twins, plan: kept, ...defined({ explained }) }
}
