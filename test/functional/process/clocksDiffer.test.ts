import { describe, expect, test } from 'vitest'
import { faultyProxy, send } from '../directoryFaults/faultyProxy.ts'
import { openPlace, type Place, stateOf, writesTo } from './program.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** A proxy before the sandbox, whose answers have a `Date` that is so many ms ahead. The clock of the sandbox is that of this machine. */
const clockAhead = ({ sandbox }: Place, byMs: number) =>
  faultyProxy(
    () => new URL(sandbox.url),
    async ({ pass, response }) => {
      const answer = await pass()
      const date = new Date(Date.parse(answer.headers.date ?? '') + byMs).toUTCString()
      send(response, { ...answer, headers: { ...answer.headers, date } })
    },
  )

/** Rules that end and start so many ms before and after now, and the mappings of those that end. */
async function open(distanceMs: number): Promise<Place> {
  const moment = (byMs: number) => `${new Date(Date.now() + byMs).toISOString().slice(0, 19)}Z`
  const [past, future] = [moment(-distanceMs), moment(distanceMs)]
  const projectRoles = [
    { group: 'ends-soon', project: 'ENG', role: 'member', expires: future },
    { group: 'starts-soon', project: 'ENG', role: 'member', starts: future },
    { group: 'ended', project: 'OPS', role: 'member', expires: past },
    { group: 'started', project: 'OPS', role: 'member', starts: past },
    { group: 'always', project: 'OPS', role: 'guest' },
  ]
  const mapped = (group: string, project: string) => ({ idp_group_name: group, project, role: 'member' })
  return openPlace({
    workspaces: { acme: { projects: ['ENG', 'OPS'], projectMappings: [mapped('ends-soon', 'ENG'), mapped('ended', 'OPS')] } },
    declaration: { version: 1, workspaces: { acme: { projectRoles } } },
    groups: projectRoles.map(({ group }) => group),
    settings: { policy: 'exclusive' },
  })
}
const byThisClock = ['ENG ends-soon → member', 'OPS always → guest', 'OPS started → member']

type Plans = {
  readonly findings: readonly { readonly code: string; readonly sentence: string }[]
  readonly workspaces: readonly { readonly holds: readonly { readonly group: string; readonly reason: { readonly kind: string } }[] }[]
}

async function planned(place: Place, env: Record<string, string>) {
  const { findings, workspaces } = JSON.parse((await place.run(['plan', '--format', 'json'], { env })).out) as Plans
  const holds = workspaces.flatMap((workspace) => workspace.holds)
  return {
    differs: findings.flatMap(({ code, sentence }) => (code === 'clock-differs' ? [sentence] : [])),
    held: holds.flatMap(({ reason, group }) => (reason.kind === 'clocksDiffer' ? [group] : [])).toSorted(),
  }
}

describe('the clock of the service', () => {
  test.each([
    {
      what: 'a month ahead',
      byMs: 30 * day,
      sentence: 'behind the clock of Plane',
      held: ['ends-soon', 'starts-soon'],
      after: byThisClock,
    },
    {
      what: 'a month behind',
      byMs: -30 * day,
      sentence: 'ahead of the clock of Plane',
      held: ['ended', 'started'],
      after: ['ENG ends-soon → member', 'OPS always → guest', 'OPS ended → member'],
    },
  ])(
    '$what: what rests on a date that only one clock has passed is held, and the rest is written',
    async ({ byMs, sentence, held, after }) => {
      await using place = await open(10 * day)
      await using proxy = await clockAhead(place, byMs)
      const env = { PLANE_BASE_URL: proxy.url.origin }
      expect(await planned(place, env)).toEqual({ differs: [expect.stringContaining(sentence)], held })
      expect(writesTo(place.sandbox)).toEqual([])
      await place.run(['apply', '--yes'], { env })
      expect(stateOf(place.sandbox)).toEqual(after)
    },
  )

  test.each([
    ['ahead', hour - minute, 'behind the clock of Plane'],
    ['behind', minute - hour, 'ahead of the clock of Plane'],
  ])('less than an hour %s: the clock of this machine decides, and the difference is told', async (_what, byMs, sentence) => {
    await using place = await open(20 * minute)
    await using proxy = await clockAhead(place, byMs)
    const env = { PLANE_BASE_URL: proxy.url.origin }
    expect(await planned(place, env)).toEqual({ differs: [expect.stringContaining(sentence)], held: [] })
    await place.run(['apply', '--yes'], { env })
    expect(stateOf(place.sandbox)).toEqual(byThisClock)
  })
})
