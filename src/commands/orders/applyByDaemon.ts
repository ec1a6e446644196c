import type { WorkspaceName } from '../../core/mapping.ts'
import { type Call, choice, type ExitCode, exitCodes } from '../command.ts'
import { formats } from '../options.ts'
import { agrees } from '../review.ts'
import type { ReviewedPlan } from '../reviewed.ts'
import { claimedName, printAnswer, type RunningDaemon, showOf, type UnboundOrder } from './askDaemon.ts'
import { sentReview } from './sentReview.ts'

type Apply = {
  readonly only: ReadonlySet<WorkspaceName> | undefined
  readonly allow: readonly string[]
  /** The plans of a file. Absent: the daemon makes a plan, and shows it first. */
  readonly saved: ReadonlyMap<WorkspaceName, ReviewedPlan> | undefined
  readonly asks: boolean
}

/** `apply` beside a daemon. The daemon makes the plan that a person is asked about, so that two processes never use one key of Plane. */
export async function applyByDaemon(
  daemon: RunningDaemon,
  { only, allow, saved, asks }: Apply,
  { values, terminal, signal }: Pick<Call, 'values' | 'terminal' | 'signal'>,
): Promise<ExitCode> {
  const format = choice('format', values.format, formats, 'text')
  const isDocument = format !== 'text'
  const about = { ...(only === undefined ? {} : { only: [...only] }), allow: [...allow], by: claimedName(terminal) }
  let reviewed = saved && [...saved].map(([workspace, plan]) => sentReview(workspace, plan))
  const order = (kind: 'plan' | 'cycle', shown: typeof format): UnboundOrder => ({
    kind,
    ...about,
    show: showOf(values, shown, terminal),
    ...(reviewed === undefined ? {} : { reviewed }),
  })
  if (asks) {
    // Standard output gets exactly one document, at the end.
    const asked = await daemon.ask(order('plan', isDocument ? 'text' : format), signal)
    if (isDocument) terminal.err(asked.out)
    else terminal.out(asked.out)
    terminal.err(asked.err)
    // Without a plan nobody has seen what would be written.
    if (asked.reviewed === undefined || (asked.question === undefined && allow.length === 0)) return asked.exit as ExitCode
    if (asked.question !== undefined && !(await agrees(asked.question, terminal, signal))) return exitCodes.refused
    reviewed = [...asked.reviewed]
  }
  return printAnswer(await daemon.ask(order('cycle', format), signal), terminal)
}
