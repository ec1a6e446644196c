import type { Fit, Fits } from '../core/explain/nearRules.ts'
import type { GroupName } from '../core/mapping.ts'
import { patternId } from '../core/matches.ts'
import type { Pattern, WorkspaceDeclaration } from '../core/rule.ts'
import { openYielder } from './turns.ts'

/** The cost to compile a pattern twice, in match steps for each step of its program. */
const compiling = 2_000

/**
 * How the name of one group fits the patterns of a workspace's rules, also if neither a directory nor a mapping has the group, so that a plan does not
 * compare it.
 *
 * @throws {Stopped} if `signal` fired before all patterns were compared
 */
export async function patternFits({ rules }: WorkspaceDeclaration, group: GroupName, signal: AbortSignal): Promise<Fits> {
  const patterns = new Map(
    rules.flatMap(({ groups }) => (groups.kind === 'pattern' ? [[patternId(groups.pattern), groups.pattern] as const] : [])),
  )
  const turn = openYielder(signal)
  const fits = new Map<string, Fit>()
  for (const [id, pattern] of patterns) {
    await turn(pattern.steps * (compiling + group.length))
    const fit = fitOf(pattern, group)
    if (fit !== undefined) fits.set(id, fit)
  }
  return fits
}

function fitOf({ compile }: Pattern, group: GroupName): Fit | undefined {
  const written = compile()(group)
  if (written !== undefined) return { as: 'written', captured: written }
  const otherCase = compile('case')(group)
  return otherCase === undefined ? undefined : { as: 'otherCase', captured: otherCase }
}
