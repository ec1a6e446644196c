import { type Role, targetText } from '../core/mapping.ts'
import { patternId } from '../core/matches.ts'
import { durationText } from '../core/quantity.ts'
import type { Rule } from '../core/rule.ts'
import { problemAt } from '../yaml/document.ts'
import type { Problem } from '../yaml/problem.ts'
import type { Part, Statement } from './compile.ts'
import type { DocumentOf } from './contradictions.ts'
import type { Fence } from './fence.ts'
import { compareNumbers, endMs } from './time.ts'

type Given = { readonly said: Statement<Rule>; readonly fence: Fence; readonly role: Role; readonly longestMs: number }

/**
 * Problems for rules that overlap or follow each other without a gap, and so give one role on one target for longer than their fence allows. Each of them
 * alone may be short enough (`insideFence.ts`). Exact names and equal patterns are compared, not different patterns. A rule that has ended does not count.
 *
 * @param fenceOf the fence of a file; undefined for a file without limits
 * @param dateMs now, epoch ms: a rule without `starts` begins now
 */
export function* adjoiningSpans(
  parts: readonly Part[],
  fenceOf: (file: string) => Fence | undefined,
  documentOf: DocumentOf,
  dateMs: number,
): Generator<Problem> {
  for (const same of Map.groupBy(limited(parts, fenceOf, dateMs), placeOf).values()) {
    const spans = same.map((one) => ({ ...one, fromMs: one.said.what.startsMs ?? dateMs, toMs: endMs(one.said.what) }))
    let chain: { readonly fromMs: number; toMs: number } | undefined
    for (const { said, fence, role, longestMs, fromMs, toMs } of spans.toSorted((a, b) => compareNumbers(a.fromMs, b.fromMs))) {
      if (chain === undefined || fromMs > chain.toMs) {
        chain = { fromMs, toMs }
        continue
      }
      const wasMs = chain.toMs
      chain.toMs = Math.max(wasMs, toMs)
      const document = documentOf(said.list.file)
      if (document === undefined || chain.toMs === wasMs || chain.toMs - chain.fromMs <= longestMs) continue
      const { groups } = said.what
      const name = groups.kind === 'exact' ? groups.name : groups.pattern.source
      const message = `with the rules before it, this one gives "${name}" the role "${role}" for ${durationText(chain.toMs - chain.fromMs)}`
      const cure = `at most ${durationText(longestMs)} here: let this rule end earlier, or add it when the one before it has ended`
      yield problemAt(document, [...said.list.base, said.index, 'expires'], `${message} (fence "${fence.path}")`, cure)
    }
  }
}

/** The rules with a longest time that have an end to come, each with its roles. */
function* limited(parts: readonly Part[], fenceOf: (file: string) => Fence | undefined, dateMs: number): Generator<Given> {
  for (const { rules } of parts)
    for (const said of rules) {
      const fence = said.what.fenced === true ? fenceOf(said.list.file) : undefined
      if (fence === undefined || fence.longestMs.size === 0 || !Number.isFinite(endMs(said.what)) || endMs(said.what) <= dateMs) continue
      const { role } = said.what
      for (const one of new Set(role.kind === 'fixed' ? [role.role] : role.map.values())) {
        const longestMs = fence.longestMs.get(one)
        if (longestMs !== undefined) yield { said, fence, role: one, longestMs }
      }
    }
}

/** Equal for rules that give the same groups the same role on the same target. */
function placeOf({ said: { what }, fence, role }: Given): string {
  const { groups, target } = what
  const name = groups.kind === 'exact' ? groups.name : patternId(groups.pattern)
  return JSON.stringify([fence.workspace, groups.kind, name, target.kind === 'fixed' ? targetText(target.target) : '', role])
}
