import { describe, expect, test } from 'vitest'
import { type Behaviour, type Hanging, type HangingName, hanging, hangingCommands } from './hanging-table.ts'
import { type HangingPlace, hangingPlace } from './hanging-world.ts'
import { stateOf } from './program.ts'
import type { Running } from './running.ts'

const args = { validate: ['validate'], groups: ['groups'], plan: ['plan'], export: ['export'], apply: ['apply', '--yes'], run: ['run'] }
/** The limit of the hanging thing is one second, all others are 120 s. So an end within this time is due to the limit of the table. */
const endsWithinMs = 60_000
/** The most time from SIGTERM to the end, also on a busy machine. A write in flight has 8 s for its response. All other limits are 120 s. */
const stopsWithinMs: Readonly<Record<'at once' | NonNullable<Hanging['stop']>, number>> = { 'at once': 6_000, 'the grace period': 14_000 }

const rows = Object.entries(hanging) as [HangingName, Hanging][]
const cells = rows.flatMap(([name, { does }]) => hangingCommands.map((command) => ({ name, command, does: does[command] })))

const codes: Readonly<Record<Exclude<Behaviour, 'goes on'>, number>> = { unaffected: 0, settles: 0, fails: 1, refuses: 78 }

async function endsAsSaid(program: Running, does: Exclude<Behaviour, 'goes on'>, names: string): Promise<void> {
  program.child.stdin?.end()
  const { code, out, err, tookMs } = await program.ended
  expect(code, out + err).toBe(codes[does])
  expect(tookMs).toBeLessThan(endsWithinMs)
  if (codes[does] !== 0) expect((out + err).replaceAll(/\s+/g, ' ')).toContain(names)
}

async function goesOn(daemon: Running, { place, names }: HangingPlace): Promise<void> {
  if (names === '') await daemon.until(() => stateOf(place.sandbox).length > 0)
  else await daemon.until(() => daemon.log().some(({ event, ...line }) => event !== 'start' && JSON.stringify(line).includes(names)))
  expect(daemon.child.exitCode).toBe(null)
  const askedMs = performance.now()
  daemon.child.kill('SIGTERM')
  expect((await daemon.ended).code, daemon.err()).toBe(0)
  expect(performance.now() - askedMs).toBeLessThan(stopsWithinMs['at once'])
}

describe.concurrent('while something outside hangs', () => {
  test.each(cells)('$name: $command $does', async ({ name, command, does }) => {
    await using world = await hangingPlace(name, '1s')
    const program = world.place.start(args[command], world.start)
    if (does === 'goes on') await goesOn(program, world)
    else await endsAsSaid(program, does, world.names)
  })

  const waiting = rows.filter(([name]) => !['directoryPipe', 'declarationPipe', 'log'].includes(name))
  const stops = waiting.flatMap(([name, { stop = 'at once' as const }]) => [
    { name, command: 'apply' as const, stop },
    { name, command: 'run' as const, stop },
  ])
  test.each(stops)('$name: SIGTERM ends $command meanwhile, $stop', async ({ name, command, stop }) => {
    await using world = await hangingPlace(name, '120s')
    const program = world.place.start(args[command], world.start)
    await program.until(() => world.waits())
    const askedMs = performance.now()
    program.child.kill('SIGTERM')
    const { code, out, err } = await program.ended
    expect(code, out + err).toBe(command === 'run' ? 0 : 143)
    expect(performance.now() - askedMs).toBeLessThan(stopsWithinMs[stop])
    expect(stateOf(world.place.sandbox).length).toBe(name === 'planeWrite' ? 1 : 0)
  })
})
