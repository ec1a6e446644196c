import type { Program } from '../compose/compose.ts'
import { differenceMs } from '../core/dates.ts'
import { type Check, checksInOrder, type DoctorFinding } from '../core/doctor/check.ts'
import {
  type CredentialFacts,
  credentialCheck,
  distinctFindings,
  foundCheck,
  isElsewhere,
  isUseless,
  type ReadRefusals,
  type Refusal,
  scheduleSeen,
  serviceCheck,
} from '../core/doctor/planeChecks.ts'
import { asFound, checkOf, type WorkspaceFacts, workspaceChecks } from '../core/doctor/workspaceChecks.ts'
import { listsInScope } from '../core/existing.ts'
import { scheduleLoads, scheduleTooShort, type TickWork } from '../core/findings/scheduleLoad.ts'
import { type GroupIndex, groupCount } from '../core/group.ts'
import { type GroupName, type List, lists, type WorkspaceName } from '../core/mapping.ts'
import type { Memory } from '../core/memory/memory.ts'
import { counted, durationText } from '../core/quantity.ts'
import { isComplete, notesOf, type Reading, valueIfRead } from '../core/reading.ts'
import type { DirectoryReport, WorkspaceAbout } from '../core/report.ts'
import { nothingDeclared } from '../core/rule.ts'
import { visible } from '../core/safeName.ts'
import { checkDirectory } from '../cycle/checkDirectory.ts'
import type { CycleSources, ReportedBinding } from '../cycle/cycle.ts'
import { type CycleReport, stoppedText, type WorkspaceReport } from '../cycle/cycleReport.ts'
import { PlaneError } from '../plane/errors.ts'
import type { KeptReadings } from '../recording/readings.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { failure } from './errorReport.ts'

/** What is examined, and with what. `readings`: what the cycle has read. */
type Examined = {
  readonly loaded: LoadedSettings
  readonly program: Pick<Program, 'sources' | 'probes'>
  readonly readings: KeptReadings
  readonly memory: Memory
  /** The only workspaces; undefined: all. */
  readonly only: ReadonlySet<WorkspaceName> | undefined
}

/** Tries each credential of these workspaces with one request that creates nothing. */
export async function tryCredentials({ program, only }: Examined, signal: AbortSignal): Promise<readonly CredentialFacts[]> {
  const asked = [...program.sources.bindings].filter(([, bindings]) => bindings.some(({ workspace }) => only?.has(workspace) !== false))
  return Promise.all(
    asked.map(async ([name]): Promise<CredentialFacts> => {
      try {
        return { name, owner: await program.probes.owner(name, signal) }
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof PlaneError)) throw error
        return { name, refusal: refusalText(error) }
      }
    }),
  )
}

/** The workspaces that a cycle can ask something about. */
export function askable({ program, only }: Examined, credentials: readonly CredentialFacts[]): ReadonlySet<WorkspaceName> {
  const useless = new Set(credentials.flatMap(({ name, refusal }) => (refusal !== undefined && isUseless(refusal) ? [name] : [])))
  const chosen = [...program.sources.bindings].flatMap(([credential, bindings]) => (useless.has(credential) ? [] : bindings))
  return new Set(chosen.map(({ workspace }) => workspace).filter((name) => only?.has(name) !== false))
}

const refusalText = ({ code, message, cure }: PlaneError): Refusal => ({
  code,
  sentence: message,
  ...(cure === undefined ? {} : { cure }),
})

/**
 * All checks that need Plane or the directories.
 *
 * @param report of a cycle over the workspaces that can be asked; undefined: there was none, for `whyNone`
 */
