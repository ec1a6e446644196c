import { realClock } from '../compose/realClock.ts'
import { waiverDigits } from '../core/change.ts'
import { idText, idWithPeople, partsOfId } from '../core/idWithPeople.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import { counted, durationText, listed } from '../core/quantity.ts'
import { noteCharactersMax, visible } from '../core/safeName.ts'
import type { WaiverWords } from '../core/waiverWords.ts'
import { note } from '../declaration/nameFields.ts'
import { approvalName } from '../documents/daemonOrder.ts'
import type { LastWorkspace } from '../documents/last.ts'
import type { PlanDocument } from '../documents/plan.ts'
import { approvableIds, approvablesOf, idsIn, isIdOfSeveral, passingWith, type WaitingPlan, wordsOf } from '../render/approvable.ts'
import { canvasOf } from '../render/canvas.ts'
import { hasPlan } from '../render/hasPlan.ts'
import { workspaceOf } from '../render/json.ts'
import { statusHold } from '../render/statusEntries.ts'
import { waitingRows } from '../render/statusWorkspace.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { durationMs } from '../settings/patterns/time.ts'
import { serviceOf } from '../settings/service.ts'
import { type Call, type Command, choice, type ExitCode, exitCodes, text, texts, UsageError } from './command.ts'
import { formats } from './description.ts'
import { lastOf } from './leaveLast.ts'
import { dryCycle, openProgramOf } from './open.ts'
import { claimedName, isDaemonHere, printAnswer, type RunningDaemon, runningDaemon, showOf } from './orders/askDaemon.ts'
import { type Known, printInstead, printWords, reportUncounted } from './printWords.ts'
import { failuresText, shownViews } from './render.ts'
import { openSettingsWithoutKey } from './settings.ts'
import { hasColours } from './terminal.ts'
import { onlyWorkspaces } from './workspaces.ts'

export const command: Command = {
  async run(call) {
    const { values, positionals: ids, terminal } = call
    const by = claimedName(values, terminal)
    const name = text(values.withdraw)
    if (name !== undefined) return withdraw(name, by, call)
    const asks = values.now === true && values.yes !== true && terminal.isTerminal.in
    // Words are only printed: a person at a terminal sees what they name.
    const shows = asks || (values.now !== true && terminal.isTerminal.out)
    const given = { ids: idsOf(ids, shows ? shownDigits : waiverDigits), reason: reasonOf(values), forMs: forMsOf(values), by }
    const loaded = await openSettingsWithoutKey(values, terminal, call.signal)
    const isClosed = values.now === true && loaded.settings.approvals === 'files-only'
    if (values.now === true && !isClosed && !(await isDaemonHere(loaded, call.terminal))) throw noDaemon()
    const waiting = await waitingPlans(loaded, call)
    const wanted = { ...given, ids: wholeIds(given.ids, waiting.plans) }
    const whole = lookUp(waiting.plans, wanted.ids)
    // The document of the daemon may lack rows, so the plan is made afresh. For an order the daemon itself has them.
    const isFresh = whole.isIncomplete && (values.now !== true || isClosed)
    const { known, unknown } = isFresh ? lookUp((await freshPlans(loaded, call)).plans, wanted.ids) : whole
    if (unknown.length > 0) return reportUnknown(unknown, waiting, call)
    if (values.now !== true) return printWords(known, wanted, loaded, call)
    if (isClosed) return printInstead(known, wanted, loaded, call)
    if (reportUncounted(known, call)) return exitCodes.refused
    tellPassing(known, asks, call)
    if (asks && !(await agrees(wanted, call))) return exitCodes.refused
    return handApproval(loaded, handedOf(known), wanted, call)
  },
}

type Wanted = { readonly ids: readonly string[]; readonly reason: string; readonly forMs: number; readonly by: string }
type Waiting = Awaited<ReturnType<typeof waitingPlans>>
async function withdraw(name: string, by: string, call: Call): Promise<ExitCode> {
  if (call.positionals.length > 0) throw new UsageError('approve --withdraw takes the name of one approval, and no ID')
  if (!approvalName.test(name))
    throw new UsageError(`--withdraw takes the name of an approval, which status shows: 32 digits (0-9, a-f), not "${name}"`)
  const loaded = await openSettingsWithoutKey(call.values, call.terminal, call.signal)
  return handWithdrawal(loaded, { name, by }, call)
}

/** So many first digits are enough at a terminal, which shows what they name and asks. */
const shownDigits = 8

