import type { WorkspaceName } from '../core/mapping.ts'
import { runCycle } from '../cycle.ts'
import { runDaemon } from '../daemon/daemon.ts'
import { type Metrics, openMetrics } from '../daemon/metrics.ts'
import { openReportLog } from '../log/report.ts'
import { type Command, exit, texts } from './command.ts'
import { exitCode } from './exitCode.ts'
import { openWriting } from './writing.ts'

export const command: Command = {
  summary: 'the daemon; --once for one cycle',
  options: {
    once: { type: 'boolean', describe: 'one cycle, then exit' },
    'dry-run': { type: 'boolean', describe: 'never write' },
    'no-wait': { type: 'boolean', describe: 'your word that nobody else has written in the last minutes' },
  },
  async run({ values, terminal, signal }) {
    const only = texts(values.workspace) as readonly WorkspaceName[]
    let metrics: Metrics | undefined
    await using open = await openWriting(values, terminal, {
      command: 'run',
      waivers: [],
      noWait: values['no-wait'] === true,
      observe: (request) => metrics?.observeRequest(request),
    })
    const { log } = open.world
    const cycle = { ...open.cycle, ...(only.length === 0 ? {} : { only: new Set(only) }) }
    const writing = values['dry-run'] === true ? {} : { writing: open.writing }
    log.info({ event: 'start', version: terminal.version, settings: open.loaded.file }, `plane-group-sync ${terminal.version}`)
    if (values.once === true) {
      const report = await runCycle(open.program.sources, cycle, writing.writing?.(open.program), signal)
      openReportLog(log)(report)
      return signal.aborted ? exit.failed : exitCode(report)
    }
    metrics = openMetrics({
      version: terminal.version,
      node: process.version,
      queues: () => [...open.program.queues].map(([credential, queue]) => ({ credential, view: queue.view() })),
      onError: (error) => log.error({ err: error }, 'a metric could not be read'),
    })
    const { loaded, program, world, settled, journal } = open
    await runDaemon(
      { loaded, program, world, metrics, cycle, ...writing, settled, memory: journal.memory, signals: terminal.signals },
      signal,
    )
    log.info({ event: 'end' }, 'stopped')
    return exit.done
  },
}
