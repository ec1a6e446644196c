import { keyOf, type WaivedChange } from '../declared.ts'
import type { Happened } from '../trace.ts'
import type { Listing, ListKind } from './listing.ts'
import type { Write } from './write.ts'

/** The changes that a person lets pass every guard; `fenced`: only the guards of single changes. `untilMs`: epoch ms by the date. `name`: another person may end it by this name. */
export type Allowance = {
  readonly workspace: string
  readonly changes: readonly WaivedChange[]
  readonly untilMs: number
  readonly name?: string
  /** How many people the changes may concern together; absent: they pass no limit on people. */
  readonly people?: number | 'any'
  readonly fenced?: true
}

/** `givenMs`: when a process got it. */
type Given = Allowance & { readonly givenMs: number }
type Described = Pick<Write, 'workspace' | 'does' | 'before' | 'after'>

/** Whether an allowance describes exactly this change. @param ids the ids that the group has in directories */
export function describes(
  { workspace, changes }: Pick<Allowance, 'workspace' | 'changes'>,
  write: Described,
  ids: readonly string[],
): boolean {
  const { does, before, after } = write
  const { group, at } = after ?? before ?? { group: '', at: '' }
  if (workspace !== write.workspace) return false
  return changes.some((one) => {
    const isChange = one.group === group && one.at === at && one.to === after?.role
    const isBefore =
      one.from === (does === 'create' ? undefined : before?.role) && one.was === (does === 'rename' ? before?.group : undefined)
    // A delete takes the role away from any group of this name.
    return isChange && isBefore && (one.id === undefined || does === 'delete' || (ids.length === 1 && ids[0] === one.id))
  })
}

/**
 * The approvals that a process may know: those that were handed to a process with the same journal, and that nobody has taken back. Each lets a change pass
 * once: when a process has reported it as written, the same change waits again. An approval that came after the answer to this write is not used by it.
 *
 * @param isDiskWell whether the disk of this world always accepts data
 */
export function openApprovals(isDiskWell: boolean) {
  const journals = new Map<string, Given[]>()
  /** Folder → the approvals as they were given. A power failure may take the result of a write, which is unknown then. */
  const given = new Map<string, Given[]>()
  const folders = new Map<number, string>()
  return {
    hear(event: Happened): void {
      if (event.is === 'start') folders.set(event.process, event.folder)
      if (event.is === 'power') for (const [folder, all] of given) journals.set(folder, all)
      if (event.is !== 'approved') return
      const folder = folders.get(event.process) ?? ''
      const { atMs: givenMs, approved } = event
      for (const all of [journals, given]) all.set(folder, [...(all.get(folder) ?? []), { ...approved, givenMs }])
    },
    /** A person has taken an approval back. */
    end(name: string): void {
      for (const kept of [journals, given])
        for (const [folder, all] of kept)
          kept.set(
            folder,
            all.filter((one) => one.name !== name),
          )
    },
    /**
     * A change is written, and its process knows that.
     *
     * @param ids the ids that the group has in directories
     * @param knownMs since when the process knows
     */
    used(write: Described & Pick<Write, 'process'>, ids: readonly string[], knownMs: number): void {
      // On a full disk the journal may lack the result.
      if (!isDiskWell) return
      const folder = folders.get(write.process) ?? ''
      const isOther = (workspace: string, change: WaivedChange) => !describes({ workspace, changes: [change] }, write, ids)
      const left = (journals.get(folder) ?? []).map((one) => ({
        ...one,
        changes: one.changes.filter((change) => one.givenMs > knownMs || isOther(one.workspace, change)),
      }))
      journals.set(folder, left)
    },
    /** A cycle that may write has read a whole list. What it shows as done passes no more by the approvals that were given before. */
    shown(process: number, workspace: string, kind: ListKind, { rows, beganMs }: Pick<Listing, 'rows' | 'beganMs'>): void {
      const folder = folders.get(process) ?? ''
      const isDone = (change: WaivedChange) => {
        const here = rows.filter((row) => keyOf(row) === keyOf(change))
        return change.to === undefined ? here.length === 0 : here.length > 0 && here.every(({ role }) => role === change.to)
      }
      const isOf = (one: Given, { at }: WaivedChange) =>
        one.workspace === workspace && one.givenMs <= beganMs && (at === 'workspace') === (kind === 'workspace-mappings')
      const left = (journals.get(folder) ?? []).map((one) => ({
        ...one,
        changes: one.changes.filter((change) => !isOf(one, change) || !isDone(change)),
      }))
      journals.set(folder, left)
    },
    /** All that the process may know. */
    all: (process: number): readonly Allowance[] => journals.get(folders.get(process) ?? '') ?? [],
    /** The approvals of exactly this change. @param ids the ids that the group has in directories */
    of: (write: Described & Pick<Write, 'process'>, ids: readonly string[]): readonly Allowance[] =>
      (journals.get(folders.get(write.process) ?? '') ?? []).filter((one) => describes(one, write, ids)),
  }
}
