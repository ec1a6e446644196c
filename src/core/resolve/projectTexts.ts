import type { Hash } from '../change.ts'
import type { ChangedProject, DesiredMapping, LostProject, NamedProjects } from '../desired.ts'
import type { ProjectChanged } from '../hold.ts'
import { type GroupName, type Key, keyOf, type Mapping, type ProjectIdentifier, type WorkspaceName } from '../mapping.ts'
import { type Because, comparePositions, selects, type TextName, type Unmanaged } from '../rule.ts'
import type { ProjectCheck, ProjectMeaning } from './projects.ts'
import { unmanagedName } from './textName.ts'

/** What the texts of a declaration say of projects, gathered while they are followed. */
export type ProjectTexts = {
  /** Notes that the text names the project. @returns what it means by it today */
  follow(project: ProjectIdentifier, text: TextName): ProjectMeaning
  /** Notes that the text is not followed, since its project changed. */
  tell(reason: ProjectChanged, because: Because): void
  named(): NamedProjects
  changed(): readonly ChangedProject[]
}

export function openProjectTexts(check: ProjectCheck): ProjectTexts {
  const named = new Map<ProjectIdentifier, Set<TextName>>()
  const changed = new Map<string, ChangedProject>()
  return {
    follow(project, text) {
      const texts = named.get(project)
      if (texts === undefined) named.set(project, new Set([text]))
      else texts.add(text)
      return check(project, () => text)
    },
    tell(reason, because) {
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
    const meaning = texts.follow(entry.target.project, unmanagedName(entry, hash))
    if (meaning.kind !== 'changed') return [entry]
    texts.tell(meaning.reason, entry.because)
    const { called } = meaning.reason
    return called === undefined ? [entry] : [entry, { ...entry, target: { kind: 'project', project: called } }]
  })
}

/** Identifier of today → the change, for projects in which undeclared mappings are kept. */
export function movedProjects(changed: readonly ChangedProject[]): ReadonlyMap<ProjectIdentifier, ChangedProject> {
  const moved = new Map<ProjectIdentifier, ChangedProject>()
  for (const one of changed) {
    const { project, called } = one.reason
    for (const identifier of [project, ...(called === undefined ? [] : [called])]) if (!moved.has(identifier)) moved.set(identifier, one)
  }
  return moved
}

/**
 * For rules whose project was renamed: a hold on the same group under the new identifier. Another rule may name that identifier; it waits until
 * the file is corrected.
 */
export function* meantElsewhere(claimed: Iterable<DesiredMapping>, workspace: WorkspaceName): Generator<readonly [Key, DesiredMapping]> {
  for (const { group, because, ...wanted } of claimed) {
    if (wanted.kind !== 'unknown' || wanted.reason.kind !== 'projectChanged' || wanted.reason.called === undefined) continue
    const target = { kind: 'project', project: wanted.reason.called } as const
    yield [keyOf(workspace, target, group), { group, target, because, kind: 'unknown', reason: wanted.reason }]
  }
}

/** The mappings of projects that texts meant under another identifier, held. */
export function* undeclaredIn(
  moved: ReadonlyMap<ProjectIdentifier, ChangedProject>,
  existing: readonly Mapping[],
): Generator<readonly [Key, DesiredMapping]> {
  for (const { key, group, target } of existing) {
    const one = target.kind === 'project' ? moved.get(target.project) : undefined
    if (one !== undefined) yield [key, { group, target, ...one, kind: 'unknown' }]
  }
}

type LostProjectsInput = {
  /** Whether the project is known to be there. */
  readonly isThere: (project: ProjectIdentifier) => boolean
  readonly existing: readonly Mapping[]
  readonly unmanaged: readonly Unmanaged[]
}

/**
 * By group a project that it is declared for and that is not there, or that is not the one that was meant while the list does not show the one
 * that was. It may have been renamed: until that is known, a mapping of the group in a project that is not declared for it may be meant.
 */
export function lostProjects(
  claimed: Iterable<DesiredMapping>,
  { isThere, existing, unmanaged }: LostProjectsInput,
): ReadonlyMap<GroupName, LostProject> {
  const lost = new Map<GroupName, LostProject>()
  const note = (group: GroupName, project: ProjectIdentifier, because: Because) => {
    const first = lost.get(group)
    if (first === undefined || comparePositions(because.at, first.because.at) < 0) lost.set(group, { project, because })
  }
  for (const wanted of claimed) {
    const { group, target, because, previously = [] } = wanted
    if (target.kind !== 'project') continue
    const changed = wanted.kind === 'unknown' && wanted.reason.kind === 'projectChanged' ? wanted.reason : undefined
    const isLost = changed === undefined ? !isThere(target.project) : changed.called === undefined
    if (isLost) for (const name of [group, ...previously]) note(name, target.project, because)
  }
  for (const { groups, target, because } of unmanaged) {
    if (target?.kind !== 'project' || isThere(target.project)) continue
    for (const { group } of existing) if (selects(groups, group)) note(group, target.project, because)
  }
  return lost
}