/** @throws {UsageError} */
function idsOf(ids: readonly string[], digitsMin: number): readonly string[] {
  const isId = idWithPeople(digitsMin)
  const wrong = ids.find((id) => !isId.test(id))
  const digits =
    digitsMin < waiverDigits
      ? `${waiverDigits} digits (0-9, a-f), or at least the first ${digitsMin} of them,`
      : `${waiverDigits} digits (0-9, a-f)`
  if (wrong !== undefined) throw new UsageError(`approve takes the ${digits} that plan and status show, not "${wrong}"`)
  if (ids.length === 0)
    throw new UsageError('approve takes the ID of what waits', {
      cure: 'plane-group-sync plan shows the IDs; beside a daemon, status does, too',
    })
  return [...new Set(ids)]
}

/** @throws {UsageError} */
function reasonOf(values: Call['values']): string {
  const reason = text(values.reason)?.trim() ?? ''
  if (reason.length > noteCharactersMax) throw new UsageError(`--reason has more than ${noteCharactersMax} characters`)
  // What a file cannot have as a reason, an order has not either.
  if (!note.safeParse(reason).success) throw new UsageError('approve needs a reason', { cure: 'add --reason, for example --reason INC-99' })
  return reason
}

const forMinMs = 1_000
/** The words of a file may last longer than an approval by ID, which no review sees. */
const forMost = { words: '720h', now: '24h' } as const

/** @throws {UsageError} */
function forMsOf(values: Call['values']): number {
  const isNow = values.now === true
  const most = forMost[isNow ? 'now' : 'words']
  const given = text(values.for) ?? (isNow ? '1h' : '24h')
  const ms = durationMs(given)
  if (ms === undefined || ms < forMinMs || ms > (durationMs(most) ?? 0))
    throw new UsageError(`${isNow ? '--for beside --now' : '--for'} takes a duration from 1s to ${most}, such as 1h, not "${given}"`)
  return ms
}

/** The IDs that begin with the given digits. @throws {UsageError} if several do */
function wholeIds(given: readonly string[], plans: Waiting['plans']): readonly string[] {
  const waitingIds = new Set(plans.flatMap(approvableIds))
  return given.map((typed) => {
    const { id: digits, people } = partsOfId(typed)
    if (digits.length >= waiverDigits) return typed
    const [id, ...others] = [...waitingIds].filter((each) => each.startsWith(digits))
    if (id !== undefined && others.length > 0)
      throw new UsageError(`${counted(others.length + 1, 'ID')} that wait begin with ${digits}`, { cure: 'write more of the digits' })
    return id === undefined ? typed : idText(id, people)
  })
}

function lookUp(plans: Waiting['plans'], ids: readonly string[]) {
  const each = ids.flatMap((id) =>
    plans.map((plan) => {
      const about = { workspace: plan.workspace, id, plan, ...(isIdOfSeveral(id, plan) ? { several: id } : {}) }
      return { ...about, approvables: approvablesOf(plan, id) }
    }),
  )
  const known = each.flatMap(({ approvables, ...about }): readonly Known[] => {
    if (approvables === 'incomplete') return [{ ...about, approvables: [] }]
    return approvables.length === 0 ? [] : [{ ...about, approvables }]
  })
  const unknown = ids.filter((id) => !known.some(({ id: knownId }) => knownId === id))
  return { known, unknown, isIncomplete: each.some(({ approvables }) => approvables === 'incomplete') }
}

const shownMax = 20

/** Prints that nothing that waits has these IDs, which IDs wait, and of which workspaces that is not known. */
function reportUnknown(
  unknown: readonly string[],
  { plans, others, doubts, agoMs, isWhole }: Waiting,
  { values, terminal }: Call,
): ExitCode {
  const waitingIds = plans.flatMap((plan) => idsIn(plan).map((entry) => ({ ...entry, workspace: plan.workspace })))
  const rows = waitingIds.slice(0, shownMax).map(({ id, workspace, sentence }) => `  ${id}  ${visible(workspace)}: ${visible(sentence)}\n`)
  const more = waitingIds.length > shownMax ? `  … and ${counted(waitingIds.length - shownMax, 'ID')} more\n` : ''
  const where = agoMs === undefined ? 'in the present plan' : `in the last cycle of the daemon, ${durationText(agoMs)} ago`
  const asked = texts(values.workspace)
  const workspacesOf = new Map(unknown.map((id) => [id, others.filter((plan) => waitsIn(plan, id)).map(({ workspace }) => workspace)]))
  const nowhere = unknown.filter((id) => workspacesOf.get(id)?.length === 0)
  if (nowhere.length > 0)
    terminal.err(
      `No waiting change, set or plan has the ID ${nowhere.join(' or ')} ${where}. The ID may be from another plan, or of another workspace.\n`,
    )
  for (const [id, workspaces] of workspacesOf) {
    if (workspaces.length > 0)
      terminal.err(
        visible(`In ${listed(asked)} nothing waits under ${id}; it waits in ${listed(workspaces)}: --workspace names it.`) + '\n',
      )
  }
  for (const why of doubts.slice(0, shownMax)) terminal.err(`${visible(why)}\n`)
  if (waitingIds.length > 0) terminal.err(`These IDs wait:\n${rows.join('')}${more}`)
  else if (isWhole) terminal.err(`Nothing waits for approval${asked.length === 0 ? '' : ` in ${visible(listed(asked))}`}.\n`)
  // The daemon approves what it has planned itself.
  if (agoMs !== undefined && nowhere.length > 0)
    terminal.err('If a later plan shows the ID: plane-group-sync reconcile, then approve it again.\n')
  return isWhole ? exitCodes.refused : exitCodes.failed
}

