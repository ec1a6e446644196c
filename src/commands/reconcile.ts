import { type Command, choice } from './command.ts'
import { formats } from './description.ts'
import { renderReport } from './render.ts'
import { runLogged } from './run.ts'

/** A cycle of the daemon that has the journal open, or `run --once` of this process. Both print the report. */
export const command: Command = {
  run(call) {
    const { values, terminal } = call
    const format = choice('format', values.format, formats, 'text')
    const once = { ...call, values: { ...values, once: true } }
    return runLogged(once, (report, nowMs) => terminal.out(renderReport(report, format, terminal, values, nowMs)))
  },
}
