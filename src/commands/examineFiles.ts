import { stat } from 'node:fs/promises'
import { realClock } from '../compose/realClock.ts'
import type { Check, DoctorCode, DoctorFinding } from '../core/doctor/check.ts'
import { asFound } from '../core/doctor/workspaceChecks.ts'
import { errorParts } from '../core/errorText.ts'
import { syncWithoutJournal } from '../core/findings/diffFindings.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import { emptyMemory, type Memory } from '../core/memory/memory.ts'
import { counted, durationText } from '../core/quantity.ts'
import { lineText, placeText } from '../core/rule.ts'
import { visible } from '../core/safeName.ts'
import { realDisk } from '../journal/disk.ts'
import type { Holder } from '../journal/holder.ts'
import { holderOf, leftHolder } from '../journal/lock.ts'
import { passedOverFindings } from '../journal/passedOver.ts'
import { readMemory } from '../journal/readMemory.ts'
import { whyUnwritable } from '../journal/whyUnwritable.ts'
import { readDeclared } from '../settings/declared.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { checkReferences } from '../settings/references.ts'
import { serviceOf } from '../settings/service.ts'
import { renderProblems } from '../yaml/frame.ts'
import { InvalidInput, type Problem } from '../yaml/problem.ts'
import type { Terminal } from './command.ts'
import { requireOwnJournal } from './journal.ts'
import { lastOf } from './leaveLast.ts'

/** A finding about a place in a YAML file, with an excerpt. */
export const problemFinding =
  (code: DoctorFinding['code'], severity: DoctorFinding['severity']) =>
  (problem: Problem): DoctorFinding => ({
    code,
    severity,
    place: placeText(problem.at),
    sentence: problem.message,
    ...(problem.cure === undefined ? {} : { cure: problem.cure }),
    frame: renderProblems([problem]),
  })

export const settingsCheck = ({ file, settings, lacksDeclaration }: LoadedSettings): Check => ({
  check: 'settings',
  place: visible(file),
  seen: `${counted(Object.keys(settings.workspaces).length, 'workspace')}, ${counted(Object.keys(settings.directories).length, 'directory', 'directories')}, policy ${settings.policy}`,
  findings: lacksDeclaration === true ? [noSettingsFile(file)] : [],
})

const noSettingsFile = (place: string): DoctorFinding => ({
  code: 'no-settings-file',
  severity: 'info',
  place,
  sentence:
    'there is no settings file: the address, the key and the workspace are those of the environment, and there is no declaration and no directory',
  cure: 'plane-group-sync init writes settings, and a declaration of what exists',
})

/** @param isBesideDaemon the daemon has the secrets of its own environment, so one that is absent here is no mistake */
export async function secretsCheck(loaded: LoadedSettings, { env, secrets }: Terminal, isBesideDaemon: boolean): Promise<Check> {
  const { count, problems, findings } = await checkReferences(loaded, env, secrets)
  const broken = problems.map(problemFinding('secret-unreadable', isBesideDaemon ? 'info' : 'error'))
  const seen = `${counted(count, 'secret')} named${broken.length === 0 ? ', all can be read' : ''}`
  return { check: 'secrets', place: visible(loaded.file), seen, findings: [...broken, ...findings.map(asFound)] }
}

/** The files of the declaration, as they are now. */
export async function filesCheck(loaded: LoadedSettings, signal: AbortSignal): Promise<Check & { readonly isValid: boolean }> {
  if (loaded.lacksDeclaration === true)
    return { check: 'files', place: 'the declaration', seen: 'there is none', skipped: true, findings: [], isValid: true }
  const check = { check: 'files', place: visible(loaded.path(loaded.settings.declaration)) } as const
  try {
    const { declared, hints } = await readDeclared(loaded, realClock.wall(), signal)
    const rules = [...declared.workspaces.values()].reduce((sum, workspace) => sum + workspace.rules.length, 0)
    const findings = hints.map(
      ({ at, message, cure }): DoctorFinding => ({
        code: 'declaration-hint',
        severity: 'info',
        place: lineText(at),
        sentence: message,
        ...(cure === undefined ? {} : { cure }),
      }),
    )
    return { ...check, seen: `${counted(declared.files, 'file')}, ${counted(rules, 'rule')}`, findings, isValid: true }
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    const findings = error.files.problems.map(problemFinding('file-invalid', 'error'))
    return { ...check, seen: counted(findings.length, 'mistake'), findings, isValid: false }
  }
}

/** What was seen of the journal. `memory`: what it knows; nothing if it cannot be read. */
type JournalChecked = { readonly checks: readonly Check[]; readonly memory: Memory }

