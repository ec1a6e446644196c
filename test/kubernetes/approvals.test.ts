import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { declared, names } from './declared.ts'
import { logOf, type Pod, readyPod } from './pods.ts'
import { openWorld, type World } from './release.ts'
import { took, until } from './until.ts'

const members = names('team', 20)
let world: World
let pod: Pod

beforeAll(async () => {
  world = await openWorld('approvals')
  await world.declare({ 'acme.yaml': declared(members) })
  await world.install({ settings: { waivers: { files: ['waivers.yaml'] } } })
  pod = await until('a ready pod', () => readyPod(world))
  await mapped('all of them', (groups) => members.every((group) => groups.includes(`${group} member`)))
})
afterAll(() => world[Symbol.asyncDispose]())
afterEach(async () => expect(await readyPod(world)).toEqual(pod))

/** Waits until the mappings, as `group role`, are as expected. */
const mapped = (what: string, expected: (mappings: readonly string[]) => boolean) =>
  until(
    what,
    async () => {
      const mappings = (await world.plane.mappings()).map(({ idp_group_name, role }) => `${idp_group_name} ${role}`)
      return expected(mappings) ? mappings : undefined
    },
    { state: async () => (await world.exec('status')).stdout },
  )

/** The ID that `status` shows when this text is in it. */
const waitingId = (text: string) =>
  until(`"${text}" in the output of status`, async () => {
    const { stdout } = await world.exec('status')
    return stdout.includes(text) ? /\b[0-9a-f]{32}\b/.exec(stdout)?.[0] : undefined
  })

async function approve(id: string): Promise<void> {
  const { code, stdout, stderr } = await world.exec('approve', id, '--now', '--for', '1h', '--reason', 'INC-99')
  expect(code, stdout + stderr).toBe(0)
}

const until1h = () => new Date(Date.now() + 3_600_000).toISOString().replace(/:\d\d\.\d+Z/, 'Z')
const waiver = (fields: string) =>
  `version: 1\nworkspaces:\n  acme:\n    waivers:\n      - { ${fields}, until: ${until1h()}, reason: INC-99 }\n`
const admin = (group: string) => `      - { group: ${group}, project: OPS, role: admin }`
const removed = (groups: readonly string[]) =>
  ['    removed:', ...groups.map((group) => `      - { group: ${group}, project: ENG }`)].join('\n')

it('a change that waits passes by a waiver in the ConfigMap', async () => {
  const files = { 'acme.yaml': declared(members, admin('leaders')) }
  await world.declare(files)
  await waitingId('leaders')
  const startMs = performance.now()
  await world.declare({ ...files, 'waivers.yaml': waiver('project: OPS, group: leaders, from: none, to: admin') })
  await mapped('the grant', (mappings) => mappings.includes('leaders admin'))
  took('a waiver in the ConfigMap: granted after', startMs)
})

it('a change that waits passes by exec … approve --now', async () => {
  await world.declare({ 'acme.yaml': declared(members, [admin('leaders'), admin('owners')].join('\n')) })
  const id = await waitingId('owners')
  const startMs = performance.now()
  await approve(id)
  expect(await mapped('the grant', () => true)).toContain('owners admin')
  took('exec … approve --now: granted after', startMs)
})

it('a set that waits for a limit passes by a waiver in the ConfigMap', async () => {
  const [gone, kept] = [members.slice(0, 8), members.slice(8)]
  const files = { 'acme.yaml': declared(kept, removed(gone)) }
  await world.declare(files)
  await waitingId('guards.deletes')
  const changes = `changes: [{ project: ENG, group: [${gone.join(', ')}], from: member, to: none }]`
  const startMs = performance.now()
  await world.declare({ ...files, 'waivers.yaml': waiver(changes) })
  await mapped('the deletes', (mappings) => gone.every((group) => !mappings.includes(`${group} member`)))
  took('a waiver in the ConfigMap: deleted after', startMs)
})

it('a set that waits for a limit passes by exec … approve --now', async () => {
  const [gone, kept] = [members.slice(8, 15), members.slice(15)]
  await world.declare({ 'acme.yaml': declared(kept, removed(gone)) })
  const id = await waitingId('guards.deletes')
  const startMs = performance.now()
  await approve(id)
  expect(await mapped('the deletes', () => true)).toEqual(expect.not.arrayContaining(gone.map((group) => `${group} member`)))
  took('exec … approve --now: deleted after', startMs)
})

it('three applies at once write each change once', async () => {
  // The daemon itself writes nothing meanwhile.
  await world.install({ settings: { schedule: { cron: '0 0 1 1 *', jitter: '0s' } } })
  await until('the settings in use', async () =>
    (await logOf(world, pod.name)).some(({ msg }) => msg === 'the edited settings are in use') ? true : undefined,
  )
  const forgotten = members.slice(15)
  await world.plane.forget(forgotten)
  const startMs = performance.now()
  const applied = await Promise.all([1, 2, 3].map(() => world.exec('apply', '--yes')))
  took('three applies at once', startMs)
  expect(applied.map(({ code, stdout, stderr }) => (code === 0 ? 'done' : stdout + stderr))).toEqual(['done', 'done', 'done'])
  const again = (await world.plane.mappings()).map(({ idp_group_name }) => idp_group_name).filter((group) => forgotten.includes(group))
  expect(again.toSorted()).toEqual(forgotten.toSorted())
})
