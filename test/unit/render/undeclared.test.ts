import { expect, test } from 'vitest'
import type { Hold } from '../../../src/core/hold.ts'
import { pageHtml } from '../../../src/render/html/page.ts'
import { planJson } from '../../../src/render/json.ts'
import { planMarkdown } from '../../../src/render/markdown.ts'
import { planText } from '../../../src/render/planText.ts'
import { statusText } from '../../../src/render/statusText.ts'
import { people } from '../bounds.ts'
import { last, statusOf } from './lastParts.ts'
import { held, nowMs, remove, view } from './sample.ts'

const undeclared = (group: string, n?: number): Hold =>
  held(remove('ENG', group, 'admin', 'undeclared', n === undefined ? {} : { size: people(n) }), { kind: 'undeclared', policy: 'sync' })
const gone = { ...undeclared('gone'), unknownTo: ['corp', 'idp'] }
const both = view({ holds: [gone, undeclared('staff', 14)] })
const notAsked = view({ holds: [{ ...undeclared('gone'), unknownTo: ['corp'], unasked: ['hr'] }] })

test('a row of an undeclared mapping says how many people the group has, or which directories do not know it', () => {
  const lines = planText(both, { colour: false, width: 80 }).split('\n')
  const from = lines.indexOf('Undeclared (2, 2 protected), not ours: kept')
  expect(lines.slice(from + 1, from + 3)).toEqual([
    '  ‼ ENG  gone  = admin  corp and idp do not know this group',
    '  ‼ ENG  staff = admin  14 people',
  ])
})

test('the same in Markdown and in JSON', () => {
  const markdown = planMarkdown([both])
  expect(markdown).toContain(
    '| ‼ | `ENG` | `gone` | `= admin` | corp and idp do not know this group |\n| ‼ | `ENG` | `staff` | `= admin` | 14 people |',
  )
  const [first, second] = JSON.parse(planJson([both])).workspaces[0].holds
  expect(first.unknownTo).toEqual(['corp', 'idp'])
  expect(second).not.toHaveProperty('unknownTo')
  expect(second.change.size).toEqual(people(14))
})

test('directories that no rule asks are named, as such: in text, Markdown, JSON, and in the status and the page of a daemon', () => {
  const sentence = 'corp does not know this group, and hr is asked by no rule'
  expect(planText(notAsked, { colour: false, width: 100 })).toContain(`gone = admin  ${sentence}`)
  expect(planMarkdown([notAsked])).toContain(`| ${sentence} |`)
  const [hold] = JSON.parse(planJson([notAsked])).workspaces[0].holds
  expect(hold).toMatchObject({ unknownTo: ['corp'], unasked: ['hr'] })
  const stored = JSON.parse(JSON.stringify(last([[notAsked, 'success']])))
  expect(statusText(statusOf(stored), { colour: false, width: 120 })).toContain(sentence)
  expect(pageHtml({ last: stored, nowMs })).toContain(sentence)
})

test('under a policy other than sync it is kept by the policy', () => {
  const kept = { ...both, about: { ...both.about, policy: 'upsert-only' as const } }
  expect(planText(kept, { colour: false, width: 100 })).toContain('Undeclared (2, 2 protected), kept by policy')
})
