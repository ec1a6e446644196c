import type { Check } from '../../core/doctor/check.ts'
import type { CycleReport } from '../../cycle/cycleReport.ts'
import type { CycleOrder } from '../../daemon/orders.ts'
import type { Order, OrderAnswer } from '../../documents/daemonOrder.ts'
import { documentCheck } from '../../render/doctorJson.ts'
import { exitCodes } from '../command.ts'
import { errorReport } from '../errorReport.ts'
import { notBegun, refusalOf, refused, workspacesToRun } from './cycleOrder.ts'

type DoctorOrder = Extract<Order, { kind: 'doctor' }>
/** Makes the checks of an order, after a cycle over its workspaces that wrote nothing. */
export type Examine = (order: DoctorOrder, report: CycleReport) => Promise<readonly Check[]>

type DoctorOrderOptions = {
  readonly order: DoctorOrder
  readonly answer: (answer: OrderAnswer) => Promise<void>
  readonly isDryRun: boolean
  readonly examine: Examine
}

/** The checks that a command leaves to the daemon, since they spend its budget. The answer has them as JSON on standard output. */
export function doctorOrder({ order, answer, isDryRun, examine }: DoctorOrderOptions): CycleOrder {
  const failed = async (error: unknown): Promise<void> => {
    const { text, code } = errorReport(error)
    await answer({ exit: code, out: '', err: text })
  }
  return {
    async begin(loaded) {
      const only = workspacesToRun(order, loaded)
      const why = refusalOf(order, loaded, isDryRun) ?? (typeof only === 'string' ? only : undefined)
      if (why === undefined)
        return {
          writes: false,
          listsUnchanged: true,
          ...(only === undefined ? {} : { only: new Set(only as Exclude<typeof only, string>) }),
        }
      await answer(refused(why))
      return undefined
    },
    async ended(report) {
      const checks = await examine(order, report)
      await answer({ exit: exitCodes.done, out: JSON.stringify(checks.map(documentCheck)), err: '' })
    },
    failed,
    stopped: () => failed(notBegun()),
  }
}
