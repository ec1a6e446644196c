import { patternId } from '../core/matches.ts'
import { problemAt } from '../yaml/document.ts'
import type { Problem } from '../yaml/problem.ts'
import { entryPath, type Part } from './compile.ts'
import type { DocumentOf } from './contradictions.ts'

/** 500 patterns of 100 steps; a usual pattern has 10 to 30. */
const stepsMax = 50_000

/** A problem at the entry with which the patterns together exceed the limit. */
export function tooManySteps(parts: readonly Part[], documentOf: DocumentOf): readonly Problem[] {
  let sofar = 0
  for (const { steps, said } of distinct(parts)) {
    sofar += steps
    if (sofar <= stepsMax) continue
    const document = documentOf(said.list.file)
    const message = `with this pattern, all patterns together compile to ${sofar} steps`
    const cure = `at most ${stepsMax}; this one has ${steps}: shorten repetitions such as {100}, or use fewer patterns`
    return document === undefined ? [] : [problemAt(document, entryPath(said), message, cure)]
  }
  return []
}

function* distinct(parts: readonly Part[]) {
  const seen = new Set<string>()
  for (const { rules, unmanaged } of parts) {
    for (const list of [rules, unmanaged]) {
      for (const said of list) {
        const { groups } = said.what
        if (groups.kind === 'exact' || seen.has(patternId(groups.pattern))) continue
        seen.add(patternId(groups.pattern))
        yield { steps: groups.pattern.steps, said }
      }
    }
  }
}
