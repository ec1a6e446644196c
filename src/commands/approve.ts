import { realClock } from '../compose/realClock.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import { counted } from '../core/quantity.ts'
import { noteCharactersMax, visible } from '../core/safeName.ts'
import { note } from '../declaration/nameFields.ts'
import { approvalName } from '../documents/order.ts'
import { type Approvable, approvablesOf, idsIn, isIdOfPlan, wordsOf } from '../render/approvable.ts'
import { isSayable, waiverYaml } from '../render/waiverYaml.ts'
import { durationMs } from '../settings/patterns/time.ts'
import { type Call, type Command, type ExitCode, exitCodes, text, UsageError } from './command.ts'
import { type HandedApproval, handApproval, handWithdrawal, noDaemon } from './handApproval.ts'
import { claimedName } from './orders/askDaemon.ts'
import { openSettingsWithoutKey } from './settings.ts'
import { freshPlans, isDaemonHere, waitingPlans } from './waitingPlans.ts'

export const command: Command = {
  async run(call) {
    const { values, positionals: ids, terminal } = call
    const by = claimedName(terminal)
    const name = text(values.withdraw)
    if (name !== undefined) return withdraw(name, by, call)
    const wanted = { ids: idsOf(ids), reason: reasonOf(values), forMs: forMsOf(values), by }
    const loaded = await openSettingsWithoutKey(values, terminal, call.signal)
    if (values.now === true && !(await isDaemonHere(loaded, call))) throw noDaemon()
    const waiting = await waitingPlans(loaded, call)
    const whole = found(waiting.plans, wanted.ids)
    // The document of the daemon may lack rows, so the plan is made afresh. For an order the daemon itself has them.
    const isFresh = whole.isIncomplete && values.now !== true
    const { known, unknown } = isFresh ? found((await freshPlans(loaded, call)).plans, wanted.ids) : whole
    if (unknown.length > 0) return reportUnknown(unknown, waiting, call)
    if (values.now !== true) return print(known, wanted, call)
    return reportUncounted(known, call) ? exitCodes.refused : handApproval(loaded, handedOf(known), wanted, call)
  },
}

type Wanted = { readonly ids: readonly string[]; readonly reason: string; readonly forMs: number; readonly by: string }
type Waiting = Awaited<ReturnType<typeof waitingPlans>>
/** `plan`: the fingerprint, if the ID is that of the whole plan. */
type Known = { readonly workspace: string; readonly id: string; readonly plan?: string; readonly approvables: readonly Approvable[] }

async function withdraw(name: string, by: string, call: Call): Promise<ExitCode> {
  if (call.positionals.length > 0) throw new UsageError('approve --withdraw takes the name of one approval, and no ID')
  if (!approvalName.test(name))
    throw new UsageError(`--withdraw takes the name of an approval, which status shows: 32 digits (0-9, a-f), not "${name}"`)
  const loaded = await openSettingsWithoutKey(call.values, call.terminal, call.signal)
  return handWithdrawal(loaded, { name, by }, call)
}

