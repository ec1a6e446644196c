import { patternId } from '../core/matches.ts'
import type { Pattern, Rule, Unmanaged } from '../core/rule.ts'
import { problemAt } from '../yaml/document.ts'
import { type Problem, withOwner } from '../yaml/problem.ts'
import { entryPath, type Part, type Statement } from './compile.ts'
import type { DocumentOf } from './contradictions.ts'
import { type OwnerOf, ownerLimit } from './fenceOwner.ts'

/** 500 patterns of 100 steps; a usual pattern has 10 to 30. */
const stepsMax = 50_000

/**
 * Problems at the entries with which the patterns of one owner, or all patterns together, exceed the limit.
 *
 * @param parts in the order in which files count
 */
export function tooManySteps(parts: readonly Part[], documentOf: DocumentOf, ownerOf: OwnerOf): readonly Problem[] {
  const problems: Problem[] = []
  const stepsOf = new Map<string, number>()
  const seen = new Set<string>()
  let sofar = 0
  for (const [pattern, said] of patterned(parts)) {
    const owner = ownerOf(said.list.file)
    const own = owner === undefined ? undefined : `${owner} ${patternId(pattern)}`
    const at = (message: string, cure: string) => {
      const document = documentOf(said.list.file)
      if (document !== undefined) problems.push(withOwner(problemAt(document, entryPath(said), message, cure), owner))
    }
    if (owner !== undefined && own !== undefined && !seen.has(own)) {
      seen.add(own)
      const before = stepsOf.get(owner) ?? 0
      const steps = before + pattern.steps
      stepsOf.set(owner, steps)
      const most = ownerLimit(stepsMax)
      if (before <= most && steps > most)
        at(
          `with this pattern, the patterns of ${owner} compile to ${steps} steps`,
          `at most ${most} for one owner inside fences; ${cureOf(pattern.steps)}`,
        )
    }
    if (seen.has(patternId(pattern))) continue
    seen.add(patternId(pattern))
    sofar += pattern.steps
    if (sofar <= stepsMax) continue
    at(`with this pattern, all patterns together compile to ${sofar} steps`, `at most ${stepsMax}; ${cureOf(pattern.steps)}`)
    break
  }
  return problems
}

const cureOf = (steps: number): string => `this one has ${steps}: shorten repetitions such as {100}, or use fewer patterns`

function* patterned(parts: readonly Part[]): Generator<readonly [Pattern, Statement<Rule | Unmanaged>]> {
  for (const { rules, unmanaged } of parts)
    for (const list of [rules, unmanaged])
      for (const said of list) if (said.what.groups.kind === 'pattern') yield [said.what.groups.pattern, said]
}
