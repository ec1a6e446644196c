import { rm, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { chanceFrom } from '../../../src/sandbox/chance.ts'
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts'
import type { StateInput } from '../../../src/sandbox/state-input.ts'
import { doublesOf, openPlace, stateOf } from './program.ts'

/** `PLANE_GROUP_SYNC_CYCLES=2000` takes ten minutes; `PLANE_GROUP_SYNC_SOAK_REPORT` names a file for the figures. */
const cycles = Number(process.env['PLANE_GROUP_SYNC_CYCLES'] ?? '120')
/** The first cycles, which do not count: code is compiled and caches fill. */
const warm = Math.min(100, cycles / 4)
const groups = Array.from({ length: 30 }, (_, n) => `team-${n}`)

const declarationOf = (chosen: readonly string[]) => `version: 1
workspaces:
  acme:
    projectRoles:
${chosen.map((group) => `      - { group: ${group}, project: ENG, role: member }\n`).join('')}`

/** An address of loopback that nobody else uses: while the service is gone, no other process gets its port. */
const host = '127.0.0.2'

/** Resident memory in MB, open handles of Node, and the worst delay of the event loop in ms. */
type Figures = { readonly memoryMb: number; readonly handles: number; readonly lagMs: number }

test(`${cycles} cycles with edits, a directory and a service that come and go`, { timeout: 60_000 + cycles * 2_000 }, async () => {
  const { draw } = chanceFrom(11)
  const many = { count: 1_000, share: '100%' }
  const settings = { policy: 'exclusive', guards: { deletes: many, raises: many, lowers: many } }
  const sums = { raises: 100_000, lowers: 100_000, deletes: 100_000, creates: 100_000 }
  await using place = await openPlace({
    sandbox: { host },
    settings: {
      ...settings,
      guards: { ...settings.guards, creates: { count: 1_000 }, run: sums, day: sums, flapping: { rounds: 20, span: '1m' } },
    },
    declaration: declarationOf(groups),
    groups,
  })
  const { port } = new URL(place.sandbox.url)
  let [sandbox, gone] = [place.sandbox, false]
  await using ends = new AsyncDisposableStack()
  ends.defer(() => sandbox.close())
  /** Starts the service again with its old state. */
  const comesBack = async () => {
    const limit = { requests: 10_000, windowMs: 60_000 }
    sandbox = await startSandbox({ host, port: Number(port), limit, state: stateIn(sandbox) })
    gone = false
  }

  const daemon = place.start(['run'])
  const line = await daemon.until(() => daemon.log().find(({ event }) => event === 'listening'))
  const page = async () => (await fetch(`${String(line['url'])}/metrics`)).text()
  const valueOf = (text: string, name: string) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1] ?? Number.NaN)
  const ended = async () => valueOf(await page(), 'plane_group_sync_cycle_duration_seconds_count')
  const figures = async (): Promise<Figures> => {
    const text = await page()
    return {
      memoryMb: Math.round(valueOf(text, 'process_resident_memory_bytes') / 1e6),
      handles: valueOf(text, 'nodejs_active_handles_total'),
      lagMs: Math.round(valueOf(text, 'nodejs_eventloop_lag_p99_seconds') * 1_000),
    }
  }
  await daemon.until(async () => (await ended()) >= 1)

  let atWarm: Figures | undefined
  for (let cycle = 1; cycle <= cycles; cycle++) {
    const what = draw()
    if (what < 0.3) await writeFile(place.path('groups.yaml'), declarationOf(groups.filter(() => draw() < 0.9)))
    else if (what < 0.35) await writeFile(place.path('groups.yaml'), 'version: 1\nworkspaces: [broken\n')
    else if (what < 0.45) await rm(place.path('directory.yaml'), { force: true })
    else if (what < 0.6) await place.groups(groups)
    else if (what < 0.63 && !gone) {
      await sandbox.close()
      gone = true
    }
    if (gone && draw() < 0.3) await comesBack()
    const before = await ended()
    daemon.child.kill('SIGHUP')
    await daemon.until(async () => (await ended()) > before)
    if (cycle === warm) atWarm = await figures()
  }
  if (gone) await comesBack()
  await place.groups(groups)
  await writeFile(place.path('groups.yaml'), declarationOf(groups))
  await daemon.until(async () => {
    daemon.child.kill('SIGHUP')
    return stateOf(sandbox).length === groups.length
  })
  const atEnd = await figures()
  const file = process.env['PLANE_GROUP_SYNC_SOAK_REPORT']
  if (file !== undefined) await writeFile(file, `${JSON.stringify({ cycles, atWarm, atEnd })}\n`)
  expect(doublesOf(sandbox)).toEqual([])
  expect(atEnd.handles).toBeLessThanOrEqual((atWarm?.handles ?? 0) + 2)
  // The heap of a process that has just begun still grows. A short soak asks only that it does not grow without end.
  expect(atEnd.memoryMb).toBeLessThan(cycles < 1_000 ? 400 : (atWarm?.memoryMb ?? 0) + 60)
})

const stateIn = ({ state }: Sandbox): StateInput => ({
  keys: [{ value: 'key-of-a-test', owner: 'ann' }],
  workspaces: {
    acme: {
      projects: ['ENG', 'OPS'],
      projectMappings: (state.workspaces['acme']?.projectMappings ?? []).map(({ idp_group_name, project, role }) => ({
        idp_group_name,
        ...(project === null ? {} : { project }),
        role,
      })),
    },
  },
})