/** @throws {UsageError} */
function idsOf(ids: readonly string[]): readonly string[] {
  const wrong = ids.find((id) => !/^[0-9a-f]{32,64}(?::(?:\d{1,9}|any))?$/.test(id))
  if (wrong !== undefined) throw new UsageError(`approve takes the 32 digits (0-9, a-f) that plan and status show, not "${wrong}"`)
  if (ids.length === 0)
    throw new UsageError('approve takes the ID of what waits', { cure: 'plane-group-sync status shows the IDs; so does plan' })
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
const forMaxMs = 720 * 3_600_000

/** @throws {UsageError} */
function forMsOf(values: Call['values']): number {
  const given = text(values.for) ?? '24h'
  const ms = durationMs(given)
  if (ms === undefined || ms < forMinMs || ms > forMaxMs)
    throw new UsageError(`--for takes a duration from 1s to 720h, such as 1h, not "${given}"`)
  return ms
}

function found(plans: Waiting['plans'], ids: readonly string[]) {
  const each = ids.flatMap((id) =>
    plans.map((plan) => {
      const about = { workspace: plan.workspace, id, ...(isIdOfPlan(id, plan) ? { plan: plan.fingerprint } : {}) }
      return { ...about, approvables: approvablesOf(plan, id) }
    }),
  )
  const known = each.flatMap(({ approvables, ...one }): readonly Known[] => {
    if (approvables === 'incomplete') return [{ ...one, approvables: [] }]
    return approvables.length === 0 ? [] : [{ ...one, approvables }]
  })
  const unknown = ids.filter((id) => !known.some((one) => one.id === id))
  return { known, unknown, isIncomplete: each.some(({ approvables }) => approvables === 'incomplete') }
}

const shownMax = 20

/** Prints that nothing that waits has these IDs, and which IDs wait. */
function reportUnknown(unknown: readonly string[], { plans, ofDaemon, isWhole }: Waiting, { terminal }: Call): ExitCode {
  const all = plans.flatMap((plan) => idsIn(plan).map((one) => ({ ...one, workspace: plan.workspace })))
  const rows = all.slice(0, shownMax).map(({ id, workspace, sentence }) => `  ${id}  ${visible(workspace)}: ${visible(sentence)}\n`)
  const more = all.length > shownMax ? `  … and ${counted(all.length - shownMax, 'ID')} more\n` : ''
  const where = ofDaemon ? 'in the last cycle of the daemon' : 'in the present plan'
  terminal.err(
    `No waiting change or plan has the ID ${unknown.join(' or ')} ${where}. The ID may be from an earlier plan, or of another workspace.\n`,
  )
  terminal.err(all.length === 0 ? 'Nothing waits for approval.\n' : `These IDs wait:\n${rows.join('')}${more}`)
  return isWhole ? exitCodes.refused : exitCodes.failed
}

type Words = Extract<Approvable, { readonly kind: 'words' }>

/** Prints which approvals lack the number of people. @returns whether there are any */
function reportUncounted(known: readonly Known[], { terminal }: Pick<Call, 'terminal'>): boolean {
  const rows = known.flatMap(({ id, approvables }) =>
    approvables.flatMap((one) => (one.kind === 'uncounted' ? [`${id}: ${visible(one.sentence)}\n  ${visible(one.cure)}\n`] : [])),
  )
  for (const row of rows) terminal.err(row)
  return rows.length > 0
}

/** Prints the YAML. What words cannot say is told on standard error. */
function print(known: readonly Known[], { reason, forMs }: Wanted, { terminal }: Call): ExitCode {
  const entries = new Map<string, readonly Words[]>()
  let isWhole = !reportUncounted(known, { terminal })
  for (const { workspace, id, approvables } of known)
    for (const one of approvables) {
      if (one.kind === 'words' && isSayable(one)) entries.set(workspace, [...(entries.get(workspace) ?? []), one])
      else if (one.kind !== 'uncounted') {
        isWhole = false
        const cure = one.kind === 'pass' ? one.cure : 'a role is called none, which means no mapping in words'
        terminal.err(`No words of a file approve ${id}: ${visible(one.sentence)}\n  ${visible(cure)}\n  beside a daemon: add --now\n`)
      }
    }
  if (entries.size > 0) terminal.out(terminal.secrets.scrub(waiverYaml(entries, { untilMs: realClock.wall() + forMs, reason })))
  return isWhole ? exitCodes.done : exitCodes.refused
}

/** One approval for each change, and one for each plan. */
function handedOf(known: readonly Known[]): readonly HandedApproval[] {
  return known.flatMap(({ workspace, plan, approvables }) => {
    const about = { workspace: workspace as WorkspaceName, passes: [] }
    if (plan !== undefined) return [{ ...about, plan }]
    return approvables.flatMap((one): readonly HandedApproval[] => {
      if (one.kind === 'uncounted') return []
      return [one.kind === 'pass' ? { ...about, passes: [one.pass] } : { ...about, words: wordsOf(one) }]
    })
  })
}