export async function examine(
  examined: Examined,
  credentials: readonly CredentialFacts[],
  report: CycleReport | undefined,
  whyNone: string,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const { loaded, program, only } = examined
  const { sources } = program
  const bindings = [...sources.bindings.values()].flat().filter(({ workspace }) => only?.has(workspace) !== false)
  const byName = new Map(bindings.map((binding) => [binding.workspace, binding]))
  const planned = new Map((report?.workspaces ?? []).map((workspace) => [workspace.workspace, workspace]))
  const asked: WorkspaceFacts[] = []
  for (const [name, binding] of byName) asked.push(await factsOf(binding, planned.get(name), whyNone, examined, signal))
  const accesses = asked.flatMap((fact) => (fact.kind === 'unasked' ? [] : [fact.kind === 'failed' ? fact.access : undefined]))
  const isNowhere = isElsewhere(credentials, accesses)
  const facts = isNowhere ? asked.map(({ about }) => ({ about, kind: 'unasked' as const, why: 'Plane did not answer' })) : asked
  const directories = await directoryChecks(examined, report, signal)
  const isOfDirectory = ({ place }: DoctorFinding) =>
    directories.some(({ check: { place: name } }) => place === name || place.startsWith(`${name}: `))
  const ofPlans = facts.flatMap((fact) => (fact.kind === 'read' ? fact.plan.findings.map(asFound) : []))
  const abouts = await Promise.all(bindings.map(async (binding) => planned.get(binding.workspace)?.about ?? binding.about('none', signal)))
  const names = new Map(directories.flatMap(({ name, names: known }) => (known === undefined ? [] : [[name, known] as const])))
  const whole = facts.map((fact) =>
    fact.kind === 'read'
      ? { ...fact, plan: { ...fact.plan, findings: fact.plan.findings.filter((one) => !isOfDirectory(asFound(one))) } }
      : fact,
  )
  return checksInOrder([
    serviceCheck(loaded.settings.service.baseUrl, credentials, isNowhere),
    ...credentials.map((credential) => credentialCheck(credential, isNowhere)),
    await clockCheck(bindings, signal),
    ...scheduleChecks(credentials, abouts, sources.bindings, facts),
    ...directories.map(({ name, check }) => ({
      ...check,
      findings: distinctFindings([
        ...check.findings,
        ...ofPlans.filter(({ place }) => place === name || place.startsWith(`${name}: `)),
      ]).filter(({ code }) => code !== 'reading-incomplete'),
    })),
    ...whole.flatMap((fact) => workspaceChecks(fact, names)),
  ])
}

async function factsOf(
  binding: ReportedBinding,
  planned: WorkspaceReport | undefined,
  whyNone: string,
  { program, readings }: Examined,
  signal: AbortSignal,
): Promise<WorkspaceFacts> {
  const { workspace } = binding
  if (planned === undefined) return { about: await binding.about('none', signal), kind: 'unasked', why: whyNone }
  const { about } = planned
  if (planned.kind === 'stopped') return { about, kind: 'unasked', why: stoppedText }
  if (planned.kind === 'failed') {
    const { failed, cure } = failure(planned.error)
    const error = { code: 'failed', sentence: failed, ...(cure === undefined ? {} : { cure }) }
    return { about, kind: 'failed', access: await accessOf(program, workspace, signal), error }
  }
  const declared = readings.declared?.workspaces.get(workspace) ?? nothingDeclared(workspace)
  const inScope = listsInScope(declared)
  const kept = readings.workspaces.get(workspace)
  const existing = [...inScope].flatMap((list) => valueIfRead(kept?.lists.get(list)) ?? [])
  const unmanagedLists = new Map<List, number>()
  for (const list of lists) {
    if (inScope.has(list)) continue
    const reading = await binding.read.mappings(list, signal)
    if (reading.status === 'failed') {
      const error = { code: 'failed', sentence: reading.why, ...(reading.cure === undefined ? {} : { cure: reading.cure }) }
      return { about, kind: 'failed', access: await accessOf(program, workspace, signal), error }
    }
    unmanagedLists.set(list, valueIfRead(reading)?.length ?? 0)
  }
  return {
    about,
    kind: 'read',
    plan: planned.judged.plan,
    declared,
    existing,
    projects: valueIfRead(kept?.projects)?.size,
    unmanagedLists,
    groupSync: about.groupSync,
  }
}

async function accessOf({ probes }: Examined['program'], workspace: WorkspaceName, signal: AbortSignal): Promise<ReadRefusals> {
  const { mappings, projects } = await probes.access(workspace, signal)
  return {
    ...(mappings === undefined ? {} : { mappings: refusalText(mappings) }),
    ...(projects === undefined ? {} : { projects: refusalText(projects) }),
  }
}

/** `names`: those of its groups; undefined if it was not read whole. */
type DirectoryChecked = { readonly name: string; readonly check: Check; readonly names: Iterable<GroupName> | undefined }

