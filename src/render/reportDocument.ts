import type { AccessRow, Unsure } from '../core/access/access.ts'
import { compare } from '../core/compare.ts'
import {
  type GroupName,
  groupOfKey,
  type Key,
  type List,
  lists,
  type Mapping,
  presentRole,
  type Role,
  targetOfKey,
  type WorkspaceName,
} from '../core/mapping.ts'
import { listName } from '../core/memory/knownMappings.ts'
import type { Edit, SeenLists } from '../core/memory/seen.ts'
import { at } from '../core/memory/shardedMap.ts'
import { didYouMean } from '../core/nearest.ts'
import { defined } from '../core/optionalFields.ts'
import { firstNames, isoTime } from '../core/quantity.ts'
import { type Reading, whyIncomplete } from '../core/reading.ts'
import type { DeclarationReport } from '../core/report.ts'
import { isProtected, type RoleSettings } from '../core/roles.ts'
import { visible } from '../core/safeName.ts'
import type { ReportDocument, ReportRow } from '../documents/report.ts'
import { documentBecause, documentTarget } from './documentParts.ts'

/** What a report is made from. Times are epoch ms by the date. */
export type ReportView = {
  readonly atMs: number
  readonly from: ReportDocument['from']
  readonly service: NonNullable<ReportDocument['service']>
  readonly declaration?: Pick<DeclarationReport, 'hash' | 'revision'> & { readonly files?: number }
  /** The date by which a recording was planned, if that is not `atMs`. */
  readonly plannedMs?: number
  readonly journal?: { readonly folder: string; readonly fromMs?: number }
  readonly workspaces: readonly (ReportedWorkspace | { readonly workspace: string; readonly failed: string })[]
}

type ReportedWorkspace = {
  readonly workspace: string
  readonly fingerprint?: string
  readonly lists: readonly ReportedList[]
  readonly rows: readonly AccessRow[]
  readonly roles: RoleSettings
  /** What others changed. Absent: not known. */
  readonly edits?: readonly Edit[]
}
type ReportEdit = NonNullable<ReportDocument['workspaces'][number]['edits']>[number]
type ReportedList = ReportDocument['workspaces'][number]['lists'][number]

/** Which rows a report has. An empty field chooses all. */
export type ReportFilter = {
  readonly roles: readonly string[]
  readonly owners: readonly string[]
  readonly groups: readonly string[]
  /** Rules that end before this moment, epoch ms. */
  readonly endsBeforeMs?: number
}

export function reportDocument(view: ReportView, filter: ReportFilter): ReportDocument {
  const { atMs, from, service, declaration, plannedMs, journal, workspaces } = view
  return defined({
    format: 'plane-group-sync/report' as const,
    version: 1 as const,
    at: timeText(atMs),
    from,
    service,
    declaration: declaration && defined({ hash: declaration.hash, files: declaration.files, revision: declaration.revision }),
    journal: journal && defined({ folder: journal.folder, from: journal.fromMs === undefined ? undefined : isoTime(journal.fromMs) }),
    filter: isAll(filter) ? undefined : filterOf(filter),
    planned: plannedMs === undefined ? undefined : timeText(plannedMs),
    workspaces: workspaces.map((workspace) =>
      'failed' in workspace
        ? { workspace: workspace.workspace, failed: workspace.failed, lists: [], rows: [] }
        : reportedWorkspace(workspace, filter),
    ),
  })
}

function reportedWorkspace(
  { workspace, fingerprint, lists: read, rows, roles, edits }: ReportedWorkspace,
  filter: ReportFilter,
): ReportDocument['workspaces'][number] {
  const asksForRule = filter.owners.length > 0 || filter.endsBeforeMs !== undefined
  const wanted = rows.filter((row) => isMappingWanted(row, filter))
  const withoutRule = wanted.filter(({ standing, because }) => standing === 'unknown' && because === undefined).length
  return defined({
    workspace,
    fingerprint,
    lists: read,
    rows: wanted.filter((row) => isRuleWanted(row, filter)).map((row) => rowOf(row, roles)),
    edits: asksForRule ? undefined : edits?.filter((edit) => isEditWanted(edit, filter)).map(editOf),
    withoutRule: asksForRule && withoutRule > 0 ? withoutRule : undefined,
  })
}

const isAll = ({ roles, owners, groups, endsBeforeMs }: ReportFilter): boolean =>
  roles.length + owners.length + groups.length === 0 && endsBeforeMs === undefined
const filterOf = ({ roles, owners, groups, endsBeforeMs }: ReportFilter): NonNullable<ReportDocument['filter']> =>
  defined({ roles, owners, groups, endsBefore: endsBeforeMs === undefined ? undefined : timeText(endsBeforeMs) })

