import { hash } from 'node:crypto'
import { noLongerNeeded, type SteadyClock } from '../core/clock.ts'
import type { Dates } from '../core/dates.ts'
import { messageOf } from '../core/errorText.ts'
import type { Finding } from '../core/finding.ts'
import { budgetNear } from '../core/findings/budgetNear.ts'
import { outlasting } from '../core/findings/scheduleLoad.ts'
import { changesBeforeCheck } from '../core/firstCreates.ts'
import type { GroupSync } from '../core/groupSync.ts'
import type { GuardSettings } from '../core/judge/guardSettings.ts'
import type { List } from '../core/mapping.ts'
import { complete } from '../core/optionalFields.ts'
import type { Plan } from '../core/plan.ts'
import type { Policy } from '../core/policy.ts'
import type { BudgetSnapshot, WorkspaceAbout } from '../core/report.ts'
import type { Waiver } from '../core/waiver.ts'
import type { ReportedBinding } from '../cycle/cycle.ts'
import type { Reader } from '../cycle/readExisting.ts'
import { unlessAborted } from '../http/origin.ts'
import type { Plane } from '../plane/client.ts'
import { perPageMax } from '../plane/pages.ts'
import type { Queue } from '../plane/rate/queue.ts'
import type { PlaneWorkspace } from '../plane/resources.ts'
import { cost, type Work } from '../render/cost.ts'
import type { Settings } from '../settings/schema.ts'
import type { CachedReader } from './cachedReader.ts'

/** One workspace of the settings, with its slug, its credential and its client. */
export type BoundWorkspace = {
  readonly workspace: PlaneWorkspace
  readonly credential: string
  readonly plane: () => Plane
  readonly read: CachedReader
  readonly policy: Policy
  readonly suspend: boolean | 'grants'
  readonly guards: GuardSettings
}

/** What a plan needs to know of one workspace. `read`: of Plane, or of a recording. */
type PlannedWorkspace = Pick<BoundWorkspace, 'workspace' | 'credential' | 'policy' | 'suspend' | 'guards'> & { readonly read: Reader }

type BindingContext = {
  readonly settings: Pick<Settings, 'roles' | 'later' | 'approvals'> & {
    readonly service: Pick<Settings['service'], 'limit' | 'unknownOutcomeWait'>
  }
  readonly hasJournal: boolean
  readonly intervalMs: number
  readonly waivers: readonly Waiver[]
  readonly dates: () => Dates
  /** Findings that all workspaces share. */
  readonly sharedFindings: () => readonly Finding[]
  readonly host: string
  readonly budget: () => BudgetSnapshot
  readonly clock: Pick<SteadyClock, 'sleep'>
}

/** `work`: what writing changes costs, by the last reading. */
type ComposedBinding = ReportedBinding & { readonly credential: string; work(changes: Plan['changes']): Work }

/** The parts of one workspace that a cycle gets. They can read, and they cannot write. */
export function bindingOf(
  { workspace, credential, read: asking, policy, suspend, guards }: PlannedWorkspace,
  {
    settings: { roles, later, approvals: doors, service },
    hasJournal,
    intervalMs,
    waivers,
    dates,
    sharedFindings,
    host,
    budget,
    clock,
  }: BindingContext,
): ComposedBinding {
  const { read, quietCalls, readCalls } = withQuietCalls(asking)
  const sliceChanges = sliceChangesOf(service.limit.requests)
  const work = (changes: Plan['changes']): Work => ({
    changes: changes.length,
    changesBeforeCheck: changesBeforeCheck(changes, sliceChanges),
    reads: quietCalls(),
    sliceChanges,
    budget: budget(),
  })
  return {
    workspace: workspace.name,
    slug: workspace.slug,
    credential,
    suspend,
    read,
    guards,
    waivers,
    dates,
    horizonMs: later.horizon,
    hasJournal,
    options: { origin: `${host}/${workspace.slug}`, policy, roles, doors, hash: sha256 },
    async about(settings, signal) {
      const made = readCalls()
      // The slices of an apply have read, too. One call is for the settings of group sync.
      const readingCalls = 1 + (settings === 'brief' ? quietCalls() : made)
      const readSettings = () => (settings === 'brief' ? withTimeout(read.groupSync, briefMs, clock, signal) : read.groupSync(signal))
      const { groupSync, groupSyncUnread } = settings === 'none' ? noSettings : await settingsRead(readSettings, signal)
      return complete<WorkspaceAbout>({
        workspace: workspace.name,
        slug: workspace.slug,
        host,
        policy,
        suspend,
        doors,
        credential,
        roles,
        budget: budget(),
        quietCalls: quietCalls(),
        readingCalls,
        sliceChanges,
        intervalMs,
        unknownOutcomeWaitMs: service.unknownOutcomeWait,
        groupSync,
        groupSyncUnread,
        shared: sharedFindings(),
      })
    },
    work,
    findings({ changes }) {
      return [
        ...budgetNear({ credential, ...budget() }, quietCalls() + changes.length),
        ...outlasting(workspace.name, cost(work(changes)), intervalMs),
      ]
    },
  }
}

