import { expect, test } from 'vitest'
import type { Rule } from '../../../src/core/rule.ts'
import { openMetrics } from '../../../src/daemon/metrics.ts'
import { metricPrefix } from '../../../src/daemon/metricTable.ts'
import { given, rule } from '../core/smallWorld.ts'
import { failedReport, judged, report } from './reports.ts'

const of = (owner: string): Partial<Rule> => ({ because: { at: { file: 'g', line: 1, column: 1 }, owner } })
const ends = (days: number) => ({ expiresMs: 10_000 + days * 86_400_000 })
const world = {
  directories: { corp: ['devs', 'a', 'b', 'c', 'd'] },
  rules: [
    rule('devs', 'ENG', 'admin', of('team-a')),
    rule('devs', 'OPS', 'admin', of('stranger')),
    rule('gone', 'ENG', 'member', of('team-a')),
    rule('gone', 'OPS', 'member'),
    ...['a', 'b', 'c', 'd'].map((group) => rule(group, 'ENG', 'guest', { ...of('team-b'), ...ends(10) })),
    rule('a', 'OPS', 'guest', { ...of('stranger'), ...ends(10) }),
    rule('b', 'OPS', 'guest', { ...of('stranger'), ...ends(20) }),
  ],
}

test('what waits, is held, or ends soon is counted by the owners of the fences; all others are one series', async () => {
  const metrics = openMetrics({ version: '1', node: 'v26', queues: () => [], dateOf: (atMs) => atMs, onError: () => undefined })
  const page = async () =>
    (await metrics.render()).body
      .split('\n')
      .filter((line) => line.startsWith(`${metricPrefix}owner_`))
      .map((line) => line.slice(`${metricPrefix}owner_`.length))
  const known = { workspaces: ['acme'], directories: [], credentials: [] }
  metrics.expect({ ...known, owners: ['team-a', 'team-b', 'team-a'] })
  const series = (values: readonly (readonly number[])[]) =>
    ['waiting_for_approval', 'held', 'expiring_mappings'].flatMap((name, metric) =>
      ['none', 'team-a', 'team-b'].map((owner, index) => `${name}{owner="${owner}"} ${values[metric]?.[index]}`),
    )
  expect(await page()).toEqual(
    series([
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ]),
  )
  const planned = judged(world)
  if (planned.kind !== 'judged') throw new Error('no plan')
  const expected = series([
    [1, 1, 0],
    [1, 1, 0],
    [1, 0, 4],
  ])
  metrics.observeReport(report(planned))
  expect(await page()).toEqual(expected)
  // A failed workspace keeps the numbers of its last plan; one that the settings no longer have is dropped.
  metrics.observeReport(report(failedReport))
  expect(await page()).toEqual(expected)
  metrics.expect({ ...known, workspaces: ['beta'], owners: [] })
  expect(await page()).toEqual(['waiting_for_approval{owner="none"} 0', 'held{owner="none"} 0', 'expiring_mappings{owner="none"} 0'])
})

test('a delete whose line is gone counts for the owner of the fence of the file that gave the mapping', async () => {
  const metrics = openMetrics({ version: '1', node: 'v26', queues: () => [], dateOf: (atMs) => atMs, onError: () => undefined })
  const ownerOfFile = (file: string) => (file.startsWith('teams/a/') ? 'team-a' : undefined)
  metrics.expect({ workspaces: ['acme'], directories: [], credentials: [], owners: ['team-a'], ownerOfFile })
  const groups = Array.from({ length: 12 }, (_, n) => `g${n}`)
  const files = Object.fromEntries(groups.slice(0, 7).map((group) => [group, 'teams/a/x.yaml']))
  const existing = groups.map((group) => `ENG ${group} member`)
  metrics.observeReport(
    report(judged({ directories: { corp: groups }, existing, policy: 'sync', owns: ['projectRoles'], owned: given(files) })),
  )
  const { body } = await metrics.render()
  expect(body).toContain(`${metricPrefix}owner_waiting_for_approval{owner="team-a"} 7`)
  expect(body).toContain(`${metricPrefix}owner_waiting_for_approval{owner="none"} 5`)
})
