import { expect, test } from 'vitest'
import type { WorkspaceName } from '../../../src/core/mapping.ts'
import type { CycleReport } from '../../../src/cycle/cycleReport.ts'
import type { Configuration } from '../../../src/daemon/configuration.ts'
import { cycleOnce } from '../../../src/daemon/cycles.ts'
import { type CycleOrder, openWholeReport } from '../../../src/daemon/orders.ts'
import type { Daemon } from '../../../src/daemon/parts.ts'

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

test('an order gets its answer also if the settings cannot be read again before its cycle', async () => {
  const waiting: CycleOrder[] = []
  const answers: unknown[] = []
  const failed = async (error: unknown) => void answers.push(error)
  waiting.push({ begin: async () => undefined, ended: async () => undefined, failed, stopped: async () => undefined })
  const trouble = new Error('the disk does not answer')
  const daemon = { orders: { next: () => waiting.shift(), hasMore: () => waiting.length > 0, onOrder: () => undefined } }
  const configuration = { refresh: async () => Promise.reject(trouble) }
  const reports = { onReport: () => undefined, wholeReport: openWholeReport(), leave: async () => undefined }
  const cycle = cycleOnce(
    daemon as unknown as Daemon,
    configuration as unknown as Configuration,
    reports,
    'order',
    new AbortController().signal,
  )
  await expect(cycle).rejects.toBe(trouble)
  expect(answers).toEqual([trouble])
  expect(waiting).toEqual([])
})
