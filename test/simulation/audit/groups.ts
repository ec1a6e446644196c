import { type DeclaredRule, type DeclaredWorkspace, lives, rulesOf, targetsOf, textOf } from '../declared.ts'
import type { Happened } from '../trace.ts'
import { declaredIn, type Judged } from './explain.ts'
import { type Meanings, openMeanings, type Text } from './meanings.ts'
import type { Fail } from './violation.ts'
import { isLower, type Write } from './write.ts'

/** The knowledge in one journal, or in one process without a journal. */
type Shelf = {
  readonly meanings: Meanings
  /** Directory → the most groups that it has shown. */
  readonly most: Map<string, number>
}
type Reading = Extract<Happened, { is: 'directory' }>
type Process = { readonly shelf: Shelf; versions: readonly number[]; readonly readings: Map<string, Reading> }

/** A reading that lost at most this many groups is always accepted: `shrink.minExisting` in the settings of a world. */
const lostMax = 3

/**
 * A person who names a group means the group that had this name at that time, and a pattern means the group that had the name when it first matched.
 * If the name belongs to a group with another id, no rule grants it a role until the rule is edited. A pattern may forget a name that a directory does
 * not show. A process knows the id from the end of a cycle that read all directories and made a plan, or from its first write; the next process with the same journal knows it too. If a cycle failed, or its process ended in the middle of it, the next process
 * may know what this cycle read. A process may refuse a directory that shows far fewer groups than before, also before a process that was killed.
 */
