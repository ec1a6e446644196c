import { compose } from '../compose/compose.ts'
import { realClock } from '../compose/realClock.ts'
import { type Check, checksInOrder, type DoctorFinding, isUnwell } from '../core/doctor/check.ts'
import { errorParts } from '../core/errorText.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import type { Memory } from '../core/memory/memory.ts'
import { OperationalError } from '../core/operationalError.ts'
import { counted, roughText } from '../core/quantity.ts'
import type { CycleSources, ReportedBinding } from '../cycle/cycle.ts'
import { type DoctorDocument, doctorChecksSchema } from '../documents/doctor.ts'
import { openReadingsKeeper } from '../recording/readings.ts'
import { callsAMinute, timeOf } from '../render/cost.ts'
import { checkFrom, documentCheck } from '../render/doctorJson.ts'
import { doctorText } from '../render/doctorText.ts'
import { documentText } from '../render/documentText.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { InvalidInput } from '../yaml/problem.ts'
import { type Call, type Command, choice, exitCodes, UsageError } from './command.ts'
import { groupFormats } from './description.ts'
import { askable, examine, tryCredentials } from './examine.ts'
import { filesCheck, journalChecks, problemFinding, secretsCheck, settingsCheck } from './examineFiles.ts'
import { dryCycle, worldFor } from './open.ts'
import { claimedName, type RunningDaemon, runningDaemon } from './orders/askDaemon.ts'
import { InvalidSettings, openSettings, openSettingsWithoutKey } from './settings.ts'
import { hasColours } from './terminal.ts'
import { onlyWorkspaces } from './workspaces.ts'

export const command: Command = {
  async run(call) {
    const { values, terminal, signal } = call
    const format = choice('format', values.format, groupFormats, 'text')
    const { checks, by, isInvalid } = await diagnosed(call)
    signal.throwIfAborted()
    const shown = checksInOrder(checks).map((check) => scrubbed(check, terminal.secrets.scrub))
    const well = !isUnwell(shown)
    if (format === 'json') {
      const at = new Date(realClock.wall()).toISOString()
      const document: DoctorDocument = { format: 'plane-group-sync/doctor', version: 1, at, well, by, checks: shown.map(documentCheck) }
      terminal.out(`${documentText(document)}\n`)
    } else {
      const colour = hasColours(terminal.env, terminal.isTerminal.out, values)
      terminal.out(doctorText(shown, { colour, width: terminal.columns, all: values.all === true }))
    }
    return isInvalid ? exitCodes.configuration : well ? exitCodes.done : exitCodes.failed
  },
}

/** A long sentence is cut and wrapped, after which a secret in it could not be found. */
const scrubbed = (check: Check, scrub: (text: string) => string): Check => ({
  ...check,
  seen: scrub(check.seen),
  findings: check.findings.map((finding) => ({
    ...finding,
    place: scrub(finding.place),
    sentence: scrub(finding.sentence),
    ...(finding.cure === undefined ? {} : { cure: scrub(finding.cure) }),
    ...(finding.frame === undefined ? {} : { frame: scrub(finding.frame) }),
  })),
})

type Diagnosis = { readonly checks: readonly Check[]; readonly by: DoctorDocument['by']; readonly isInvalid: boolean }

async function diagnosed({ values, terminal, signal }: Call): Promise<Diagnosis> {
  let loaded: LoadedSettings
  let daemon: RunningDaemon | undefined
  let daemonTrouble: readonly Check[] = []
  try {
    loaded = await openSettingsWithoutKey(values, terminal, signal, 'environment')
    if (values.fresh !== true)
      daemon = await runningDaemon(loaded, values, terminal).catch((error: unknown) => {
        daemonTrouble = [{ check: 'daemon', place: 'the journal', seen: 'it cannot be asked', findings: [silentDaemon(error)] }]
        return undefined
      })
    // The daemon has the key that the settings leave to the environment.
    if (daemon === undefined) loaded = await openSettings({ ...values, quiet: true }, terminal, signal, 'environment')
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error
    const findings = error.files.problems.map(problemFinding('settings-invalid', 'error'))
    const check: Check = {
      check: 'settings',
      place: 'settings',
      seen: `${counted(findings.length, 'mistake')}; nothing else is looked at`,
      findings,
    }
    return { checks: [check], by: 'none', isInvalid: true }
  }
  const only = chosenWorkspaces(values, loaded)
  const [secrets, { isValid, ...files }, journal] = [
    await secretsCheck(loaded, terminal, daemon !== undefined),
    await filesCheck(loaded, signal),
    await journalChecks(loaded, terminal),
  ]
  const local = [settingsCheck(loaded), secrets, files, ...journal.checks, ...daemonTrouble]
  const outside =
    daemon === undefined
      ? await askedHere({ loaded, only, memory: journal.memory }, { values, positionals: [], terminal, signal })
      : await askedByDaemon(daemon, only, { values, terminal, signal })
  return { checks: [...local, ...outside], by: daemon === undefined ? 'command' : 'daemon', isInvalid: !isValid }
}

function silentDaemon(error: unknown): DoctorFinding {
  const { message, cure } = errorParts(error)
  return { code: 'daemon-silent', severity: 'error', place: 'daemon', sentence: message, ...(cure === undefined ? {} : { cure }) }
}