/** @param id or its first digits */
function waitsIn(plan: WaitingPlan, id: string): boolean {
  const [digits = ''] = id.split(':')
  return approvableIds(plan).some((whole) => {
    const approvables = whole.startsWith(digits) ? approvablesOf(plan, whole) : []
    return approvables === 'incomplete' || approvables.length > 0
  })
}

/** Shows what the IDs let pass, if a person is asked about it, and what passes beside it. */
function tellPassing(known: readonly Known[], asks: boolean, { values, terminal }: Call): void {
  const colour = hasColours(terminal.env, terminal.isTerminal.err, values)
  const canvas = canvasOf({ colour, width: terminal.columns }, realClock.wall())
  for (const [plan, ofPlan] of Map.groupBy(known, ({ plan }) => plan)) {
    const ids = ofPlan.map(({ id }) => id)
    const { workspace, sets, holds, missing, also } = passingWith(plan, ids)
    const left =
      missing === 0 ? [] : [`  and ${counted(missing, 'change')} more, for which the file of the last cycle has no room; plan shows all`]
    const title = `${listed(ids)} in ${visible(workspace)}: ${counted(holds.length + missing, 'change')}`
    const rows = asks
      ? [
          title,
          ...waitingRows(
            { sets },
            holds.map((hold) => statusHold(hold, 'any')),
            canvas,
            true,
          ),
          ...left,
        ]
      : []
    for (const line of [...rows, ...also.map((text) => visible(`${workspace}: ${text}.`))]) terminal.err(`${line}\n`)
  }
}

/** Asks the person at the terminal. */
async function agrees({ forMs }: Pick<Wanted, 'forMs'>, { terminal, signal }: Call): Promise<boolean> {
  const answer = await terminal.ask(`Approve this for ${durationText(forMs)}? Type "yes" to approve: `, signal)
  if (answer?.trim() === 'yes') return true
  terminal.err(answer === undefined ? 'Nothing was approved.\n' : 'Nothing was approved: only "yes" approves.\n')
  return false
}

/** One approval for each change, and one for each set or plan. */
function handedOf(known: readonly Known[]): readonly HandedApproval[] {
  return known.flatMap(({ workspace, several, approvables }) => {
    const about = { workspace: workspace as WorkspaceName, passes: [] }
    if (several !== undefined) return [{ ...about, several }]
    return approvables.flatMap((approvable): readonly HandedApproval[] => {
      if (approvable.kind === 'uncounted') return []
      return [approvable.kind === 'pass' ? { ...about, passes: [approvable.pass] } : { ...about, words: wordsOf(approvable) }]
    })
  })
}

/**
 * One approval for a daemon. `words`: the changes that may pass. `several`: the ID of a set of changes or of a plan. `passes`: the names of
 * projects and groups with another id that are accepted.
 */
type HandedApproval = {
  readonly workspace: WorkspaceName
  readonly words?: WaiverWords
  readonly several?: string
  readonly passes: readonly string[]
}

/** For how long approvals count, why, and the name that the person gives. */
type Given = { readonly forMs: number; readonly reason: string; readonly by: string }

/** Hands approvals to the daemon that has the journal open. It ends with the report of the daemon's next cycle. @throws {UsageError} if there is none */
async function handApproval(
  loaded: LoadedSettings,
  approvals: readonly HandedApproval[],
  { forMs, reason, by }: Given,
  call: Call,
): Promise<ExitCode> {
  const { values, terminal, signal } = call
  const show = showOf(values, choice('format', values.format, formats, 'text'), terminal)
  const daemon = await daemonOf(loaded, call)
  return printAnswer(await daemon.ask({ kind: 'approve', approvals, forMs, reason, by, show }, signal), terminal)
}