/**
 * How many changes one slice of a long plan has: as many as a few windows of the rate limit allow.
 *
 * @param requests the limit of one window
 */
export const sliceChangesOf = (requests: number): number => 3 * requests

/** How long the result of writes waits for the settings. A read without a wait takes less than a second. */
const briefMs = 3_000

type ShownSettings = Pick<WorkspaceAbout, 'groupSync' | 'groupSyncUnread'>
const noSettings: ShownSettings = {}

/** The settings of group sync are only shown here, so a plan goes on without them. */
async function settingsRead(read: () => Promise<GroupSync>, signal: AbortSignal): Promise<ShownSettings> {
  try {
    return { groupSync: await read() }
  } catch (error) {
    return signal.aborted || isTooLate(error) ? noSettings : { groupSyncUnread: messageOf(error) }
  }
}

export function budgetSnapshot(queue: Queue): BudgetSnapshot {
  const { limit, allowed, others, remaining, waitMs, waitsMs, windowMs } = queue.view()
  return { limit, allowed, others, remaining, waitMs, waitsMs, windowMs }
}

const sha256 = (text: string): string => hash('sha256', text)

const tooLate = new Error('its time is over')

/**
 * Runs `read`, and gives it up after `ms`, also while it waits for the rate limit.
 *
 * @throws the error of `read`; the reason of `signal`; or an error that says that the time is over
 */
async function withTimeout<T>(
  read: (signal: AbortSignal) => Promise<T>,
  ms: number,
  { sleep }: Pick<SteadyClock, 'sleep'>,
  signal: AbortSignal,
): Promise<T> {
  const late = new AbortController()
  const ended = new AbortController()
  sleep(ms, ended.signal).then(
    () => late.abort(tooLate),
    () => undefined,
  )
  const until = AbortSignal.any([signal, late.signal])
  try {
    return await unlessAborted(read(until), until)
  } finally {
    ended.abort(noLongerNeeded)
  }
}

/** Whether an error of `withTimeout` says that the time is over. */
const isTooLate = (error: unknown): boolean => error === tooLate

/** The estimate before anything was read: both lists and one page of projects. */
const usualCalls = 3

/**
 * The same reader, and the calls that it made. `quietCalls`: those of a cycle without changes. They are one for each list that was read, since mappings come
 * in one answer, and one for each page of the projects that were found. `readCalls`: those since it was last asked: lists, also those that were read a second
 * time, pages of projects, and mappings that were asked for by id. Retries do not count.
 */
export function withQuietCalls(read: Reader): { readonly read: Reader; quietCalls(): number; readCalls(): number } {
  const calls: Partial<Record<List | 'projects', number>> = {}
  let made = 0
  const counted = (name: List | 'projects', count: number) => {
    calls[name] = count
    made += count
  }
  return {
    quietCalls: () => Object.values(calls).reduce((total, count) => total + count, 0) || usualCalls,
    readCalls() {
      const before = made
      made = 0
      return before
    },
    read: {
      ...read,
      async mappings(list, signal) {
        counted(list, 1)
        return read.mappings(list, signal)
      },
      async mapping(list, id, signal) {
        made++
        return read.mapping(list, id, signal)
      },
      async projects(signal) {
        const reading = await read.projects(signal)
        if (reading.status !== 'failed') counted('projects', Math.max(1, Math.ceil(reading.value.size / perPageMax)))
        return reading
      },
    },
  }
}
