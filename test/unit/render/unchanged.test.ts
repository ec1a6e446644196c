import { expect, test } from 'vitest'
import { type GroupName, keyOf, type MappingId, type Role, type WorkspaceName } from '../../../src/core/mapping.ts'
import type { UnchangedMapping } from '../../../src/core/plan.ts'
import { planJson } from '../../../src/render/json.ts'
import { plansText } from '../../../src/render/plansText.ts'
import { people } from '../bounds.ts'
import { at, create, target, view } from './sample.ts'

const lastMoment = Date.UTC(2027, 1, 1)
const { because } = at('teams/eng.yaml:7', { owner: 'team-eng', reason: 'ACC-1', expiresMs: lastMoment })
const group = 'devs' as GroupName
const inEng = target('ENG')
const key = keyOf('acme' as WorkspaceName, inEng, group)
const mapping: UnchangedMapping = { key, group, target: inEng, id: 'm1' as MappingId, role: 'member' as Role, because, size: people(63) }
const listed = view({ unchanged: 1, unchangedMappings: [mapping] })
const text = (of: ReturnType<typeof view>) => plansText([of], { colour: false, width: 120, all: true })

test('mappings that stay as they are have a row each, with their rule', () => {
  expect(text(listed)).toContain(
    'Unchanged (1)\n  = ENG  devs = member  63 people, until 2027-01-31  "ACC-1"  teams/eng.yaml:7 · team-eng\n',
  )
  expect(text(view({ unchanged: 1 }))).not.toContain('Unchanged (')
})

test('they are in the JSON document', () => {
  const [workspace] = JSON.parse(planJson([listed])).workspaces
  expect(workspace.unchanged).toEqual([
    {
      key,
      mapping: 'm1',
      target: { kind: 'project', project: 'ENG' },
      group: 'devs',
      role: 'member',
      size: people(63),
      because: { ...because },
    },
  ])
  expect(JSON.parse(planJson([view({ unchanged: 1 })])).workspaces[0]).not.toHaveProperty('unchanged')
})

test.each([
  ['a day', lastMoment, 'until 2027-01-31'],
  ['a moment', lastMoment + 18 * 3_600_000, 'until 2027-02-01 18:00 UTC'],
])('a grant says when its rule ends: %s', (_form, expiresMs, expected) => {
  const change = create('ENG', 'devs', 'member', { size: people(1), ...at('a.yaml:1', { expiresMs }) })
  expect(text(view({ changes: [change] }))).toContain(`→ member  1 person, ${expected}  a.yaml:1`)
})
