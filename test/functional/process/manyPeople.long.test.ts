import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { probeHealth } from './healthProbe.ts'
import { openPlace } from './program.ts'

const count = 12_000
const groups = Array.from({ length: count }, (_, index) => `g${index}`)
const everywhere = { group: groups, allProjects: true, role: 'member' }
const inEng = groups.map((group) => ({ idp_group_name: group, project: 'ENG', role: 'member' }))

const kinds = {
  'lose it in one': {
    workspace: { projectRoles: [everywhere], removed: [{ group: groups, project: 'ENG' }] },
    existing: { projects: ['ENG'], projectMappings: inEng },
  },
  'get a lower one in one': {
    workspace: { projectRoles: [everywhere, { group: groups, project: 'ENG', role: 'guest' }] },
    existing: { projects: ['ENG'], projectMappings: inEng },
  },
}

test.each(Object.entries(kinds))(
  `a daemon answers /healthz while it counts the people of ${count} groups that get a role in all projects and %s, and ends when asked`,
  { timeout: 600_000 },
  async (_, { workspace, existing }) => {
    await using place = await openPlace({
      declaration: { version: 1, workspaces: { acme: workspace } },
      groups: [],
      workspaces: { acme: existing },
    })
    const lines = groups.map((name, index) => `  - { name: ${name}, members: [p${index}@x.org] }\n`)
    await place.write('directory.yaml', `groups:\n${lines.join('')}`)
    const daemon = place.start(['run', '--dry-run'])
    const line = await daemon.until(() => daemon.log().find(({ event }) => event === 'listening'))
    const url = String(line['url'])
    const probe = probeHealth(url)
    const metrics = async () => (await fetch(`${url}/metrics`)).text()
    await daemon.until(async () => /cycle_duration_seconds_count [1-9]/.test(await metrics()))
    expect(Number(/waiting_for_approval\{.*\} (\d+)/.exec(await metrics())?.[1])).toBeGreaterThanOrEqual(count)
    // The process is asked to end in the middle of a cycle.
    daemon.child.kill('SIGHUP')
    await sleep(2_000)
    const took = await probe.stop()
    daemon.child.kill('SIGTERM')
    const askedMs = performance.now()
    await daemon.ended
    expect(performance.now() - askedMs).toBeLessThan(10_000)
    const worst = took.toSorted((a, b) => b - a)
    // The longest step of a cycle takes about a second of a processor, and a busy machine makes that longer.
    expect(worst[2] ?? worst[0]).toBeLessThan(3_000)
    expect(worst[0]).toBeLessThan(5_000)
  },
)
