import type { Place } from '../declared.ts'
import type { Happened } from '../trace.ts'
import type { Write } from './write.ts'

/** A change that a person lets pass the guards until a time, epoch ms by the date. Absent: `from` no mapping yet, `id` any group of this name. */
export type Approved = Place & {
  readonly from?: string
  readonly to: string
  readonly id?: string
  readonly untilMs: number
}

/** The approvals that a process may know: those that were handed to a process with the same journal. */
export function openApprovals() {
  const journals = new Map<string, (Approved & { readonly workspace: string })[]>()
  const folders = new Map<number, string>()
  return {
    hear(event: Happened): void {
      if (event.is === 'start') folders.set(event.process, event.folder)
      if (event.is !== 'approved') return
      const folder = folders.get(event.process) ?? ''
      journals.set(folder, [...(journals.get(folder) ?? []), { workspace: event.workspace, ...event.approved }])
    },
    /** The approvals of exactly this change. @param ids the ids that the group has in directories */
    of({ process, workspace, does, before, after }: Write, ids: readonly string[]): readonly Approved[] {
      const all = journals.get(folders.get(process) ?? '') ?? []
      return all.filter((one) => {
        const isKey = one.workspace === workspace && one.group === after?.group && one.at === after.at
        const isChange = one.to === after?.role && one.from === (does === 'create' ? undefined : before?.role) && does !== 'rename'
        return isKey && isChange && (one.id === undefined || (ids.length === 1 && ids[0] === one.id))
      })
    },
  }
}
