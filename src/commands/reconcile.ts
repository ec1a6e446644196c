import type { Command } from './command.ts'
import { command as run } from './run.ts'

/** `run --once`: a cycle of the daemon that has the journal open, or one of this process. */
export const command: Command = { run: (call) => run.run({ ...call, values: { ...call.values, once: true } }) }
