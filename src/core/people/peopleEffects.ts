import type { Change, ChangeId, MappingChange } from '../change.ts'
import type { Role, Target } from '../mapping.ts'
import type { PeopleEffect } from '../peopleEffect.ts'
import type { PeopleTogether } from '../plan.ts'
import type { RoleSettings } from '../roles.ts'
import { type Count, countOf, effectOf, noteNotCounted, notePeople, noteUnknown, openNoting, togetherIn } from './counted.ts'
import { type Ladder, ladderOf, openEvents } from './events.ts'
import { openPlainProjects } from './plainProjects.ts'
import { openRanks } from './ranks.ts'
import type { Roster } from './roster.ts'
import { type MappingRow, noRows, type TargetRows } from './rows.ts'
import { openRequired, type TargetPart, targetParts } from './targetParts.ts'

/** So many people the changes for all projects may look at on projects that are not plain, about a second. Above this they are not counted. */
const looksMax = 10_000_000
const whyTooMany = 'there are too many changes for all projects, and too many projects with mappings of their own, to count their people'

/** A change costs as much as so many people, beside its own. */
const looksOfAChange = 20

/**
 * Counts for each change the people of its group whose role would be another one after the whole plan. A person has the highest role that any of
 * their groups gives, as Plane decides it. For the delete of an undeclared mapping it also counts who would lose by it if, of all grants of the plan, only those
 * that it requires were written. A person whom a change for all projects concerns in several projects counts once for each kind of effect.
 *
 * Where members of a group are not known, each number is the least and the most of what is possible: for each person, whatever gaps they may be in. A gap of one
 * group changes the numbers of another one only as far as its people may be the same.
 *
 * Yields again and again, with the number of people that it looked at, so that the caller can let other work run.
 *
 * @returns `together` has the people only as numbers of this roster
 */