export function openGroupsAudit(spec: Judged) {
  const shelves = new Map<string, Shelf>()
  const processes = new Map<number, Process>()
  const ids = new Map<string, Set<string>>()
  const processOf = (number: number) => processes.get(number) as Process
  const isSaid = (versions: readonly number[], workspace: string, text: string) =>
    versions.every((version) => textsIn(declaredIn(spec, version, workspace)).some((one) => one.text === text))

  function read(event: Reading): void {
    const { readings, shelf } = processOf(event.process)
    readings.set(event.directory, event)
    // A process stores the size of a directory as soon as it has read the directory.
    if (event.whole) shelf.most.set(event.directory, Math.max(event.names.length, shelf.most.get(event.directory) ?? 0))
    const shown = new Set(event.names)
    shelf.meanings.mayForget(({ group, isPattern }) => isPattern === true && !shown.has(group ?? ''))
    for (const [index, name] of event.names.entries()) ids.set(name, (ids.get(name) ?? new Set()).add(event.ids[index] ?? ''))
  }

  /** The id of the group, if all directories were read whole and exactly one has the name. */
  function idOf({ readings }: Process, group: string): string | undefined {
    const all = [...readings.values()]
    if (all.length < spec.directories.length || all.some(({ whole }) => !whole)) return undefined
    const found = all.flatMap(({ names, ids: own }) => names.flatMap((name, index) => (name === group ? (own[index] ?? []) : [])))
    return found.length === 1 ? found[0] : undefined
  }

  /** Whether the process certainly accepts its readings. Otherwise the auditor cannot know it. */
  function isAccepted({ readings, shelf }: Process): boolean {
    return [...readings.values()].every(
      ({ directory, names }) => names.length > 0 && (shelf.most.get(directory) ?? 0) - names.length <= lostMax,
    )
  }

  function* learnable(process: Process, workspace: string): Generator<{ readonly text: Text; readonly id: string }> {
    const { versions } = process
    const [first] = versions
    if (first === undefined) return
    const shown = new Set([...process.readings.values()].flatMap(({ names }) => names))
    for (const { rule, text } of textsIn(declaredIn(spec, first, workspace))) {
      if (!isSaid(versions, workspace, text)) continue
      const isPattern = !('group' in rule)
      for (const group of isPattern ? [...shown].filter((name) => targetsOf(rule, name).length > 0) : [rule.group]) {
        const id = idOf(process, group)
        if (id !== undefined) yield { text: { name: nameOf(workspace, text, group), workspace, text, group, isPattern }, id }
      }
    }
  }

  function learned(number: number, workspace: string, isDurable: boolean, isStored = true): void {
    const process = processOf(number)
    const { meanings } = process.shelf
    for (const { text, id } of learnable(process, workspace))
      if (!isStored) meanings.doubt(text)
      else if (isAccepted(process)) meanings.learn(text, id, isDurable)
      else meanings.mayLearn(text, id)
  }

  /** The groups that a process has read may be stored. */
  function mayKnow(number: number): void {
    const process = processes.get(number)
    if (process === undefined) return
    for (const workspace of Object.keys(spec.rows))
      for (const { text, id } of learnable(process, workspace)) process.shelf.meanings.mayLearn(text, id)
  }

  function hear(event: Happened): void {
    switch (event.is) {
      case 'start': {
        const name = spec.journal === 'none' ? `process ${event.process}` : event.folder
        const shelf = shelves.get(name) ?? { meanings: openMeanings(), most: new Map() }
        shelves.set(name, shelf)
        processes.set(event.process, { shelf, versions: [], readings: new Map() })
        return
      }
      case 'declared': {
        const one = processOf(event.process)
        one.versions = event.versions
        return one.shelf.meanings.mayForget(({ workspace, text }) => !isSaid(event.versions, workspace, text))
      }
      case 'cycle':
        return mayKnow(event.process)
      case 'directory':
        return read(event)
      case 'cycled':
        for (const workspace of event.judged)
          learned(event.process, workspace, false, !event.outcome.split(', ').includes(`${workspace} failed`))
        return
      case 'durable':
        return processOf(event.process).shelf.meanings.synced()
      case 'end':
      case 'kill':
        return mayKnow(event.process)
      case 'power':
        mayKnow(event.process)
        for (const { meanings } of shelves.values()) meanings.powerFailed()
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
     *
     * @param moments the dates by which the process may decide
     */
    audit(write: Write, moments: readonly number[], fail: Fail): void {
      const { process: number, workspace, does, before, after } = write
      const process = processOf(number)
      const isGrant =
        after !== undefined && (does !== 'patch' || before === undefined || !isLower(before.role, after.role)) && does !== 'delete'
      const id = after === undefined ? undefined : idOf(process, after.group)
      if (isGrant && id !== undefined) {
        const { group, at } = after
        const wrongs = process.versions.map((version) => {
          const naming = textsIn(declaredIn(spec, version, workspace)).filter(({ rule }) => targetsOf(rule, group).includes(at))
          const speaking = speakingOf(naming, moments)
          const meant = speaking.map(({ text }) => process.shelf.meanings.known(nameOf(workspace, text, group)))
          return speaking.length > 0 && meant.every((one) => one !== undefined && one !== id)
        })
        if (wrongs.length > 0 && wrongs.every(Boolean)) fail('groups', `${group} was another group when the rule was written`)
      }
      learned(number, workspace, true)
    },
  }
}

/**
 * The rules that may decide about a key. Patterns do not decide beside an exact rule of a file with the same rights, and files of teams do not decide
 * beside the file without limits. This is certain of rules that are in force at all moments.
 */
function speakingOf(naming: readonly RuleText[], moments: readonly number[]): readonly RuleText[] {
  const alive = naming.filter(({ rule }) => moments.some((nowMs) => lives(rule, nowMs)))
  const isCertain = ({ rule }: RuleText) => moments.every((nowMs) => lives(rule, nowMs))
  const withoutPatterns = (all: readonly RuleText[]): readonly RuleText[] => {
    const exact = all.filter((one) => 'group' in one.rule && isCertain(one))
    return exact.length > 0 ? exact : all
  }
  const open = withoutPatterns(alive.filter(({ rule }) => rule.inside === undefined))
  return open.some(isCertain) ? open : [...open, ...withoutPatterns(alive.filter(({ rule }) => rule.inside !== undefined))]
}

const nameOf = (workspace: string, text: string, group: string): string => `${workspace} ${text} ${group}`

type RuleText = { readonly rule: DeclaredRule; readonly text: string }
const ruleTexts = new WeakMap<DeclaredWorkspace, readonly RuleText[]>()

function textsIn(one: DeclaredWorkspace | undefined): readonly RuleText[] {
  if (one === undefined) return []
  const known = ruleTexts.get(one) ?? rulesOf(one).map((rule) => ({ rule, text: textOf(rule) }))
  ruleTexts.set(one, known)
  return known
}