/** So many workspaces are looked at without being named. */
const unnamedMax = 5
/** Calls of `doctor` for a workspace, if each list has one page and the cycle asks twice for both lists of mappings. */
const callsEach = 7

/** @throws {UsageError} if there are many workspaces, and the command line chooses none */
function chosenWorkspaces(values: Call['values'], { settings }: LoadedSettings): ReadonlySet<WorkspaceName> | undefined {
  const named = onlyWorkspaces(values, settings)
  const isAll = values['all-workspaces'] === true
  if (named !== undefined && isAll) throw new UsageError('--all-workspaces and --workspace exclude each other')
  const total = Object.keys(settings.workspaces).length
  if (named !== undefined || isAll || total <= unnamedMax) return named
  throw new UsageError(
    `the settings have ${counted(total, 'workspace')}, and doctor would make about ${counted(total * callsEach, 'call')} to Plane`,
    {
      cure: 'name one with --workspace NAME, or look at all with --all-workspaces, which says first how long that takes',
    },
  )
}

async function askedByDaemon(
  daemon: RunningDaemon,
  only: ReadonlySet<WorkspaceName> | undefined,
  { values, terminal, signal }: Pick<Call, 'values' | 'terminal' | 'signal'>,
): Promise<readonly Check[]> {
  const { out, err } = await daemon.ask(
    { kind: 'doctor', ...(only === undefined ? {} : { only: [...only] }), by: claimedName(values, terminal) },
    signal,
  )
  const read = doctorChecksSchema.safeParse(out === '' ? undefined : JSON.parse(out))
  if (read.success) return read.data.map(checkFrom)
  const sentence = err.trim() === '' ? 'the daemon gave an answer that this version does not understand' : err.trim()
  const finding = {
    ...silentDaemon(new OperationalError('DaemonSilent', sentence)),
    cure: 'its log says more; doctor --fresh asks Plane without it',
  }
  return [{ check: 'daemon', place: 'its answer', seen: 'it did not make the checks', findings: [finding] }]
}

type Asking = { readonly loaded: LoadedSettings; readonly only: ReadonlySet<WorkspaceName> | undefined; readonly memory: Memory }

async function askedHere({ loaded, only, memory }: Asking, { values, terminal, signal }: Call): Promise<readonly Check[]> {
  const keeper = openReadingsKeeper()
  const world = { ...worldFor(loaded, { ...values, quiet: true }, terminal), keeper }
  const program = await compose(loaded, world, [], () => memory).catch((error: unknown) => {
    // The check of the secrets says which certificates cannot be read.
    if (error instanceof OperationalError) return undefined
    throw error
  })
  if (program === undefined) return []
  try {
    const sources = { ...program.sources, bindings: bounded(program.sources.bindings) }
    const examined = { loaded, program: { ...program, sources }, readings: keeper.readings, memory, only }
    if (values.quiet !== true) terminal.err(await costText(sources, only, signal))
    const credentials = await tryCredentials(examined, signal)
    const asked = askable(examined, credentials)
    let whyNone = 'its credential cannot be used now'
    const cycle = { loaded, program: { ...program, sources }, memory, world, isBesideDaemon: false }
    const report =
      asked.size === 0
        ? undefined
        : await dryCycle(cycle, { only: asked, listsUnchanged: true }, signal).catch((error: unknown) => {
            if (!(error instanceof InvalidInput)) throw error
            whyNone = 'the declaration is invalid'
            return undefined
          })
    return await examine(examined, credentials, report, whyNone, signal)
  } finally {
    await program.close()
  }
}

/** What the checks cost: calls, and how long they take by the budget. */
async function costText({ bindings }: Pick<CycleSources, 'bindings'>, only: Asking['only'], signal: AbortSignal): Promise<string> {
  const costs = await Promise.all(
    [...bindings.values()].map(async (ofCredential) => {
      const chosen = ofCredential.filter(({ workspace }) => only?.has(workspace) !== false)
      const [first] = chosen
      if (first === undefined) return { workspaces: 0, calls: 0, ms: 0, aMinute: 0 }
      const { budget } = await first.about('none', signal)
      const calls = 1 + chosen.length * callsEach
      return { workspaces: chosen.length, calls, ms: timeOf(calls, budget).ms, aMinute: callsAMinute(budget) }
    }),
  )
  const sum = (of: 'workspaces' | 'calls' | 'aMinute') => costs.reduce((total, cost) => total + cost[of], 0)
  const ms = costs.reduce((longest, cost) => Math.max(longest, cost.ms), 0)
  return `${counted(sum('workspaces'), 'workspace')}: about ${counted(sum('calls'), 'call')} to Plane, which create nothing; ${roughText(ms)} at ${sum('aMinute')} a minute.\n`
}

/** A plan asks for each known mapping that a list lacks. The plan of a diagnosis is not written, so it believes the list after a few. */
const askedByIdMax = 3

function bounded(bindings: CycleSources['bindings']): CycleSources['bindings'] {
  const withLimit = (binding: ReportedBinding): ReportedBinding => {
    let asked = 0
    const { read } = binding
    return {
      ...binding,
      read: {
        ...read,
        mapping: (list, id, signal) => (++asked > askedByIdMax ? Promise.resolve({ is: 'gone' }) : read.mapping(list, id, signal)),
      },
    }
  }
  return new Map([...bindings].map(([credential, ofCredential]) => [credential, ofCredential.map(withLimit)]))
}