export function* peopleEffects(
  changes: readonly Change[],
  targets: ReadonlyMap<string, TargetRows>,
  roster: Roster,
  roles: RoleSettings,
): Generator<number, { readonly effects: ReadonlyMap<ChangeId, PeopleEffect>; readonly together: PeopleTogether }> {
  const required = openRequired(changes)
  const { workspace, projects, general } = targetParts(changes, targets, required)
  const layers = openRanks(roster)
  const counts = new Map<ChangeId, Count>()
  const countFor = (change: MappingChange): Count => {
    const count = counts.get(change.id) ?? countOf(change, roster, roles)
    counts.set(change.id, count)
    return count
  }
  const [ladderOn, whyIn] = [openLadders(roles), openWhy(roster)]
  /** Notes a change on a target whose rows are in place. Returns how many people it looked at. @param times so many equal targets */
  const noteOn = (target: Target, change: MappingChange, ladder: Ladder, times: number): number => {
    const count = countFor(change)
    const least = required.on(target, change)
    const looked = least.length === 0 ? 0 : layers.push({ ...noRows, least }, ladder)
    const { top } = layers
    const counting = { ladder, granted: ladder.rankOf(count.protectedRole ?? null), takes: count.takes }
    notePeople(count, top, openNoting(count, top, openEvents(top.gaps.states, counting)), times)
    if (least.length > 0) layers.pop()
    return looked + count.people.length + looksOfAChange
  }
  /** Notes the changes of these targets alone. */
  function* noteOwn({ rows, changes }: TargetPart, ladder: Ladder | string): Generator<number, void> {
    const why = whyIn(rows)
    for (const [index, change] of (changes[0] ?? []).entries()) {
      const count = countFor(change)
      for (const twins of changes) counts.set((twins[index] as MappingChange).id, count)
      if (typeof ladder === 'string') noteUnknown(count, ladder)
      else {
        yield noteOn(rows.target, change, ladder, 1)
        const whyNot = whyOwn(count) ?? why
        if (whyNot !== undefined) count.why ??= whyNot
      }
    }
  }

  if (workspace !== undefined) {
    const ladder = ladderOn(workspace.rows)
    if (typeof ladder !== 'string') yield layers.push(workspace.rows.own, ladder)
    yield* noteOwn(workspace, ladder)
    if (typeof ladder !== 'string') layers.pop()
  }
  const [first] = projects
  if (first !== undefined) {
    const forAll: TargetRows = {
      target: { kind: 'allProjects' },
      own: first.rows.target.kind === 'project' ? first.rows.general : first.rows.own,
      general: noRows,
    }
    const base = ladderOn(forAll)
    if (typeof base !== 'string') yield layers.push(forAll.own, base)
    const requiring = general.filter(required.has)
    const onPlain =
      typeof base === 'string' || general.length === 0
        ? undefined
        : openPlainProjects(general.filter((change) => !required.has(change)).map(countFor), roster, layers.top, base)
    let looked = 0
    const isTooMuch = () => looked > looksMax
    /** Notes the changes for all projects on a project. @param times so many equal projects */
    function* noteGeneral(target: Target, ladder: Ladder, times: number): Generator<number, void> {
      const isPlain = onPlain?.isPlain(layers.top, ladder) === true
      if (isPlain) {
        const steps = onPlain.note(layers.top, ladder, times)
        looked += steps
        yield steps
      }
      for (const change of isPlain ? requiring : general) {
        if (isTooMuch()) return
        const steps = noteOn(target, change, ladder, times)
        looked += steps
        yield steps
      }
    }
    const noteWhy = (whyOf: (count: Count) => string | undefined) => {
      for (const change of general) {
        const count = countFor(change)
        const why = whyOf(count)
        if (why !== undefined) count.why ??= why
      }
    }
    let isExplained = false
    let isUnknown = false
    for (const part of projects) {
      const { target, own } = part.rows
      const isProject = target.kind === 'project'
      const ladder = ladderOn(part.rows)
      if (part === first && typeof ladder !== 'string') noteWhy(whyOwn)
      if (typeof ladder === 'string') {
        yield* noteOwn(part, ladder)
        if (!isUnknown) for (const change of general) noteUnknown(countFor(change), ladder)
        isUnknown = true
        continue
      }
      if (isProject) yield layers.push(own, ladder)
      yield* noteOwn(part, ladder)
      if (isProject && general.length > 0) {
        if (!isTooMuch()) yield* noteGeneral(target, ladder, part.changes.length)
        const why = whyIn(part.rows)
        if (!isExplained && why !== undefined) {
          isExplained = true
          noteWhy(() => why)
        }
      }
      if (isProject) layers.pop()
    }
    if (isTooMuch()) for (const change of general) noteNotCounted(countFor(change), whyTooMany)
    else onPlain?.close()
  }
  const effects = new Map<ChangeId, PeopleEffect>()
  const made = new Map<Count, PeopleEffect>()
  for (const [id, count] of counts) {
    const effect = made.get(count) ?? effectOf(count)
    if (!made.has(count)) yield count.people.length
    made.set(count, effect)
    effects.set(id, effect)
  }
  return { effects, together: togetherIn(counts, roster.size) }
}

const whyOwn = ({ own }: Count): string | undefined => own.find(({ why }) => why !== undefined)?.why

/** Why not all numbers of a target are exact; undefined if they are. */
function openWhy(roster: Roster): (rows: TargetRows) => string | undefined {
  const known = new Map<readonly MappingRow[], string | undefined>()
  const whyIn = (rows: readonly MappingRow[]): string | undefined => {
    if (known.has(rows)) return known.get(rows)
    const unclear = rows.map(({ group }) => roster.membersOf(group)).find(({ why, isNowhere }) => why !== undefined && isNowhere !== true)
    known.set(rows, unclear?.why)
    return unclear?.why
  }
  return ({ own, general }) => whyIn(own.before) ?? whyIn(general.before) ?? whyIn(own.after) ?? whyIn(general.after)
}

/** The ladder of a target. Targets of one kind with the same roles have one ladder. */
function openLadders(roles: RoleSettings): (rows: TargetRows) => Ladder | string {
  const ladders = new Map<string, Ladder | string>()
  const rungsOf = new Map<readonly MappingRow[], readonly Role[]>()
  const rolesIn = (rows: readonly MappingRow[]): readonly Role[] => {
    const rungs = rungsOf.get(rows) ?? [...new Set(rows.flatMap(({ role }) => role ?? []))]
    rungsOf.set(rows, rungs)
    return rungs
  }
  return ({ target, own, general }) => {
    const rungs = new Set([own.before, general.before, own.after, general.after].flatMap(rolesIn))
    const name = JSON.stringify([target.kind === 'workspace', ...rungs])
    const ladder = ladders.get(name) ?? ladderOf(rungs, target, roles)
    ladders.set(name, ladder)
    return ladder
  }
}
