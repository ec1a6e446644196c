import type { Moment } from '../core/clock.ts'
import { type Dates, dayEndMs, latestMs } from '../core/dates.ts'
import type { DiffOptions } from '../core/diff/draft.ts'
import type { Key, List, WorkspaceName } from '../core/mapping.ts'
import { waiversOfApprovals } from '../core/memory/approvals.ts'
import { keysByGroup, keysById, knownIds, knownSize, listName } from '../core/memory/knownMappings.ts'
import { lastAppliedAt } from '../core/memory/lastApplied.ts'
import type { Memory } from '../core/memory/memory.ts'
import { at, recordOf } from '../core/memory/shardedMap.ts'
import { once } from '../core/once.ts'
import { defined } from '../core/optionalFields.ts'
import { knownRoles, type RoleSettings } from '../core/roles.ts'
import { positionText } from '../core/rule.ts'
import type { Waiver } from '../core/waiver.ts'
import type { PlanSettings } from '../reconcile.ts'
import type { Remembered } from './draftPlan.ts'
import { ownedFrom } from './ownership.ts'
import type { Declared, WorkspaceContext, WorkspaceCycle } from './workspaceContext.ts'

type SliceInput = Pick<WorkspaceContext, 'binding' | 'declared' | 'unasked'> & {
  readonly cycle: WorkspaceCycle
  readonly readAt: Moment
}

/** The settings, the waivers and the memory with which a slice of a workspace is planned and judged. */
export function planSettingsOf({ binding, declared, unasked, cycle, readAt }: SliceInput, more: readonly Waiver[]): PlanSettings {
  const { workspace, options, guards, suspend, dates } = binding
  const { memory, now, countPeople } = cycle
  // An approval that an order gave while the settings allowed it must not pass a door that is shut now.
  const approvals = options.doors === 'any' ? waiversOfApprovals(memory().approvals, workspace, dates().hereMs) : []
  // What the ID of a set or of a plan let pass in an earlier slice or round stays named one by one, and the ID lets nothing else pass.
  const resolved = [...(cycle.waived ?? []), ...more]
  const used = new Set(resolved.flatMap((waiver) => waiver.used ?? []))
  const open = binding.waivers.map((waiver) => ({ ...waiver, ids: waiver.ids.filter((id) => !used.has(id)) }))
  const echoes = echoesOf(memory(), workspace, options.roles)
  const waivers = [...open, ...waiversInWords(declared, workspace), ...approvals, ...resolved]
  return {
    guards,
    waivers,
    memory,
    now,
    dates,
    others: [...declared.workspaces.values()].filter((declaration) => declaration.workspace !== workspace),
    recordedGroups: binding.recordedGroups,
    countPeople: countPeople({ roles: options.roles, hash: options.hash, clock: cycle, asOfMs: cycle.began.wallMs }),
    diff: {
      ...options,
      laterUntilMs: cycle.horizonOf?.(workspace) ?? dayEndMs(latestMs(dates()) + binding.horizonMs),
      listsUnchanged: cycle.listsUnchanged === true,
      echoes,
      ...(binding.hasJournal && {
        owned: ownedFrom(
          memory(),
          { workspace, options: { ...options, echoes }, dates, readAt },
          (file) => declared.names?.has(file) !== false,
        ),
      }),
    },
    ...defined({ asked: cycle.asked, unasked }),
    gate: { suspend, declaration: declared.hash },
    remembered: rememberedOf(memory, workspace, waivers, dates, readAt),
  }
}

/** The waivers that the files of a workspace declare. */
const waiversInWords = ({ workspaces }: Declared, workspace: WorkspaceName): readonly Waiver[] =>
  (workspaces.get(workspace)?.waivers ?? []).map(({ words, untilMs, fenced, because: { at, owner } }) => ({
    ids: [],
    words,
    at,
    by: owner ?? at.file,
    untilMs,
    source: positionText(at),
    ...(fenced === true ? { fenced } : {}),
  }))

/**
 * The service's own names for roles. A role that the settings know is no such name: a service that answers `admin` for `member` has given another role
 * than was sent.
 */
export function echoesOf({ echoes }: Memory, workspace: WorkspaceName, roles: RoleSettings): DiffOptions['echoes'] {
  const known = new Set(knownRoles(roles))
  const namesIn = (list: List) =>
    Object.fromEntries(Object.entries(echoes[listName(workspace, list)] ?? {}).filter(([, echoed]) => !known.has(echoed)))
  return { workspaceRoles: namesIn('workspaceRoles'), projectRoles: namesIn('projectRoles') }
}

function rememberedOf(
  memory: () => Memory,
  workspace: WorkspaceName,
  waivers: readonly Waiver[],
  dates: () => Dates,
  readAt: Moment,
): Remembered {
  const knownOf = (list: List) => at(memory().mappings, listName(workspace, list))
  const keysOf = {
    workspaceRoles: once(() => keysById(knownOf('workspaceRoles'))),
    projectRoles: once(() => keysById(knownOf('projectRoles'))),
  }
  const keysOfGroup = {
    workspaceRoles: once(() => keysByGroup(knownOf('workspaceRoles'))),
    projectRoles: once(() => keysByGroup(knownOf('projectRoles'))),
  }
  const isJustWritten = (key: Key) => {
    const last = lastAppliedAt(memory().lastApplied, key)
    return last?.role !== undefined && readAt.steadyMs < last.shownFromMs
  }
  const { groupIds, projectIds, meantGroups } = memory()
  const groupsOf = (directory: string) => Object.keys(recordOf(groupIds)).filter((name) => name.startsWith(`${directory}/`)).length
  const isWaived = (pass: string) => waivers.some(({ ids, untilMs }) => ids.includes(pass) && latestMs(dates()) < untilMs)
  return {
    groups: { ids: at(meantGroups, workspace), lastId: (name) => at(groupIds, name), countOf: groupsOf, isWaived },
    projects: { ids: at(projectIds, workspace) ?? {}, isWaived },
    sizeOf: (list) => knownSize(knownOf(list)),
    known: {
      idsOf: (list, key) => knownIds(knownOf(list), key),
      keysOf: (list, id) => keysOf[list]().get(id) ?? [],
      keysOfGroup: (list, group) => keysOfGroup[list]().get(group) ?? [],
      isSettled: (key) => !isJustWritten(key),
    },
    lastApplied: () => memory().lastApplied,
  }
}
