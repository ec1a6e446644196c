import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { type GroupName, keyOf, type ProjectIdentifier, type Role, type Target } from '../../../src/core/mapping.ts'
import type { DescribedChange, WaiverWords } from '../../../src/core/waiverWords.ts'
import { acme } from '../core/smallWorld.ts'
import { load } from '../declaration/declare.ts'
import { nastyName } from './anyText.ts'
import { holds } from './runs.ts'

/** A described change, and an entry of a file that says it. */
type Said = { readonly means: DescribedChange; readonly entry: object }

const role = fc.constantFrom('guest', 'member', 'admin', 'a role') as fc.Arbitrary<Role>
const group = fc.oneof(fc.constantFrom('leads', 'all staff', 'none', '2024'), nastyName).filter((name) => name !== '' && name.length < 200)
const target: fc.Arbitrary<Target> = fc.oneof(
  fc.constant({ kind: 'workspace' as const }),
  fc.constant({ kind: 'allProjects' as const }),
  fc.constantFrom('PAY', 'WEB').map((project) => ({ kind: 'project' as const, project: project as ProjectIdentifier })),
)
const targetKeys = (at: Target): object =>
  at.kind === 'project' ? { project: at.project } : at.kind === 'workspace' ? { workspace: true } : { allProjects: true }

const mapping: fc.Arbitrary<Said> = fc
  .record({
    at: target,
    group,
    before: fc.option(fc.option(role), { nil: undefined }),
    after: fc.option(role, { nil: undefined }),
    fromGroup: fc.option(group, { nil: undefined }),
    groupId: fc.option(fc.constantFrom('8f1c', '12'), { nil: undefined }),
  })
  .filter(({ before, after, fromGroup, groupId, ...mine }) => {
    if (fromGroup === mine.group || (groupId !== undefined && after === undefined)) return false
    return fromGroup === undefined ? before !== after : before !== undefined && after !== undefined
  })
  .map(({ at, group, before, after, fromGroup, groupId }) => ({
    means: {
      key: keyOf(acme, at, group as GroupName),
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
      ...(fromGroup === undefined ? {} : { fromGroup: fromGroup as GroupName }),
      ...(groupId === undefined ? {} : { groupId }),
    },
    entry: {
      ...targetKeys(at),
      group,
      from: before === undefined ? 'none' : before,
      to: after ?? 'none',
      ...(fromGroup === undefined ? {} : { previously: fromGroup }),
      ...(groupId === undefined ? {} : { id: groupId }),
    },
  }))

const step = <T>(value: fc.Arbitrary<T>) => fc.tuple(fc.option(value), value).filter(([from, to]) => from !== to)
const settings: fc.Arbitrary<Said> = fc
  .record({ autoRemove: step(fc.boolean()), groupAttribute: step(fc.constantFrom('a', 'b')) }, { requiredKeys: [] })
  .filter((steps) => Object.keys(steps).length > 0)
  .map((steps) => {
    const present = Object.entries(steps) as [string, readonly [unknown, unknown]][]
    return {
      means: {
        before: Object.fromEntries(present.flatMap(([name, [from]]) => (from === null ? [] : [[name, from]]))),
        after: Object.fromEntries(present.map(([name, [, to]]) => [name, to])),
      },
      entry: { groupSync: Object.fromEntries(present.map(([name, [from, to]]) => [name, { from, to }])) },
    }
  })

const waiver: fc.Arbitrary<{ readonly means: WaiverWords; readonly entry: object }> = fc.oneof(
  settings.map(({ means, entry }) => ({ means: { changes: [means] }, entry })),
  fc.tuple(mapping, fc.constantFrom(undefined, 0, 160, 'any' as const)).map(([{ means, entry }, people]) => ({
    means: { changes: [means], ...(people === undefined ? {} : { people }) },
    entry: { ...entry, ...(people === undefined ? {} : { people }) },
  })),
  fc.array(fc.oneof(mapping, settings), { minLength: 1, maxLength: 4 }).map((changes) => ({
    means: { changes: changes.map(({ means }) => means) },
    entry: { changes: changes.map(({ entry }) => entry) },
  })),
)

/** JSON leaves characters as they are that YAML allows only as an escape. */
const escaped = (json: string): string =>
  json.replaceAll(/[\u007F-\u009F\uFFFE\uFFFF]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

const dateMs = Date.parse('2026-11-23')

describe('waivers', () => {
  holds(
    'in words that are written and read again are the same waivers',
    300,
    fc.property(fc.array(waiver, { maxLength: 5 }), (waivers) => {
      const entries = waivers.map(({ entry }) => ({ ...entry, until: '2026-12-01', reason: 'x' }))
      const text = escaped(JSON.stringify({ version: 1, workspaces: { acme: { waivers: entries } } }))
      const loaded = load({ 'a.yaml': text }, { dateMs, waiverFiles: ['a.yaml'] })
      if (!loaded.valid) throw new Error(`${loaded.text}\n${text}`)
      const again = loaded.declaration.get(acme)?.waivers ?? []
      expect(again.map(({ words }) => words)).toEqual(waivers.map(({ means }) => means))
    }),
  )
})
