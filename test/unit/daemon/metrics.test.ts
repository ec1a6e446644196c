import { describe, expect, test, vi } from 'vitest'
import { withFindings } from '../../../src/core/judge/guards.ts'
import type { CycleReport } from '../../../src/cycle/cycleReport.ts'
import { type MetricsOptions, openMetrics } from '../../../src/daemon/metrics.ts'
import { type MetricRow, metricPrefix, metricTable } from '../../../src/daemon/metricTable.ts'
import { complete, failed, groups, partial, rule } from '../core/smallWorld.ts'
import { about, corp, done, failedReport, judged, rejected, report, unknown } from './reports.ts'

const view = { limit: 60, remaining: 50, others: 3, waitMs: 1_500, length: 2, circuit: { open: true } }

function opened(more: Partial<MetricsOptions> = {}) {
  const errors: unknown[] = []
  const metrics = openMetrics({
    version: '1.2.3',
    node: 'v26.0.0',
    dateOf: (atMs) => atMs,
    queues: () => [{ credential: 'default', view }],
    onError: (error) => errors.push(error),
    ...more,
  })
  metrics.expect({ workspaces: ['acme', 'beta'], directories: ['corp'], credentials: ['default'] })
  return { metrics, errors, page: async () => parse((await metrics.render()).body) }
}

