import { applyHere } from './applyHere.ts'
import { type Command, choice, UsageError } from './command.ts'
import { formats } from './options.ts'
import { applyByDaemon } from './orders/applyByDaemon.ts'
import { runningDaemon } from './orders/askDaemon.ts'
import { readSavedPlan, requireSameService } from './savedPlan.ts'
import { openSettings } from './settings.ts'
import { waiversOf } from './waivers.ts'
import { onlyWorkspaces } from './workspaces.ts'

export const command: Command = {
  async run(call) {
    const {
      values,
      positionals: [file],
      terminal,
      signal,
    } = call
    const format = choice('format', values.format, formats, 'text')
    const asks = values.yes !== true
    if (asks && !terminal.isTerminal.in)
      throw new UsageError('apply asks before it writes, but the input is not a terminal', { cure: 'add --yes to write without asking' })
    const saved = file === undefined ? undefined : await readSavedPlan(file, terminal, signal)
    const waivers = waiversOf(values, terminal.env)
    const loaded = await openSettings(values, terminal, signal)
    const daemon = await runningDaemon(loaded, values, terminal)
    if (daemon === undefined) return await applyHere(loaded, { format, asks, saved, waivers }, call)
    const only = onlyWorkspaces(values, loaded.settings, saved?.workspaces)
    if (saved !== undefined) requireSameService(saved, loaded.settings, only)
    const allow = waivers.flatMap(({ ids }) => ids)
    return await applyByDaemon(daemon, { only, allow, saved: saved?.reviewed, asks }, { values, terminal, signal })
  },
}
