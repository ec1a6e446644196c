import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { planJson } from '../../../src/render/json.ts'
import { planMarkdown } from '../../../src/render/markdown.ts'
import { plansText } from '../../../src/render/plansText.ts'
import { parsePlan } from '../../../src/render/savedPlan.ts'
import { runs } from '../../long.ts'
import { anyView, views } from './anyView.ts'

const uncontrolled = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u
// oxlint-disable-next-line no-control-regex -- only these sequences may be taken away
const sgr = /\u001B\[[\d;]+m/g

test('whatever the plan, every rendering comes, and nothing in it controls a terminal', () => {
  fc.assert(
    fc.property(views, fc.boolean(), fc.integer({ min: 0, max: 300 }), (some, colour, width) => {
      const text = plansText(some, { colour, width })
      expect(colour ? text.replace(sgr, '') : text).not.toMatch(uncontrolled)
      expect(planMarkdown(some)).not.toMatch(uncontrolled)
      expect(planJson(some)).not.toMatch(uncontrolled)
    }),
    { numRuns: runs(150) },
  )
})

test('whatever the plan, colour changes nothing but colour', () => {
  fc.assert(
    fc.property(views, fc.integer({ min: 40, max: 200 }), (some, width) => {
      expect(plansText(some, { colour: true, width }).replace(sgr, '')).toBe(plansText(some, { colour: false, width }))
    }),
    { numRuns: runs(60) },
  )
})

test('whatever the plan, a saved one comes back with its fingerprint and changes', () => {
  fc.assert(
    fc.property(anyView, (one) => {
      const parsed = parsePlan(planJson([one]))
      expect(parsed).toMatchObject({ kind: 'plan' })
      if (parsed.kind !== 'plan') return
      const [workspace] = parsed.plan.workspaces
      expect(workspace?.fingerprint).toBe(one.judged.plan.fingerprint)
      expect(workspace?.changes).toMatchObject(one.judged.plan.changes)
    }),
    { numRuns: runs(100) },
  )
})

test('whatever a file holds, reading it as a plan does not throw', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => parsePlan(text).kind === 'unreadable'))
})