/** The folder of the journal, its lock, its entries, and the daemon that holds it. Nothing stays of what is written for a trial. */
export async function journalChecks(loaded: LoadedSettings, terminal: Terminal): Promise<JournalChecked> {
  const { journal, service, policy, workspaces } = loaded.settings
  if (journal === 'none') {
    const place = 'journal: none'
    const isSync = Object.values(workspaces).some((own) => (own.policy ?? policy) === 'sync')
    const findings = isSync && loaded.lacksDeclaration !== true ? [asFound({ ...syncWithoutJournal('' as WorkspaceName), place })] : []
    const none: Check = { check: 'journal', place, seen: 'there is none, so nothing is remembered', findings }
    return { checks: [none], memory: emptyMemory }
  }
  const folder = loaded.path(journal.folder)
  const place = visible(folder)
  const disk = realDisk(terminal.processes)
  const findings: DoctorFinding[] = []
  const tell = (code: DoctorCode, severity: DoctorFinding['severity'], error: unknown) => {
    const { message, cure } = errorParts(error)
    findings.push({ code, severity, place: folder, sentence: message, ...(cure === undefined ? {} : { cure }) })
  }
  const unwritable = await whyUnwritable(folder, disk)
  if (unwritable !== undefined) tell('journal-unwritable', 'error', unwritable)
  if (await isOpenToOthers(folder)) findings.push(openToOthers(folder))
  let memory = emptyMemory
  try {
    const read = await readMemory(folder, disk, service.unknownOutcomeWait)
    requireOwnJournal(read.memory, loaded)
    memory = read.memory
    for (const finding of passedOverFindings(folder, read.passedOver)) findings.push(asFound(finding))
  } catch (error) {
    tell('journal-unread', 'error', error)
  }
  let holder: Holder | undefined
  try {
    holder = await holderOf(folder, terminal.processes)
    const left = holder === undefined ? await leftHolder(folder, terminal.processes) : undefined
    if (left !== undefined) findings.push(leftFinding(folder, left, service.unknownOutcomeWait))
  } catch (error) {
    if (findings.every(({ code }) => code !== 'journal-unread')) tell('journal-unread', 'error', error)
  }
  const held =
    holder === undefined
      ? 'no process holds it'
      : `held by process ${holder.pid} on ${visible(holder.host)}${holder.as === undefined ? '' : ` (${visible(holder.as)})`}`
  const checks: Check[] = [{ check: 'journal', place, seen: (await isThere(folder)) ? held : 'it does not exist yet', findings }]
  if (holder?.as === 'daemon') checks.push(await daemonCheck(folder, loaded, holder, unwritable === undefined))
  return { checks, memory }
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

const isOpenToOthers = (folder: string): Promise<boolean> =>
  stat(folder).then(
    ({ mode }) => (mode & 0o002) !== 0,
    () => false,
  )

const openToOthers = (folder: string): DoctorFinding => ({
  code: 'journal-open-to-others',
  severity: 'warning',
  place: folder,
  sentence: 'every account of this machine may write to the folder, and so decide what this program takes for its own',
  cure: `chmod o-w ${visible(folder)}`,
})

const leftFinding = (folder: string, { pid, host, as, sinceMs }: Holder, unknownOutcomeWaitMs: number): DoctorFinding => ({
  code: 'journal-lock-left',
  severity: 'warning',
  place: folder,
  sentence: `process ${pid} on ${visible(host)} (${visible(as ?? 'of an older version')}) has held the journal since ${new Date(sinceMs).toISOString()}, and does not run any more: it was killed, or its machine went down`,
  cure: `see why it ended, and start it again: the next start takes the lock over, and only the writes that were on their way wait ${durationText(unknownOutcomeWaitMs)} (service.unknownOutcomeWait); the lock need not be removed`,
})

/** What the daemon left after its last cycle. */
async function daemonCheck(folder: string, { settings }: LoadedSettings, holder: Holder, isWritable: boolean): Promise<Check> {
  const check = { check: 'daemon', place: `process ${holder.pid} on ${visible(holder.host)}` } as const
  const found = await lastOf(folder, serviceOf(settings))
  if (found.kind !== 'last') return { ...check, seen: 'it has not ended a cycle yet', findings: [] }
  const nowMs = realClock.wall()
  const { ended, overdue } = found.last
  const ago = durationText(Math.max(0, nowMs - Date.parse(ended)))
  if (nowMs <= Date.parse(overdue)) return { ...check, seen: `its last cycle ended ${ago} ago`, findings: [] }
  const finding: DoctorFinding = {
    code: 'daemon-overdue',
    severity: 'error',
    place: check.place,
    sentence: `its last cycle in last.json ended ${ago} ago: since then two cycles are missed, or the file could not be written`,
    cure: `${isWritable ? '' : 'first mend journal-unwritable; '}its log says why; plane-group-sync status shows what it did last`,
  }
  return { ...check, seen: 'last.json is not renewed', findings: [finding] }
}