/** The text format, strictly: `name{label="value",…}` → value. Every series belongs to a TYPE above it; none comes twice. */
function parse(body: string): ReadonlyMap<string, number> {
  const page = new Map<string, number>()
  let current = ''
  for (const line of body.split('\n')) {
    const [, type] = /^# TYPE (\S+) (?:counter|gauge|histogram|summary)$/.exec(line) ?? []
    if (type !== undefined) current = type
    if (line === '' || line.startsWith('# ')) continue
    const [, name = '', labels = '', value] = /^([a-z_]\w*)(\{(?:[a-z_]\w*="(?:[^"\\\n]|\\.)*",?)+\})? (\S+)$/.exec(line) ?? []
    expect(name.startsWith(current), line).toBe(true)
    expect(page.has(name + labels), line).toBe(false)
    // Prometheus reads numbers as Go's ParseFloat does, which accepts NaN in any mix of upper and lower case.
    expect(value === 'Nan' || Number.isFinite(Number(value)), line).toBe(true)
    page.set(name + labels, Number(value))
  }
  expect(body.endsWith('\n')).toBe(true)
  return page
}

const ours = (page: ReadonlyMap<string, number>) => [...page.keys()].filter((name) => name.startsWith(metricPrefix))
const of = (page: ReadonlyMap<string, number>, name: string) => page.get(metricPrefix + name)

describe('from the start', () => {
  test('every series that can be known is there, with 0', async () => {
    const page = await opened().page()
    for (const name of [
      'cycles_total{workspace="beta",outcome="failed"}',
      'changes_total{workspace="acme",action="delete",result="unknown"}',
      'held{workspace="acme",reason="readingIncomplete"}',
      'waiting_sets{workspace="acme",limit="lastAdministrator"}',
      'directory_readings_total{directory="corp",status="partial"}',
      'directory_reading_duration_seconds_count{directory="corp"}',
      'cycle_duration_seconds_bucket{le="+Inf"}',
      'last_success_timestamp_seconds{workspace="beta"}',
      'next_run_timestamp_seconds',
      'cycles_thrown_total',
      'cycles_begun_total{trigger="reload"}',
    ]) {
      expect(of(page, name), name).toBe(0)
    }
    expect(of(page, 'build_info{version="1.2.3",node="v26.0.0"}')).toBe(1)
  })

  test('what the process is like is there, too', async () => {
    const page = await opened().page()
    expect(page.get('process_cpu_seconds_total')).toBeGreaterThan(0)
  })
})

describe('a report', () => {
  const two = { rules: [rule('devs', 'ENG', 'member'), rule('ops', 'OPS', 'member')], directories: { corp: ['devs', 'ops'] } }

  test('with writes', async () => {
    const { metrics, page } = opened()
    metrics.observeReport(report(judged({ ...two, rules: [...two.rules, rule('x', 'ENG', 'guest')] }, [done, rejected])))
    const now = await page()
    expect(of(now, 'changes_total{workspace="acme",action="create",result="done"}')).toBe(1)
    expect(of(now, 'changes_total{workspace="acme",action="create",result="refused"}')).toBe(1)
    expect(of(now, 'changes_pending{workspace="acme"}')).toBe(1)
    expect(of(now, 'held{workspace="acme",reason="groupUnknown"}')).toBe(1)
    expect(of(now, 'cycles_total{workspace="acme",outcome="partial"}')).toBe(1)
    expect(of(now, 'last_attempt_timestamp_seconds{workspace="acme"}')).toBe(12)
    expect(of(now, 'last_success_timestamp_seconds{workspace="acme"}')).toBe(0)
    expect(of(now, 'cycle_duration_seconds_sum')).toBe(2)
    expect(of(now, 'configuration_valid{part="declaration"}')).toBe(1)
    expect(of(now, 'configuration_info{part="declaration",hash="4f2c91e0"}')).toBe(1)
  })

  test('in sync moves last success; a failure afterwards does not, and keeps what was counted', async () => {
    const { metrics, page } = opened()
    const dangling = rule('gone', 'ENG', 'member')
    const world = {
      ...two,
      rules: [...two.rules, dangling],
      existing: ['ENG devs member', 'OPS ops member', 'ENG old admin', 'ENG gone member'],
    }
    metrics.observeReport(report(judged(world, [])))
    metrics.observeReport(report(failedReport, { startedMs: 900_000 }))
    const now = await page()
    expect(of(now, 'last_success_timestamp_seconds{workspace="acme"}')).toBe(12)
    expect(of(now, 'last_attempt_timestamp_seconds{workspace="acme"}')).toBe(902)
    expect(of(now, 'undeclared_mappings{workspace="acme"}')).toBe(1)
    expect(of(now, 'dangling_mappings{workspace="acme"}')).toBe(1)
    const owners = [...now].flatMap(([name, n]) => (name.includes('owner_held{') ? [n] : [])).reduce((sum, n) => sum + n, 0)
    expect([of(now, 'held{workspace="acme",reason="groupUnknown"}'), owners]).toEqual([1, 1])
    expect(of(now, 'owned_mappings{workspace="acme",list="projectRoles"}')).toBe(4)
    expect(of(now, 'unchanged_mappings{workspace="acme"}')).toBe(2)
  })

  test('with sets and single changes that wait for approval, as they are now', async () => {
    const { metrics, page } = opened()
    const existing = Array.from({ length: 11 }, (_none, index) => `ENG g${index} member`)
    const removed = existing.map((text) => text.replace(/ member$/, ''))
    const deletes = { directories: { corp: ['leads'] }, rules: [rule('leads', 'workspace', 'admin')], existing, removed }
    metrics.observeReport(report(judged(deletes, [])))
    const now = await page()
    expect(of(now, 'waiting_sets{workspace="acme",limit="emptiesList"}')).toBe(1)
    expect(of(now, 'waiting_sets{workspace="acme",limit="deletes"}')).toBe(0)
    expect(of(now, 'waiting_for_approval{workspace="acme"}')).toBe(12)
    expect(of(now, 'changes_pending{workspace="acme"}')).toBe(0)
    expect(of(now, 'cycles_total{workspace="acme",outcome="waiting"}')).toBe(1)
    expect(of(now, 'last_success_timestamp_seconds{workspace="acme"}')).toBe(0)
    metrics.observeReport(report(judged({ ...deletes, removed: [] }, [])))
    const after = await page()
    expect(of(after, 'waiting_sets{workspace="acme",limit="emptiesList"}')).toBe(0)
    expect(of(after, 'waiting_for_approval{workspace="acme"}')).toBe(1)
  })

  test('findings, and a schedule that cannot fit its own work', async () => {
    const finding = { code: 'another-writer', severity: 'warning', place: 'acme', sentence: 'somebody' } as const
    const one = judged({}, [])
    if (one.kind !== 'judged') throw new Error('not judged')
    const busy = { ...one, judged: withFindings(one.judged, [finding]), about: { ...one.about, intervalMs: 2_000 } }
    const { metrics, page } = opened()
    metrics.observeReport(report(busy))
    const now = await page()
    expect(['another-writer', 'schedule-too-short', 'budget-near'].map((code) => of(now, `findings{code="${code}"}`))).toEqual([1, 1, 0])
    expect(of(now, 'schedule_load{credential="default"}')).toBe(4)
  })

  test('of some workspaces leaves the findings of the others and the load of the schedule as they were', async () => {
    const finding = { code: 'another-writer', severity: 'warning', place: 'acme', sentence: 'somebody' } as const
    const [acme, beta] = ['acme', 'beta'].map((name) => {
      const one = judged({}, [])
      if (one.kind !== 'judged') throw new Error('not judged')
      return { ...one, workspace: name as typeof one.workspace, judged: withFindings(one.judged, [finding]) }
    })
    if (acme === undefined || beta === undefined) throw new Error('no reports')
    const { metrics, page } = opened()
    const whole = report(acme, { workspaces: [acme, beta] })
    const shown = async () => {
      const now = await page()
      return [of(now, 'findings{code="another-writer"}'), of(now, 'schedule_load{credential="default"}')]
    }
    metrics.observeReport(whole)
    const before = await shown()
    expect(before[0]).toBe(2)
    metrics.observeReport(report(acme), whole)
    expect(await shown()).toEqual(before)
    metrics.observeReport(report(judged({}, [])), whole)
    expect(await shown()).toEqual([1, before[1]])
    // A workspace that failed keeps its findings, and one that the settings no longer have is dropped.
    metrics.observeReport(report({ ...failedReport, workspace: beta.workspace }), whole)
    expect((await shown())[0]).toBe(1)
    metrics.expect({ workspaces: ['acme'], directories: ['corp'], credentials: ['default'] })
    metrics.observeReport(report(judged({}, [])))
    expect((await shown())[0]).toBe(0)
  })

  test('a directory that fails keeps its groups and its last complete reading', async () => {
    const { metrics, page } = opened()
    const bad = { ...corp, status: 'failed' as const, groups: 0, atMs: 600_000 }
    for (const directory of [corp, bad]) metrics.observeReport(report(failedReport, { directories: [directory] }))
    const now = await page()
    expect(of(now, 'directory_groups{directory="corp"}')).toBe(3)
    expect(of(now, 'directory_last_complete_timestamp_seconds{directory="corp"}')).toBe(1)
    expect(of(now, 'directory_readings_total{directory="corp",status="failed"}')).toBe(1)
    expect(of(now, 'directory_reading_duration_seconds_count{directory="corp"}')).toBe(2)
  })

  test('the policy observe, until another one is set', async () => {
    const { metrics, page } = opened()
    metrics.observeReport(report({ ...failedReport, about: { ...about, policy: 'observe' } }))
    expect(of(await page(), 'observing{workspace="acme"}')).toBe(1)
    metrics.observeReport(report(failedReport))
    expect(of(await page(), 'observing{workspace="acme"}')).toBe(0)
  })

  test('suspension and a kept declaration', async () => {
    const { metrics, page } = opened()
    const declaration = { hash: 'aaaaaaaabb', files: 1 }
    metrics.observeReport(report({ ...failedReport, about: { ...about, suspend: 'grants' } }, { declaration }))
    const validAt = of(await page(), 'declaration_last_valid_timestamp_seconds')
    metrics.observeReport(report(failedReport, { declaration: { hash: 'bbbbbbbbcc', files: 1, kept: 'groups.yaml:3:1: …' } }))
    const now = await page()
    expect(of(now, 'suspended{workspace="acme",what="grants"}')).toBe(0)
    expect(of(now, 'configuration_valid{part="declaration"}')).toBe(0)
    expect(of(now, 'declaration_last_valid_timestamp_seconds')).toBe(validAt)
    expect(ours(now).filter((name) => name.includes('configuration_info'))).toEqual([
      'plane_group_sync_configuration_info{part="declaration",hash="bbbbbbbb"}',
    ])
  })
})

describe('what else is seen', () => {
  test('requests, queues, the loop', async () => {
    const { metrics, page } = opened()
    metrics.observeRequest({ operation: 'projects.list', status: 200, tookMs: 30 })
    metrics.observeRequest({ operation: 'projects.list', failure: 'deadline', tookMs: 30_000 })
    metrics.observeBegin('reload')
    metrics.observeThrow()
    metrics.observeNext(5_000)
    const now = await page()
    expect(of(now, 'requests_total{operation="projects.list",status="200"}')).toBe(1)
    expect(of(now, 'requests_total{operation="projects.list",status="deadline"}')).toBe(1)
    expect(of(now, 'request_duration_seconds_count{operation="projects.list"}')).toBe(2)
    expect(of(now, 'budget_remaining{credential="default"}')).toBe(50)
    expect(of(now, 'budget_wait_seconds{credential="default"}')).toBe(1.5)
    expect(of(now, 'queue_length{credential="default"}')).toBe(2)
    expect(of(now, 'circuit_open{credential="default"}')).toBe(1)
    expect(of(now, 'cycles_begun_total{trigger="reload"}')).toBe(1)
    expect(of(now, 'cycles_thrown_total')).toBe(1)
    expect(of(now, 'next_run_timestamp_seconds')).toBe(5)
  })

  test('a queue that throws does not take the page with it', async () => {
    const broken = new Error('no queue')
    const { page, errors } = opened({
      queues: () => {
        throw broken
      },
    })
    expect(of(await page(), 'cycles_thrown_total')).toBe(0)
    expect(errors).toEqual([broken])
  })

  test('a metric whose collect throws is left out, and all others stay', async () => {
    const { page, errors } = opened()
    const broken = new Error('not on this machine')
    const spy = vi.spyOn(process, 'getActiveResourcesInfo').mockImplementation(() => {
      throw broken
    })
    const now = await page()
    spy.mockRestore()
    expect(errors).toContain(broken)
    expect(of(now, 'cycles_thrown_total')).toBe(0)
    expect(now.get('process_cpu_seconds_total')).toBeGreaterThan(0)
    expect([...now.keys()].some((name) => name.startsWith('nodejs_active_resources'))).toBe(false)
  })

  test('after a reload the series of a workspace that is gone end, and the others keep their values', async () => {
    const { metrics, page } = opened()
    const acmeReport = report(judged({}, []))
    metrics.observeReport(acmeReport)
    metrics.expect({ workspaces: ['acme', 'gamma'], directories: ['corp'], credentials: ['default'] })
    const now = await page()
    expect(ours(now).some((name) => name.includes('"beta"'))).toBe(false)
    expect(of(now, 'last_success_timestamp_seconds{workspace="gamma"}')).toBe(0)
    expect(of(now, 'last_success_timestamp_seconds{workspace="acme"}')).toBe(12)
    expect(of(now, 'cycle_duration_seconds_count')).toBe(1)
  })
})

describe('labels', () => {
  test('never hold the name of a group, whatever happens to it', async () => {
    const { metrics } = opened()
    const name = 'plane-secretive-group'
    const worlds: CycleReport[] = [
      report(judged({ rules: [rule(name, 'ENG', 'member')], directories: { corp: [name] } }, [unknown])),
      report(judged({ rules: [rule(name, 'workspace', 'admin')], directories: { corp: [name] } }, [])),
      report(judged({ rules: [rule(name, 'ENG', 'member')] }, [])),
      report(judged({ existing: [`ENG ${name} member`] }, [])),
      report(judged({ existing: [`workspace ${name} admin`], removed: [`workspace ${name}`] })),
      report(judged({ rules: [rule(name, 'ENG', 'member')], directories: { corp: failed } }, [])),
      report(
        judged({ rules: [rule(name, 'NOPE', 'member')], directories: { corp: partial(groups(name)), idp: complete(groups(name)) } }, []),
      ),
    ]
    for (const one of worlds) metrics.observeReport(one)
    expect((await metrics.render()).body).not.toContain(name)
  })

  test('are of the table, and units are in the names', () => {
    for (const { name, type, labels } of Object.values<MetricRow>(metricTable)) {
      expect(Object.keys(labels)).not.toContain('group')
      expect(name.endsWith('_total')).toBe(type === 'counter')
      expect(name).not.toMatch(/_(ms|minutes|percent)/)
    }
  })

  test('are escaped, whatever a workspace is called', async () => {
    const { metrics, page } = opened()
    metrics.expect({ workspaces: ['say "hi"\\\n'], directories: [], credentials: [] })
    expect(of(await page(), String.raw`changes_pending{workspace="say \"hi\"\\\n"}`)).toBe(0)
  })

  test('that are unknown or missing are type errors', () => {
    const { metrics } = opened()
    // @ts-expect-error no such trigger
    expect(() => metrics.observeBegin('whim')).toThrow('the metric cycles_begun_total has no trigger "whim"')
  })
})

describe('the page', () => {
  test('says its format, and has exactly the metrics of the table', async () => {
    const { metrics } = opened()
    const { contentType, body } = await metrics.render()
    expect(contentType).toBe('text/plain; version=0.0.4; charset=utf-8')
    const named = [...body.matchAll(/^# TYPE plane_group_sync_(\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`)
    expect(named.toSorted()).toEqual(
      Object.values<MetricRow>(metricTable)
        .map(({ name, type }) => `${name} ${type}`)
        .toSorted(),
    )
  })
})
