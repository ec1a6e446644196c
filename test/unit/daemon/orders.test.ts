import { expect, test } from 'vitest'
import type { WorkspaceName } from '../../../src/core/mapping.ts'
import type { CycleReport } from '../../../src/cycle/report.ts'
import { openWholeReport } from '../../../src/daemon/orders.ts'

const report = (workspaces: readonly string[], more: Partial<CycleReport> = {}) =>
  ({
    startedMs: 1,
    tookMs: 1,
    declaration: { hash: 'h', files: 1 },
    directories: [],
    workspaces: workspaces.map((text) => {
      const [workspace = '', of = ''] = text.split(' ')
      return { workspace: workspace as WorkspaceName, kind: 'failed', error: of, about: {} }
    }),
    ...more,
  }) as unknown as CycleReport
const lines = ({ workspaces }: CycleReport) => workspaces.map((one) => `${one.workspace} ${one.kind === 'failed' ? String(one.error) : ''}`)

test('a cycle about some workspaces leaves the others as they were', () => {
  const whole = openWholeReport()
  expect(lines(whole(report(['acme 1', 'beta 1']), false))).toEqual(['acme 1', 'beta 1'])
  expect(lines(whole(report(['beta 2']), true))).toEqual(['acme 1', 'beta 2'])
  expect(lines(whole(report(['acme 3']), true))).toEqual(['acme 3', 'beta 2'])
})

test('a cycle about all workspaces forgets those that the settings no longer name', () => {
  const whole = openWholeReport()
  whole(report(['acme 1', 'gone 1']), false)
  expect(lines(whole(report(['acme 2']), false))).toEqual(['acme 2'])
})

test('the next date is the earliest of all workspaces', () => {
  const whole = openWholeReport()
  whole(report(['acme 1', 'beta 1'], { nextDateMs: 500 }), false)
  expect(whole(report(['beta 2'], { nextDateMs: 900 }), true).nextDateMs).toBe(500)
  expect(whole(report(['beta 3'], { nextDateMs: 100 }), true).nextDateMs).toBe(100)
})
