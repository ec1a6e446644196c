import { type DeclaredWorkspace, type ExactRule, rulesOf, textOf } from '../declared.ts'
import type { Spec } from '../spec.ts'
import type { Happened } from '../trace.ts'
import { declaredIn } from './explain.ts'
import type { Fail } from './violation.ts'
import { isLower, type Write } from './write.ts'

/** The knowledge in one journal, or in one process without a journal: workspace and text of a rule → id of the group that it means. */
type Shelf = {
  readonly meanings: Map<string, { readonly workspace: string; readonly text: string; readonly id: string; isDurable: boolean }>
  /** Rules whose group cannot be known: their text was removed, or a power failure or a full disk has taken the id. */
  readonly former: Set<string>
  /** Directory → the most groups that it has shown. */
  readonly most: Map<string, number>
}
type Reading = Extract<Happened, { is: 'directory' }>
type Process = { readonly shelf: Shelf; versions: readonly number[]; readonly readings: Map<string, Reading> }

/** A reading that lost at most this many groups is always accepted: `shrink.minExisting` in the settings of a world. */
const lostMax = 3

/**
 * A person who names a group means the group that had this name at that time. If the name belongs to a group with another id, no exact rule
 * grants it a role until the rule is edited. A process knows the id from the end of a cycle that read all directories and made a plan, or from
 * its first write; the next process with the same journal knows it too.
 */
export function openGroupsAudit(spec: Spec) {
  const shelves = new Map<string, Shelf>()
  const processes = new Map<number, Process>()
  const ids = new Map<string, Set<string>>()
  const processOf = (number: number) => processes.get(number) as Process
  const isSaid = (versions: readonly number[], workspace: string, text: string) =>
    versions.every((version) => exactIn(declaredIn(spec, version, workspace)).some((one) => one.text === text))

  function read(event: Reading): void {
    const { readings } = processOf(event.process)
    readings.set(event.directory, event)
    for (const [index, name] of event.names.entries()) ids.set(name, (ids.get(name) ?? new Set()).add(event.ids[index] ?? ''))
  }

  /** The id of the group, if all directories were read whole and exactly one has the name. */
  function idOf({ readings }: Process, group: string): string | undefined {
    const all = [...readings.values()]
    if (all.length < spec.directories.length || all.some(({ whole }) => !whole)) return undefined
    const found = all.flatMap(({ names, ids: own }) => names.flatMap((name, index) => (name === group ? (own[index] ?? []) : [])))
    return found.length === 1 ? found[0] : undefined
  }

  function isAccepted({ readings, shelf }: Process): boolean {
    return [...readings.values()].every(({ directory, names }) => {
      const most = Math.max(names.length, shelf.most.get(directory) ?? 0)
      return names.length > 0 && most - names.length <= lostMax
    })
  }

  function learned(number: number, workspace: string, isDurable: boolean, isStored = true): void {
    const process = processOf(number)
    const { shelf, versions, readings } = process
    const [first] = versions
    if (first === undefined || !isAccepted(process)) return
    for (const { directory, names } of readings.values()) shelf.most.set(directory, Math.max(names.length, shelf.most.get(directory) ?? 0))
    for (const { rule, text } of exactIn(declaredIn(spec, first, workspace))) {
      const name = `${workspace} ${text}`
      const id = idOf(process, rule.group)
      if (id === undefined || shelf.meanings.has(name) || shelf.former.has(name) || !isSaid(versions, workspace, text)) continue
      if (isStored) shelf.meanings.set(name, { workspace, text, id, isDurable })
      else shelf.former.add(name)
    }
  }

  function lose({ meanings, former }: Shelf, isLost: (name: string) => boolean): void {
    for (const name of [...meanings.keys()].filter(isLost)) {
      meanings.delete(name)
      former.add(name)
    }
  }

  function hear(event: Happened): void {
    switch (event.is) {
      case 'start': {
        const name = spec.journal === 'none' ? `process ${event.process}` : event.folder
        const shelf = shelves.get(name) ?? { meanings: new Map(), former: new Set(), most: new Map() }
        shelves.set(name, shelf)
        processes.set(event.process, { shelf, versions: [], readings: new Map() })
        return
      }
      case 'declared': {
        const one = processOf(event.process)
        one.versions = event.versions
        return lose(one.shelf, (name) => {
          const { workspace = '', text = '' } = one.shelf.meanings.get(name) ?? {}
          return !isSaid(event.versions, workspace, text)
        })
      }
      case 'directory':
        return read(event)
      case 'cycled':
        for (const workspace of event.judged)
          learned(event.process, workspace, false, !event.outcome.split(', ').includes(`${workspace} failed`))
        return
      case 'durable':
        for (const one of processOf(event.process).shelf.meanings.values()) one.isDurable = true
        return
      case 'power':
        for (const shelf of shelves.values()) lose(shelf, (name) => shelf.meanings.get(name)?.isDurable === false)
        return
      default:
    }
  }

  return {
    hear,
    /** Whether the name has belonged to several groups. */
    hasChanged: (group: string): boolean => (ids.get(group)?.size ?? 0) > 1,
    /**
     * Checks the write by the knowledge that its process had before. Then the process learns from the write. Call it before `hear` gets a later
     * event.
     */
    audit(write: Write, fail: Fail): void {
      const { process: number, workspace, does, before, after } = write
      const process = processOf(number)
      const isGrant =
        after !== undefined && (does !== 'patch' || before === undefined || !isLower(before.role, after.role)) && does !== 'delete'
      const id = after === undefined ? undefined : idOf(process, after.group)
      if (isGrant && id !== undefined) {
        const wrongs = process.versions.map((version) => {
          const speaking = exactIn(declaredIn(spec, version, workspace)).filter(
            ({ rule }) => rule.group === after?.group && rule.at === after.at,
          )
          const meant = speaking.map(({ text }) => process.shelf.meanings.get(`${workspace} ${text}`)?.id)
          return speaking.length > 0 && meant.every((one) => one !== undefined && one !== id)
        })
        if (wrongs.length > 0 && wrongs.every(Boolean)) fail('groups', `${after?.group} was another group when the rule was written`)
      }
      learned(number, workspace, true)
    },
  }
}

type Exact = { readonly rule: ExactRule; readonly text: string }
const exactRules = new WeakMap<DeclaredWorkspace, readonly Exact[]>()

function exactIn(one: DeclaredWorkspace | undefined): readonly Exact[] {
  if (one === undefined) return []
  const known = exactRules.get(one) ?? rulesOf(one).flatMap((rule) => ('group' in rule ? [{ rule, text: textOf(rule) }] : []))
  exactRules.set(one, known)
  return known
}
