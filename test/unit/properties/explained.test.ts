import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { Change } from '../../../src/core/change.ts'
import { type Explanation, explainKey } from '../../../src/core/explain/explanation.ts'
import { outcomeAt } from '../../../src/core/explain/outcome.ts'
import type { Hold } from '../../../src/core/hold.ts'
import { judge } from '../../../src/core/judge/guards.ts'
import { type GroupName, type Key, keyOf, listOf, type Target } from '../../../src/core/mapping.ts'
import { patternId } from '../../../src/core/matches.ts'
import type { Plan, UnchangedMapping } from '../../../src/core/plan.ts'
import { type Provenance, positionText, type WorkspaceDeclaration } from '../../../src/core/rule.ts'
import { answerText } from '../../../src/render/explainSentence.ts'
import { acme, complete, desiredIn, judging, matchesIn, planIn, type Seen, target } from '../core/smallWorld.ts'
import { groupNames } from './anyDeclaration.ts'
import { anyWorld } from './anyWorld.ts'
import { movingWorld } from './movingWorld.ts'
import { holds } from './runs.ts'

/** Some of the rules are of files inside fences. */
const worlds = fc
  .tuple(fc.oneof({ weight: 3, arbitrary: anyWorld }, { weight: 1, arbitrary: movingWorld }), fc.infiniteStream(fc.nat(4)))
  .map(([world, chance]): Seen => ({ ...world, declared: fencedIn(world.declared, chance) }))

function fencedIn(declared: WorkspaceDeclaration, chance: Iterator<number>): WorkspaceDeclaration {
  const rules = declared.rules.map((one) =>
    chance.next().value === 0
      ? { ...one, fenced: true as const, because: { ...one.because, at: { ...one.because.at, file: 'teams/a.yaml' } } }
      : one,
  )
  return { ...declared, rules }
}

const places: readonly (readonly [GroupName, Target])[] = [...groupNames, 'old', 'ghost'].flatMap((name) =>
  ['workspace', '*', 'ENG', 'OPS', 'PAY', 'GONE'].map((at) => [name as GroupName, target(at)] as const),
)

const judgedPlan = (seen: Seen): Plan => judge(planIn(seen, [], { listsUnchanged: true }), { ...judging, roles: seen.roles }).plan

/** What explain says of each key of the world. */
function explainer(seen: Seen): (group: GroupName, at: Target) => Explanation {
  const { declared, existing, directories } = seen
  const mapped = [...existing.lists.values()].flatMap((reading) => (reading.status === 'failed' ? [] : reading.value))
  const patterns = declared.rules.flatMap(({ groups }) => (groups.kind === 'pattern' ? [groups.pattern] : []))
  const [desired, matches] = [desiredIn(seen), matchesIn(declared, directories, mapped)]
  return (group, at) => {
    const fits = patterns.flatMap((pattern) => {
      const captured = pattern.compile()(group)
      return captured === undefined ? [] : [[patternId(pattern), { as: 'written', captured }] as const]
    })
    const about = { declared, existing, directories, desired, matches, others: [], fits: new Map(fits) }
    return explainKey({ group, target: at }, { ...about, list: existing.lists.get(listOf(at)) ?? complete([]) })
  }
}

type Entry = Change | Hold | UnchangedMapping
const entriesAt = (key: Key, { changes, holds: held, unchangedMappings = [] }: Plan): readonly Entry[] =>
  [...changes, ...held, ...unchangedMappings].filter((entry) => entry.key === key)

const isDuplicate = (entry: Entry | undefined) =>
  entry !== undefined && 'action' in entry && entry.action === 'delete' && entry.why === 'duplicate'

/** Of a mapping that may be the one of a renamed project or group, the plan names the rule for that project or group. */
const ruleOf = (entry: Entry): Provenance | undefined => {
  const isOfAnother =
    'reason' in entry &&
    (entry.reason.kind === 'perhapsRenamed' || (entry.reason.kind === 'notStarted' && entry.would?.action === 'unknown'))
  return isOfAnother ? undefined : entry.because
}

