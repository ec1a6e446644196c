import type { Hash } from '../change.ts'
import { compare } from '../compare.ts'
import { type AskedRoles, type ChangedProject, type DesiredMapping, type LostProject, type NamedProjects, rolesAsked } from '../desired.ts'
import type { ProjectChanged } from '../hold.ts'
import { type GroupName, type Key, keyOf, type Mapping, type ProjectIdentifier, type WorkspaceName } from '../mapping.ts'
import { type Matches, selected } from '../matches.ts'
import { comparePositions, type Provenance, type TextHash, type Unmanaged } from '../rule.ts'
import type { ProjectCheck, ProjectMeaning } from './projects.ts'
import { unmanagedHash } from './textName.ts'

/** Collects which texts of the declaration name which project, and which projects changed. */
export type ProjectTexts = {
  /** Notes that the text names the project. @returns whether the identifier still names the same project */
  follow(project: ProjectIdentifier, text: TextHash): ProjectMeaning
  /** Notes that a text is held because its project changed. */
  noteChanged(reason: ProjectChanged, because: Provenance): void
  named(): NamedProjects
  changed(): readonly ChangedProject[]
}

export function openProjectTexts(check: ProjectCheck): ProjectTexts {
  const named = new Map<ProjectIdentifier, Set<TextHash>>()
  const changed = new Map<string, ChangedProject>()
  return {
    follow(project, text) {
      const texts = named.get(project)
      if (texts === undefined) named.set(project, new Set([text]))
      else texts.add(text)
      return check(project, () => text)
    },
    noteChanged(reason, because) {
      const first = changed.get(reason.pass)
      if (first === undefined || comparePositions(because.at, first.because.at) < 0) changed.set(reason.pass, { because, reason })
    },
    named: () => named,
    changed: () => [...changed.values()].toSorted((a, b) => comparePositions(a.because.at, b.because.at)),
  }
}

/** Adds a copy of each unmanaged entry whose project was renamed, under its new identifier. */
export function followUnmanaged(unmanaged: readonly Unmanaged[], texts: ProjectTexts, hash: Hash): readonly Unmanaged[] {
  return unmanaged.flatMap((entry) => {
    if (entry.target?.kind !== 'project') return [entry]
    const meaning = texts.follow(entry.target.project, unmanagedHash(entry, hash))
    if (meaning.kind !== 'changed') return [entry]
    texts.noteChanged(meaning.reason, entry.because)
    const { called } = meaning.reason
    return called === undefined ? [entry] : [entry, { ...entry, target: { kind: 'project', project: called } }]
  })
}

/**
 * Identifier → what happened to its project: for each changed project its identifier in the file and, if known, its current one. Undeclared
 * mappings in these projects are kept.
 */
export function movedProjects(changed: readonly ChangedProject[]): ReadonlyMap<ProjectIdentifier, ChangedProject> {
  const moved = new Map<ProjectIdentifier, ChangedProject>()
  for (const changedProject of changed) {
    const { project, called } = changedProject.reason
    for (const identifier of [project, ...(called === undefined ? [] : [called])])
      if (!moved.has(identifier)) moved.set(identifier, changedProject)
  }
  return moved
}

/**
 * For rules whose project was renamed: a hold on the same group under the new identifier. Another rule that names that identifier waits until
 * the file is corrected.
 */
export function* meantElsewhere(claimed: Iterable<DesiredMapping>, workspace: WorkspaceName): Generator<readonly [Key, DesiredMapping]> {
  for (const { group, because, ...wanted } of claimed) {
    if (wanted.kind !== 'unknown' || wanted.reason.kind !== 'projectChanged' || wanted.reason.called === undefined) continue
    const target = { kind: 'project', project: wanted.reason.called } as const
    yield [keyOf(workspace, target, group), { group, target, because, kind: 'unknown', reason: wanted.reason }]
  }
}

/** A hold for each existing mapping in the projects of `moved`. */
export function* undeclaredIn(
  moved: ReadonlyMap<ProjectIdentifier, ChangedProject>,
  existing: readonly Mapping[],
): Generator<readonly [Key, DesiredMapping]> {
  for (const { key, group, target } of existing) {
    const changedProject = target.kind === 'project' ? moved.get(target.project) : undefined
    if (changedProject !== undefined) yield [key, { group, target, ...changedProject, kind: 'unknown' }]
  }
}

type LostProjectsInput = {
  /** Whether the project is known to exist. */
  readonly isThere: (project: ProjectIdentifier) => boolean
  readonly existing: readonly Mapping[]
  readonly unmanaged: readonly Unmanaged[]
  readonly matches: Matches
}

/**
 * Group → a project that the group is declared for and that cannot be found: it does not exist, or its identifier changed and the list does not
 * show the project that was meant. The project may have been renamed. Until that is known, an undeclared mapping of the group in another project
 * may be the declared one.
 */
export function lostProjects(
  claimed: Iterable<DesiredMapping>,
  { isThere, existing, unmanaged, matches }: LostProjectsInput,
): ReadonlyMap<GroupName, LostProject> {
  const lost = new Map<GroupName, LostProject>()
  const note = (group: GroupName, project: ProjectIdentifier, because: Provenance, asks: AskedRoles) => {
    const first = lost.get(group)
    // A rule may name several projects that do not exist.
    const order = first && (comparePositions(because.at, first.because.at) || compare(project, first.project))
    const asked = [...(first?.asked ?? []), ...asks]
    lost.set(group, first === undefined || (order ?? 0) < 0 ? { project, because, asked } : { ...first, asked })
  }
  for (const wanted of claimed) {
    const { group, target, because, previously = [] } = wanted
    if (target.kind !== 'project') continue
    const changed = wanted.kind === 'unknown' && wanted.reason.kind === 'projectChanged' ? wanted.reason : undefined
    const isLost = changed === undefined ? !isThere(target.project) : changed.called === undefined
    if (isLost) for (const name of [group, ...previously]) note(name, target.project, because, rolesAsked(wanted))
  }
  const mapped = new Set(existing.map(({ group }) => group))
  for (const { groups, target, because } of unmanaged) {
    if (target?.kind !== 'project' || isThere(target.project)) continue
    for (const [group] of selected(groups, matches)) if (mapped.has(group)) note(group, target.project, because, [undefined])
  }
  return lost
}