/** What is not certain may be either. */
const isMappingWanted = ({ role, group, unsure }: AccessRow, filter: ReportFilter): boolean =>
  areWanted(filter, [role, unsure?.role], [group, unsure?.key && groupOfKey(unsure.key)])

const isRuleWanted = ({ because }: AccessRow, { owners, endsBeforeMs }: ReportFilter): boolean =>
  (owners.length === 0 || owners.includes(because?.owner ?? '')) &&
  (endsBeforeMs === undefined || (because?.expiresMs !== undefined && because.expiresMs <= endsBeforeMs))

const isEditWanted = ({ key, from, before, after }: Edit, filter: ReportFilter): boolean =>
  areWanted(filter, [before, after], [groupOfKey(key), from && groupOfKey(from)])

/** Whether one of the roles and one of the groups is asked for. */
const areWanted = (
  filter: Pick<ReportFilter, 'roles' | 'groups'>,
  roles: readonly (Role | null | undefined)[],
  groups: readonly (GroupName | undefined)[],
): boolean =>
  (filter.roles.length === 0 || roles.some((role) => role !== undefined && filter.roles.includes(presentRole(role)))) &&
  (filter.groups.length === 0 || groups.some((group) => group !== undefined && filter.groups.includes(group)))

/**
 * A line for each role, owner and group of the filter that no row has, with the names that rows have: the report of a misspelt name is
 * empty, and looks as if no one had the role.
 */
export function notFoundText({ workspaces }: ReportView, filter: ReportFilter): string {
  const rows = workspaces.flatMap((workspace) => ('failed' in workspace ? [] : workspace.rows))
  const edits = workspaces.flatMap((workspace) => ('failed' in workspace ? [] : (workspace.edits ?? [])))
  const roles = [...rows.flatMap(({ role, unsure }) => [role, unsure?.role]), ...edits.flatMap(({ before, after }) => [before, after])]
  const keys = [...rows.map(({ unsure }) => unsure?.key), ...edits.flatMap(({ key, from }) => [key, from])]
  const groups = [...rows.map(({ group }) => group), ...keys.map((key) => key && groupOfKey(key))]
  const has = {
    role: new Set<string>(roles.flatMap((role) => (role === undefined ? [] : presentRole(role)))),
    owner: new Set(rows.flatMap(({ because }) => because?.owner ?? [])),
    group: new Set<string>(groups.filter((group) => group !== undefined)),
  }
  return [
    ...unmatched('no mapping has the role', filter.roles, has.role),
    ...unmatched('no mapping is known to have a rule of the owner', filter.owners, has.owner),
    ...unmatched('no mapping is of the group', filter.groups, has.group),
  ].join('')
}

const unmatched = (sentence: string, asked: readonly string[], has: ReadonlySet<string>): readonly string[] =>
  asked
    .filter((name) => !has.has(name))
    .map((name) => {
      const meant = didYouMean(name, has).trimEnd()
      const names = has.size === 0 ? '' : `they have ${firstNames([...has].toSorted(compare).map(visible))}`
      return `${[`${sentence} "${visible(name)}"`, meant === '' ? names : visible(meant)].filter((part) => part !== '').join('; ')}\n`
    })

const placeOfKey = (key: Key) => ({ target: documentTarget(targetOfKey(key)), group: groupOfKey(key) })
const editOf = ({ by, afterMs, atMs, key, from, before, after }: Edit): ReportEdit =>
  defined({
    by: by === 'others' ? ('others' as const) : ('unknown' as const),
    after: afterMs === undefined ? undefined : timeText(afterMs),
    at: timeText(atMs),
    ...placeOfKey(key),
    from: from && placeOfKey(from),
    before,
    role: after,
  })

function rowOf(
  { id, key, group, label, target, role, size, standing, because, since, revision, agreements, unsure }: AccessRow,
  roles: RoleSettings,
): ReportRow {
  return defined({
    id,
    group,
    label,
    target: documentTarget(target),
    role,
    protected: role !== null && isProtected(role, target, roles) ? (true as const) : undefined,
    size,
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
    unsure: unsure && unsureOf(unsure, key),
  })
}

const unsureOf = ({ afterMs, atMs, key, role, isNew }: Unsure, rowKey: Key): NonNullable<ReportRow['unsure']> =>
  defined({
    after: timeText(afterMs),
    at: timeText(atMs),
    moved: key === undefined || key === rowKey ? undefined : placeOfKey(key),
    role,
    isNew,
  })

/**
 * The lists of one workspace, as they were read.
 *
 * @param dateOf the date of a moment of the readings' clock
 */
export const reportedLists = (
  workspace: WorkspaceName,
  readings: ReadonlyMap<List, Reading<readonly Mapping[]>>,
  seen: SeenLists,
  dateOf: (atMs: number) => number,
): readonly ReportedList[] =>
  lists.map((list) => {
    const reading = readings.get(list)
    const known = at(seen, listName(workspace, list))
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
