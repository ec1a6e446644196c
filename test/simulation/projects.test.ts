import { expect, test } from 'vitest'
import { basicSpec } from './generate.ts'
import { simulatedService } from './service.ts'
import type { ProjectChange, Row } from './spec.ts'

/** `guests@ENG`, each with the number of its project. Projects are numbered in the order in which they appeared. */
function after(
  rows: readonly string[],
  changes: readonly ProjectChange[],
): { readonly rows: readonly string[]; readonly seen: readonly string[] } {
  const spec = { ...basicSpec(0), dialect: 'plane' as const, rows: { acme: rows.map(rowOf) } }
  const service = simulatedService(spec, 0)
  for (const [index, change] of changes.entries()) service.changeProject('acme', change, index + 1)
  const ids = [...new Set(service.holdings('acme').map(({ id }) => id))]
  return {
    rows: service
      .rows('acme')
      .map(({ group, at, project }) => `${group}@${at} of ${project === undefined ? 'none' : ids.indexOf(project)}`),
    seen: service
      .holdings('acme')
      .flatMap(({ id, identifier, isSeen, untilMs }) => (isSeen && untilMs === undefined ? [`${identifier} is ${ids.indexOf(id)}`] : [])),
  }
}

function rowOf(text: string): Row {
  const [group = '', at = ''] = text.split('@')
  return { group, at, role: 'guest' }
}

test.each<readonly [string, readonly ProjectChange[], readonly string[], readonly string[]]>([
  ['nothing', [], ['it@workspace of none', 'all@* of none', 'a@ENG of 0', 'b@OPS of 1'], ['ENG is 0', 'OPS is 1']],
  [
    'a rename takes the mappings of the project along',
    [{ does: 'rename', project: 'ENG', to: 'ENGX' }],
    ['it@workspace of none', 'all@* of none', 'a@ENGX of 0', 'b@OPS of 1'],
    ['OPS is 1', 'ENGX is 0'],
  ],
  [
    'an identifier that is taken is given to no other project',
    [{ does: 'rename', project: 'ENG', to: 'OPS' }],
    ['it@workspace of none', 'all@* of none', 'a@ENG of 0', 'b@OPS of 1'],
    ['ENG is 0', 'OPS is 1'],
  ],
  [
    'a swap takes the mappings of both along',
    [{ does: 'swap', project: 'ENG', to: 'OPS' }],
    ['it@workspace of none', 'all@* of none', 'a@OPS of 0', 'b@ENG of 1'],
    ['OPS is 0', 'ENG is 1'],
  ],
  [
    'a project vanishes with its mappings, and one of its name is another one',
    [
      { does: 'vanish', project: 'ENG', takes: true },
      { does: 'make', project: 'ENG' },
    ],
    ['it@workspace of none', 'all@* of none', 'b@OPS of 1'],
    ['OPS is 1', 'ENG is 2'],
  ],
  [
    'mappings that stay belong to the project that vanished',
    [
      { does: 'vanish', project: 'ENG', takes: false },
      { does: 'make', project: 'ENG' },
      { does: 'rename', project: 'ENG', to: 'NEW' },
    ],
    ['it@workspace of none', 'all@* of none', 'a@ENG of 0', 'b@OPS of 1'],
    ['OPS is 1', 'NEW is 2'],
  ],
  [
    'a project returns as the same one',
    [
      { does: 'vanish', project: 'ENG', takes: true },
      { does: 'return', project: 'ENG' },
    ],
    ['it@workspace of none', 'all@* of none', 'b@OPS of 1'],
    ['OPS is 1', 'ENG is 0'],
  ],
  [
    'a hidden project keeps its mappings',
    [{ does: 'hide', project: 'ENG' }],
    ['it@workspace of none', 'all@* of none', 'a@ENG of 0', 'b@OPS of 1'],
    ['OPS is 1'],
  ],
  [
    'a hidden project is shown again',
    [
      { does: 'hide', project: 'ENG' },
      { does: 'rename', project: 'ENG', to: 'ENGX' },
      { does: 'show', project: 'ENGX' },
    ],
    ['it@workspace of none', 'all@* of none', 'a@ENGX of 0', 'b@OPS of 1'],
    ['OPS is 1', 'ENGX is 0'],
  ],
])('projects: %s', (_what, changes, rows, seen) => {
  expect(after(['it@workspace', 'all@*', 'a@ENG', 'b@OPS'], changes)).toEqual({ rows, seen })
})