/** Each directory of the settings. One that no rule of the cycle asked for is read now. */
async function directoryChecks(
  { program: { sources }, readings, memory }: Examined,
  report: CycleReport | undefined,
  signal: AbortSignal,
): Promise<readonly DirectoryChecked[]> {
  const asked = new Map((report?.directories ?? []).map((directory) => [directory.name, directory]))
  return Promise.all(
    [...sources.directories].map(async ([name, directory]): Promise<DirectoryChecked> => {
      const reported = asked.get(name)
      const kept = readings.directories.get(name)
      if (reported !== undefined && kept !== undefined)
        return directoryChecked(reported, [], reported.status === 'complete' ? valueIfRead(kept)?.keys() : undefined)
      const reading = checkDirectory(name, await directory.read(signal), directory, memory)
      const notes = notesOf(reading).map((note) => asFound({ ...note, place: name }))
      return directoryChecked(reportOf(name, directory, reading), notes, isComplete(reading) ? reading.value.keys() : undefined)
    }),
  )
}

function reportOf(name: string, { kind }: { readonly kind: string }, reading: Reading<GroupIndex>): DirectoryReport {
  const { status, tookMs, atMs } = reading
  const why = reading.status === 'partial' ? reading.missing : reading.status === 'failed' ? withCure(reading) : undefined
  const groups = reading.status === 'failed' ? 0 : groupCount(reading.value)
  return { name, kind, status, tookMs, atMs, groups, ...(why === undefined ? {} : { why }) }
}

const withCure = ({ why, cure }: { readonly why: string; readonly cure?: string }): string => (cure === undefined ? why : `${why}: ${cure}`)

function directoryChecked(
  { name, kind, status, groups, why, tookMs }: DirectoryReport,
  notes: readonly DoctorFinding[],
  names: Iterable<GroupName> | undefined,
): DirectoryChecked {
  const place = visible(name)
  const seen = `${kind}, ${status}, ${counted(groups, 'group')}, ${durationText(tookMs)}`
  const finding: readonly DoctorFinding[] =
    status === 'complete'
      ? []
      : [
          {
            code: status === 'failed' ? 'directory-unread' : 'directory-incomplete',
            severity: status === 'failed' ? 'error' : 'warning',
            place: name,
            sentence: why ?? 'it was not read whole',
            cure: `until it is read whole, mappings stay as they are, and rules with its groups wait; plane-group-sync groups --directory ${name} reads only it`,
          },
        ]
  return {
    name,
    check: { check: 'directory', place, seen, findings: [...finding, ...notes] },
    names: names === undefined ? undefined : [...names],
  }
}

async function clockCheck(bindings: readonly ReportedBinding[], signal: AbortSignal): Promise<Check> {
  const [first] = bindings
  const check = { check: 'clock', place: 'this machine' } as const
  const difference = first === undefined ? undefined : differenceMs(first.dates())
  if (first === undefined || difference === undefined)
    return { ...check, seen: 'not compared: no answer of Plane has its time', skipped: true, findings: [] }
  const { shared } = await first.about('none', signal)
  const seen =
    Math.abs(difference) < 1_500
      ? "the same as Plane's"
      : `${durationText(Math.abs(difference))} ${difference < 0 ? 'ahead of' : 'behind'} Plane's`
  return { ...check, seen, findings: shared.map(asFound) }
}

/** The calls of all workspaces of each credential against its limit. A workspace that was not read counts like the average of those that were. */
function scheduleChecks(
  credentials: readonly CredentialFacts[],
  abouts: readonly WorkspaceAbout[],
  bindings: CycleSources['bindings'],
  facts: readonly WorkspaceFacts[],
): readonly Check[] {
  return credentials.map(({ name }): Check => {
    const own = abouts.filter(({ credential }) => credential === name)
    const total = bindings.get(name)?.length ?? own.length
    const average = Math.ceil(own.reduce((sum, { quietCalls }) => sum + quietCalls, 0) / Math.max(1, own.length))
    const [first] = own as [WorkspaceAbout]
    const works: readonly TickWork[] = Array.from({ length: total }, (_, index) => own[index] ?? { ...first, quietCalls: average })
    const inputs = works.map((about) => ({ about }))
    const [load] = scheduleLoads(inputs)
    const ofPlans = facts
      .flatMap((fact) => (fact.kind === 'read' && fact.about.credential === name ? fact.plan.findings : []))
      .filter((one) => checkOf(one) === 'schedule')
    const seen = load === undefined ? 'no workspace' : scheduleSeen(load.calls, load.allowed, durationText(load.intervalMs))
    return foundCheck('schedule', visible(name), seen, distinctFindings([...scheduleTooShort(inputs), ...ofPlans].map(asFound)))
  })
}