/** Ends an approval of the daemon that has the journal open. @throws {UsageError} if there is none */
async function handWithdrawal(
  loaded: LoadedSettings,
  { name, by }: { readonly name: string; readonly by: string },
  call: Call,
): Promise<ExitCode> {
  const daemon = await daemonOf(loaded, call)
  return printAnswer(await daemon.ask({ kind: 'withdraw', approval: name, by }, call.signal), call.terminal)
}

async function daemonOf(loaded: LoadedSettings, { values, terminal }: Call): Promise<RunningDaemon> {
  const daemon = await runningDaemon(loaded, values, terminal)
  if (daemon === undefined) throw noDaemon()
  return daemon
}

const noDaemon = (): UsageError =>
  new UsageError('no daemon takes an order: none holds the journal of these settings', {
    cure: 'without --now, approve prints the words for a file of the declaration; apply --allow ID lets a change pass without a daemon',
  })

/**
 * `others`: those of workspaces that the command does not name, as far as they are known without Plane. `doubts`: where it is not known what waits, and why. `agoMs`: they are those of the last cycle of the daemon that holds the journal, which ended so long
 * ago. `isWhole`: it is known of every workspace.
 */
type WaitingPlans = {
  readonly plans: readonly WaitingPlan[]
  readonly others: readonly WaitingPlan[]
  readonly doubts: readonly string[]
  readonly agoMs?: number
  readonly isWhole: boolean
}

/** The plans in which changes wait: beside a daemon those that it left, so that Plane is not asked; otherwise fresh ones. */
async function waitingPlans(loaded: LoadedSettings, call: Call): Promise<WaitingPlans> {
  return (await plansOfDaemon(loaded, call)) ?? (await freshPlans(loaded, call))
}

async function plansOfDaemon(loaded: LoadedSettings, call: Call): Promise<WaitingPlans | undefined> {
  const { settings, path } = loaded
  if (settings.journal === 'none' || !(await isDaemonHere(loaded, call.terminal))) return undefined
  const foundLast = await lastOf(path(settings.journal.folder), serviceOf(settings))
  if (foundLast.kind !== 'last') return undefined
  const only = onlyWorkspaces(call.values, settings) as ReadonlySet<string> | undefined
  const isAsked = ({ plan }: LastWorkspace) => only?.has(plan.workspace) !== false
  const plansOf = (lastWorkspaces: readonly LastWorkspace[]) =>
    lastWorkspaces.flatMap((workspace) => (hasPlan(workspace) ? [workspace.plan] : []))
  const workspaces = foundLast.last.workspaces.filter(isAsked)
  const others = plansOf(foundLast.last.workspaces.filter((workspace) => !isAsked(workspace)))
  const plans = plansOf(workspaces)
  const doubts = workspaces.flatMap(({ plan }) => doubtOf(plan))
  const isWhole =
    doubts.length === 0 &&
    foundLast.last.leftOut === undefined &&
    workspaces.every((workspace) => hasPlan(workspace) && workspace.leftOut === undefined)
  return { plans, others, doubts, agoMs: Math.max(0, realClock.wall() - Date.parse(foundLast.last.ended)), isWhole }
}

async function freshPlans(loaded: LoadedSettings, { values, terminal, signal }: Call): Promise<WaitingPlans> {
  const only = onlyWorkspaces(values, loaded.settings)
  await using open = await openProgramOf(loaded, values, terminal, [], signal)
  const { clock } = open.world
  const report = await dryCycle(open, { only }, signal)
  terminal.err(failuresText(report, { ...terminal, isTerminal: { ...terminal.isTerminal, out: false } }))
  const documents = shownViews(report, terminal, clock.now()).map(workspaceOf)
  const plans = documents.flatMap((document) => (document.standing === 'failed' ? [] : [document]))
  const doubts = documents.flatMap(doubtOf)
  return { plans, others: [], doubts, isWhole: doubts.length === 0 }
}

/** Why it is not known what waits in a workspace. Changes that wait may be missing if a list or a directory was not read whole. */
function doubtOf(plan: PlanDocument['workspaces'][number] | LastWorkspace['plan']): readonly string[] {
  if (plan.standing === 'failed') return [`It is not known what waits in ${plan.workspace}, since it could not be planned: ${plan.failed}`]
  const unread = plan.findings.find(({ code }) => code === 'reading-incomplete')
  const directory = plan.directories.find(({ status }) => status !== 'complete')
  const why = unread?.sentence ?? (directory && `${directory.name} was not read whole: ${directory.why ?? directory.status}`)
  return why === undefined ? [] : [`Perhaps more waits in ${plan.workspace}: ${why}`]
}
