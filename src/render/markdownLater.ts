import { count } from '../core/quantity.ts'
import { dayText, laterEntries, laterTitle } from './later.ts'
import { entryTable, laterColumns } from './markdownTable.ts'
import { details } from './markup.ts'
import { always, isProtectedEntry } from './rows.ts'
import type { View } from './view.ts'

/** What dates will change. Protected roles are never folded. */
export function laterTables({ verdict: { plan }, about }: View, room: number): readonly string[] {
  const entries = laterEntries(plan, about)
  if (entries.length === 0) return []
  const grants = entries.filter(isProtectedEntry)
  const others = entries.filter((entry) => !entry.isProtected)
  const title = `${laterTitle(entries)}, up to ${dayText(plan.laterUntilMs)}`
  const size = Number.isFinite(room) ? { pinned: room * 0.7, others: room * 0.3 } : { pinned: room, others: room }
  return [
    ...(grants.length === 0 ? [] : [`**${title}**`, entryTable(grants, laterColumns, always, size)]),
    ...(others.length === 0
      ? []
      : [
          details(
            grants.length === 0 ? title : `Later, not protected (${count(others.length)})`,
            entryTable(others, laterColumns, () => false, size),
          ),
        ]),
  ]
}
