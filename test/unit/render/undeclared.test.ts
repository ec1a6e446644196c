import { expect, test } from 'vitest'
import type { Hold } from '../../../src/core/hold.ts'
import { planJson } from '../../../src/render/json.ts'
import { planMarkdown } from '../../../src/render/markdown.ts'
import { planText } from '../../../src/render/planText.ts'
import { people } from '../bounds.ts'
import { held, remove, view } from './sample.ts'

const undeclared = (group: string, n?: number): Hold =>
  held(remove('ENG', group, 'admin', 'undeclared', n === undefined ? {} : { size: people(n) }), { kind: 'undeclared', policy: 'sync' })
const gone = { ...undeclared('gone'), unknownTo: ['corp', 'idp'] }
const both = view({ holds: [gone, undeclared('staff', 14)] })

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

test('under a policy other than sync it is kept by the policy', () => {
  const kept = { ...both, about: { ...both.about, policy: 'upsert-only' as const } }
  expect(planText(kept, { colour: false, width: 100 })).toContain('Undeclared (2, 2 protected), kept by policy')
})
