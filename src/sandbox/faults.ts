import { type ArmedRule, arm } from './fault.ts'
import { whyNever } from './fault-reach.ts'
import { readFault } from './fault-text.ts'
import { SandboxError } from './problem.ts'
import { operations } from './routes.ts'
import type { State } from './state.ts'

const faultsMax = 1_000

/**
 * Faults from their texts, with counts of zero.
 *
 * @param before the faults that stay before them
 * @throws {SandboxError} if one cannot be read, or can never strike
 */
export function armFaults(texts: readonly string[], before: readonly ArmedRule[], state: State): readonly ArmedRule[] {
  if (before.length + texts.length > faultsMax) throw new SandboxError(`there can be at most ${faultsMax} faults`)
  const slugs = Object.keys(state.workspaces)
  const armed = [...before]
  for (const text of texts) {
    const rule = readFault(text)
    const earlier = armed.map((one) => one.rule)
    const why = whyNever(rule, earlier, operations, slugs)
    if (why !== undefined) throw new SandboxError(`fault "${text}" can never strike: ${why}`)
    armed.push(arm(rule, text.trim()))
  }
  return armed.slice(before.length)
}
