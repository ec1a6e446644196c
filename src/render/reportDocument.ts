import type { AccessRow } from '../core/access/access.ts'
import { type List, lists, type Mapping } from '../core/mapping.ts'
import { type SeenLists } from '../core/memory/seen.ts'
import { at } from '../core/memory/shardedMap.ts'
import { defined } from '../core/optionalFields.ts'
import { isoTime } from '../core/quantity.ts'
import { type Reading, whyIncomplete } from '../core/reading.ts'
import type { DeclarationReport } from '../core/report.ts'
import { isProtected, type RoleSettings } from '../core/roles.ts'
import type { ReportDocument, ReportRow } from '../documents/report.ts'
import { documentBecause, documentTarget } from './documentParts.ts'

/** What a report is made from. Times are epoch ms by the date. */
export type ReportView = {
  readonly atMs: number
  readonly from: ReportDocument['from']
  readonly service: NonNullable<ReportDocument['service']>
  readonly declaration?: Pick<DeclarationReport, 'hash' | 'revision'> & { readonly files?: number }
  readonly journal?: { readonly folder: string; readonly fromMs?: number }
  readonly workspaces: readonly (ReportedWorkspace | { readonly workspace: string; readonly failed: string })[]
}

/** `readMs`: epoch ms by the date of each list's reading; a list that was not read is absent. */
type ReportedWorkspace = {
  readonly workspace: string
  readonly fingerprint?: string
  readonly lists: readonly ReportedList[]
  readonly rows: readonly AccessRow[]
  readonly roles: RoleSettings
}
type ReportedList = ReportDocument['workspaces'][number]['lists'][number]

/** Which rows a report has. A field that is absent chooses all. */
export type ReportFilter = {
  readonly roles: readonly string[]
  readonly owners: readonly string[]
  readonly groups: readonly string[]
  /** Rules that end before this moment, epoch ms. */
  readonly endsBeforeMs?: number
}

export function reportDocument(view: ReportView, filter: ReportFilter): ReportDocument {
  const { atMs, from, service, declaration, journal, workspaces } = view
  return {
    format: 'plane-group-sync/report',
    version: 1,
    at: timeText(atMs),
    from,
    service,
    ...(declaration && { declaration: defined({ hash: declaration.hash, files: declaration.files, revision: declaration.revision }) }),
    ...(journal && {
      journal: { folder: journal.folder, ...defined({ from: journal.fromMs === undefined ? undefined : isoTime(journal.fromMs) }) },
    }),
    workspaces: workspaces.map((workspace) =>
      'failed' in workspace
        ? { workspace: workspace.workspace, failed: workspace.failed, lists: [], rows: [] }
        : {
            workspace: workspace.workspace,
            ...defined({ fingerprint: workspace.fingerprint }),
            lists: workspace.lists,
            rows: workspace.rows.filter((row) => isWanted(row, filter)).map((row) => rowOf(row, workspace.roles)),
          },
    ),
  }
}

const isWanted = ({ role, group, because }: AccessRow, { roles, owners, groups, endsBeforeMs }: ReportFilter): boolean =>
  (roles.length === 0 || roles.includes(role ?? '')) &&
  (owners.length === 0 || owners.includes(because?.owner ?? '')) &&
  (groups.length === 0 || groups.includes(group)) &&
  (endsBeforeMs === undefined || (because?.expiresMs !== undefined && because.expiresMs <= endsBeforeMs))

function rowOf(
  { id, group, label, target, role, people, standing, because, since, revision, agreements, unsure }: AccessRow,
  roles: RoleSettings,
): ReportRow {
  return defined({
    id,
    group,
    label,
    target: documentTarget(target),
    role,
    protected: role !== null && isProtected(role, target, roles) ? (true as const) : undefined,
    people,
    standing,
    because: because && documentBecause(because),
    ends: because?.expiresMs === undefined ? undefined : timeText(because.expiresMs),
    since:
      since &&
      defined({ by: since.by, at: timeText(since.atMs), after: since.afterMs === undefined ? undefined : timeText(since.afterMs) }),
    revision,
    approved: agreements?.map(({ by, account, source, atMs, reason }) =>
      defined({ name: by, account, source, at: timeText(atMs), reason }),
    ),
    unsure: unsure && { after: timeText(unsure.afterMs), at: timeText(unsure.atMs) },
  })
}

/**
 * The lists of one workspace, as they were read.
 *
 * @param dateOf the date of a moment of the readings' clock
 */
export const reportedLists = (
  workspace: string,
  readings: ReadonlyMap<List, Reading<readonly Mapping[]>>,
  seen: SeenLists,
  dateOf: (atMs: number) => number,
): readonly ReportedList[] =>
  lists.map((list) => {
    const reading = readings.get(list)
    const known = at(seen, `${workspace}/${list}`)
    return {
      list,
      status: reading?.status ?? 'notRead',
      ...defined({
        read: reading === undefined ? undefined : timeText(dateOf(reading.atMs)),
        seenFrom: known === undefined ? undefined : timeText(known.fromMs),
        why: whyIncomplete(reading),
      }),
    }
  })

/** A time that the calendar lacks is after all others. */
export const timeText = (ms: number): string => isoTime(ms) ?? '9999-12-31T23:59:59.999Z'
