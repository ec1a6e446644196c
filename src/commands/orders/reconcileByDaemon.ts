import type { LoadedSettings } from '../../settings/load.ts'
import { type Call, choice, type ExitCode } from '../command.ts'
import { formats } from '../options.ts'
import { onlyWorkspaces } from '../workspaces.ts'
import { claimedName, printAnswer, runningDaemon, showOf } from './askDaemon.ts'

/** One cycle of the daemon that has the journal open, with its report. @returns undefined if there is no such daemon */
export async function reconcileByDaemon(loaded: LoadedSettings, { values, terminal, signal }: Call): Promise<ExitCode | undefined> {
  const daemon = await runningDaemon(loaded, values, terminal)
  if (daemon === undefined) return undefined
  const only = onlyWorkspaces(values, loaded.settings)
  const format = choice('format', values.format, formats, 'text')
  const about = {
    ...(only === undefined ? {} : { only: [...only] }),
    allow: [],
    by: claimedName(terminal),
    show: showOf(values, format, terminal),
  }
  return printAnswer(await daemon.ask({ kind: values['dry-run'] === true ? 'plan' : 'cycle', ...about }, signal), terminal)
}
