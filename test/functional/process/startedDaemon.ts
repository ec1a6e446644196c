import { expect } from 'vitest'
import type { Place, StartOptions } from './program.ts'

/** A daemon after its first cycle. */
export async function started(place: Place, how?: StartOptions) {
  const daemon = place.start(['run'], how)
  const line = await daemon.until(() => daemon.log().find(({ event }) => event === 'listening'))
  const url = String(line['url'])
  const metric = async (name: string) => {
    const page = await (await fetch(`${url}/metrics`)).text()
    const found = page.split('\n').find((text) => text.startsWith(`plane_group_sync_${name} `))
    return found === undefined ? undefined : Number(found.split(' ')[1])
  }
  const over = async () => ((await metric('cycle_duration_seconds_count')) ?? 0) + ((await metric('cycles_thrown_total')) ?? 0)
  /** Asks for a cycle, and waits until a cycle ends. This cycle may have read the files before the test changed them. */
  const cycle = async () => {
    const before = await over()
    daemon.child.kill('SIGHUP')
    await daemon.until(async () => (await over()) > before)
  }
  await daemon.until(async () => (await over()) > 0)
  const ready = async () => (await fetch(`${url}/readyz`)).status
  const stop = async () => {
    daemon.child.kill('SIGTERM')
    expect((await daemon.ended).code).toBe(0)
  }
  return { daemon, metric, cycle, ready, stop }
}