/** What a plan does, in the words with which the answer has to say it. */
function said(entry: Entry): RegExp {
  if (!('reason' in entry) && !('action' in entry)) return new RegExp(`has ${entry.role ?? 'no role'} in .*: .* gives it\\.`)
  if ('action' in entry && entry.action === 'create')
    return new RegExp(`gets ${entry.role} in .* with the next apply or cycle: .* gives it`)
  if ('action' in entry && entry.action === 'patch')
    return new RegExp(`has ${entry.before ?? 'no role'} in .*, and gets ${entry.role} with the next apply or cycle`)
  if ('action' in entry && entry.action === 'rename') return new RegExp(`gets ${entry.role} in .* is renamed\\.`)
  if ('action' in entry && entry.action === 'delete') return new RegExp(`loses ${entry.before ?? 'no role'} in .* with the next apply`)
  return /has no role|keeps|, but |, and should lose it: |stays|keeps it/
}

describe('what explain says of any key', () => {
  holds(
    'Its rule and its outcome are those of the plan',
    1_000,
    fc.property(worlds, (seen) => {
      const [plan, explainedAt] = [judgedPlan(seen), explainer(seen)]
      for (const [group, at] of places) {
        const key = keyOf(acme, at, group)
        const explained = explainedAt(group, at)
        const outcome = outcomeAt(key, plan)
        const entries = entriesAt(key, plan)
        const about = `${key}: ${JSON.stringify(explained.claims.map((claim) => [positionText(claim.wanted.because.at), claim.lost]))}`

        const [deciding, ...others] = explained.claims.filter(({ decides }) => decides)
        expect(others, about).toEqual([])
        for (const rule of entries.flatMap((entry) => ruleOf(entry) ?? []))
          expect(positionText(rule.at), about).toBe(deciding && positionText(deciding.wanted.because.at))
        if (deciding?.wanted.kind === 'role' && explained.isManaged) expect(entries, about).not.toEqual([])

        const answer = answerText({ explained, outcome, about: { workspace: 'acme' as typeof acme, policy: seen.policy } })
        const own = entries.filter((entry) => !isDuplicate('change' in entry ? entry.change : entry))
        const first = own.find((entry) => 'action' in entry) ?? own.find((entry) => 'reason' in entry) ?? own[0]
        if (first !== undefined) expect(answer, about).toMatch(said(first))
        else if (explained.mappings.length === 0 && outcome.changes.length === 0 && outcome.holds.length === 0)
          expect(answer, about).toContain('has no role')
        const [rule] = first === undefined ? [] : [ruleOf(first)]
        if (rule !== undefined && first !== undefined && !('reason' in first))
          expect(answer, about).toContain(`${rule.at.file}:${rule.at.line}`)
      }
    }),
  )

  holds(
    'A rule that loses decides nothing: without it the same rule decides',
    400,
    fc.property(worlds, (seen) => {
      const before = desiredIn(seen)
      for (const [group, at] of places) {
        const key = keyOf(acme, at, group)
        for (const { rule, lost } of before.claimsOn(key)) {
          if (rule === undefined || lost === undefined || rule.previously !== undefined) continue
          const without = desiredIn({ ...seen, declared: { ...seen.declared, rules: seen.declared.rules.filter((one) => one !== rule) } })
          const [was, is] = [before.mappings.get(key), without.mappings.get(key)]
          // A pattern whose group no directory has is only shown beside another rule.
          if (was?.kind === 'unknown' && is === undefined) continue
          // Not whether it is held: a mapping of a rule that trusts unknown projects is no evidence for a project.
          expect(is?.because.at, `${key} without ${positionText(rule.because.at)} (${lost})`).toEqual(was?.because.at)
        }
      }
    }),
  )

  holds(
    'A rule that comes near is none of those that name the key',
    200,
    fc.property(worlds, (seen) => {
      const explainedAt = explainer(seen)
      for (const [group, at] of places) {
        const { near, claims } = explainedAt(group, at)
        const naming = new Set(claims.map(({ wanted }) => positionText(wanted.because.at)))
        expect(near.filter(({ rule }) => naming.has(positionText(rule.because.at)))).toEqual([])
      }
    }),
  )
})
