import { mkdir, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { googleChatMakes, mattermostMakes, slackMakes, teamsMakes } from '../../unit/render/receiverRules.ts'
import { openReceiver, type Receiver } from '../receivers.ts'
import { selfSigned } from '../selfSigned.ts'
import { openPlace, type Place, type PlaceOptions, stateOf } from './program.ts'
import { started } from './startedDaemon.ts'

const rules = [
  { group: 'leads', project: 'ENG', role: 'admin' },
  { group: 'devs', project: 'ENG', role: 'member' },
]
const declaration = { version: 1, workspaces: { acme: { projectRoles: rules } } }

type Entry = { readonly receiver: Receiver; readonly format: string } & Readonly<Record<string, unknown>>

/** A place with receivers. Each address is in a file of its own. */
async function openNotified(entries: readonly Entry[], more: Partial<PlaceOptions> = {}): Promise<Place> {
  const notify = entries.map((entry, index) => ({ ...entry, receiver: undefined, url: { file: `receiver-${index}` }, caFile: 'ca.pem' }))
  const place = await openPlace({ declaration, groups: ['leads', 'devs', 'web-devs'], ...more, settings: { ...more.settings, notify } })
  await writeFile(place.path('ca.pem'), selfSigned.cert)
  for (const [index, { receiver }] of entries.entries())
    await writeFile(place.path(`receiver-${index}`), `${receiver.address}\n`, { mode: 0o600 })
  return place
}

const textOf = (message: unknown): string => (message as { readonly text: string }).text
const texts = ({ messages }: Receiver): readonly string[] => messages.map(textOf)
const arrived = (receiver: Receiver, count: number) => expect.poll(() => receiver.messages.length).toBe(count)

test('a fact is told once to each receiver in its format, not again after a restart, and is over after an approval', async () => {
  await using slack = await openReceiver('slack')
  await using chat = await openReceiver('googleChat')
  await using teams = await openReceiver('teams')
  await using program = await openReceiver('anyJson')
  const link = 'https://sync.example.com/page'
  await using place = await openNotified([
    { receiver: slack, format: 'text', link },
    { receiver: chat, format: 'text' },
    { receiver: teams, format: 'card', link },
    { receiver: program, format: 'full' },
  ])
  const first = await started(place)
  for (const receiver of [slack, chat, teams, program]) await arrived(receiver, 1)
  const [text = ''] = texts(slack)
  const id = /approve ([0-9a-f]{32}) --now/.exec(text)?.[1] ?? 'none'
  expect(text.split('\n')).toEqual([
    expect.stringMatching(/^plane-group-sync at 127․0․0․1∶\d+/),
    `• acme: waits for approval: + ENG leads → admin groups․yaml∶6: protected role; to approve: plane-group-sync approve ${id} --now --reason …`,
    link,
  ])
  expect(texts(chat)).toEqual([text.split('\n').slice(0, 2).join('\n')])
  expect(teams.messages[0]).toMatchObject({
    type: 'message',
    attachments: [{ content: { body: [{}, { type: 'TextBlock', wrap: true }], actions: [{ type: 'Action.OpenUrl', url: link }] } }],
  })
  expect(program.messages[0]).toMatchObject({
    format: 'plane-group-sync/notice',
    version: 1,
    notices: [{ news: 'new', kind: 'waiting', workspace: 'acme', what: 'project/ENG/leads', owners: [], id, after: 'admin' }],
    leftOut: 0,
  })
  await first.cycle()
  await first.cycle()
  await first.stop()

  const second = await started(place)
  await second.cycle()
  expect(slack.requests).toHaveLength(1)
  const { code, err } = await place.run(['approve', id, '--now', '--reason', 'INC-1'])
  expect(code, err).toBe(0)
  await arrived(slack, 2)
  expect(texts(slack)[1]?.split('\n').slice(1)).toEqual(['• acme, over: no longer waits for approval: project/ENG/leads', link])
  await second.cycle()
  expect(await second.metric('notify_messages_total{result="sent"}')).toBe(4)
  await second.stop()
  expect([slack, chat, teams, program].map(({ requests }) => requests.map(({ answer }) => answer))).toEqual(
    Array.from({ length: 4 }, () => [200, 200]),
  )
})

test('hostile names and reasons, and too many of them, are taken by each receiver, and make no mention and no link', async () => {
  await using slack = await openReceiver('slack')
  await using chat = await openReceiver('googleChat')
  await using teams = await openReceiver('teams')
  const names = [
    '<!channel>',
    '<@U012AB3CD>',
    '@all',
    '[x](https://evil.example.com)',
    'https://evil.example.com',
    '<users/all>',
    '<at>all</at>',
  ]
  const groups = Array.from({ length: 40 }, (_, n) => `${names[n % names.length] ?? ''} ${n}`)
  const many = groups.map((group) => ({ group, project: 'ENG', role: 'admin', reason: `${group} *see* www.evil.example.com` }))
  await using place = await openNotified(
    [
      { receiver: slack, format: 'text' },
      { receiver: chat, format: 'text' },
      { receiver: teams, format: 'card' },
    ],
    { declaration: { version: 1, workspaces: { acme: { projectRoles: many } } }, groups },
  )
  const { stop } = await started(place)
  for (const receiver of [slack, chat, teams]) await arrived(receiver, 1)
  await stop()
  const [text = ''] = texts(slack)
  expect(text.split('\n').at(-1)).toMatch(/^and \d+ more: plane-group-sync status$/)
  expect([...slackMakes(text), ...mattermostMakes(text), ...googleChatMakes(texts(chat)[0] ?? '')]).toEqual([])
  const [card] = teams.messages as readonly {
    readonly attachments: readonly { readonly content: { readonly body: readonly object[] } }[]
  }[]
  const blocks = card?.attachments[0]?.content.body.map(textOf) ?? []
  expect(blocks).toHaveLength(41)
  expect(blocks.flatMap(teamsMakes)).toEqual([])
})

test('without a journal each start tells, and says so; commands, --once and a dry run tell nobody', async () => {
  await using slack = await openReceiver('slack')
  await using place = await openNotified([{ receiver: slack, format: 'text' }])
  await place.run(['plan'])
  await place.run(['run', '--once', '--dry-run'])
  await place.run(['run', '--once'])
  await place.run(['apply', '--yes'])
  const dry = place.start(['run', '--dry-run'])
  await dry.until(() => dry.log().find(({ event }) => event === 'summary'))
  dry.child.kill('SIGTERM')
  await dry.ended
  expect(slack.requests).toEqual([])
  await place.settings({ journal: 'none' })
  for (const count of [1, 2]) {
    const { daemon, cycle, stop } = await started(place)
    await arrived(slack, count)
    await cycle()
    await stop()
    expect(daemon.err()).toContain('each start tells once what stands then')
  }
  expect(slack.messages).toHaveLength(2)
})

test('a suspended daemon and one that only observes tell, too', async () => {
  await using slack = await openReceiver('slack')
  await using place = await openNotified([{ receiver: slack, format: 'text' }], { settings: { suspend: true } })
  const daemon = await started(place)
  await arrived(slack, 1)
  await daemon.stop()
  await using other = await openReceiver('slack')
  await using watching = await openNotified([{ receiver: other, format: 'text' }], {
    settings: { policy: 'observe' },
    declaration: {
      version: 1,
      workspaces: { acme: { projectRoles: [{ group: 'devs', project: 'ENG', role: 'member', expires: soon() }] } },
    },
    workspaces: { acme: { projects: ['ENG'], projectMappings: [{ idp_group_name: 'devs', project: 'ENG', role: 'member' }] } },
  })
  const observer = await started(watching)
  await arrived(other, 1)
  expect(texts(other)[0]).toContain('acme: ends soon: ENG devs = member, until ')
  await observer.stop()
})

const soon = () => new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)

test('a receiver that hangs delays no cycle, no other receiver and no end; its message is dropped with a warning', async () => {
  await using hanging = await openReceiver('slack')
  await using slack = await openReceiver('slack', 'secret-of-the-other-one')
  hanging.answers.push(...Array<'hang'>(20).fill('hang'))
  await using place = await openNotified([
    { receiver: hanging, format: 'text' },
    { receiver: slack, format: 'text', name: 'the team' },
  ])
  const beganMs = Date.now()
  const { daemon, cycle } = await started(place)
  await arrived(slack, 1)
  await expect.poll(() => hanging.requests.length).toBe(1)
  for (let n = 0; n < 3; n++) await cycle()
  expect(Date.now() - beganMs).toBeLessThan(10_000)
  const stoppedMs = Date.now()
  daemon.child.kill('SIGTERM')
  const { code, err, out } = await daemon.ended
  expect(code).toBe(0)
  expect(Date.now() - stoppedMs).toBeLessThan(6_000)
  expect(err).toContain('notify[0]: 1 message dropped: the program ends')
  expect(out + err).not.toContain('secret-of-the')
})

test('a 429 is waited for, a 500 is tried again, a redirect and a 400 are not; nothing names the address', async () => {
  await using busy = await openReceiver('slack', 'secret-of-the-busy-one')
  await using broken = await openReceiver('slack', 'secret-of-the-broken-one')
  await using moved = await openReceiver('slack', 'secret-of-the-moved-one')
  await using elsewhere = await openReceiver('slack', 'secret-of-the-other-place')
  await using strict = await openReceiver('slack', 'secret-of-the-strict-one')
  busy.answers.push({ status: 429, headers: { 'retry-after': '3' } })
  broken.answers.push({ status: 500 })
  moved.answers.push({ status: 307, headers: { location: elsewhere.address } })
  strict.answers.push({ status: 400 })
  const all = [busy, broken, moved, strict]
  await using place = await openNotified(
    all.map((receiver) => ({ receiver, format: 'text' })),
    { settings: { log: { level: 'debug' } } },
  )
  const { daemon, cycle, metric, stop } = await started(place)
  await arrived(broken, 1)
  await arrived(busy, 1)
  const [refused, taken] = busy.requests
  expect((taken?.atMs ?? 0) - (refused?.atMs ?? 0)).toBeGreaterThanOrEqual(3_000)
  await cycle()
  expect(await metric('notify_messages_total{result="sent"}')).toBe(2)
  expect(await metric('notify_messages_total{result="dropped"}')).toBe(2)
  await stop()
  expect([moved, strict].map(({ requests }) => requests.length)).toEqual([1, 1])
  expect(elsewhere.requests).toEqual([])
  const page = await place.read('config.yaml')
  expect(page).not.toContain('secret-of')
  const everything = daemon.out() + daemon.err() + (await journalText(place))
  expect(everything).toContain('notify[2]: 1 message dropped: the receiver answered 307, a redirect, which is not followed')
  expect(everything).toContain('notify[3]: 1 message dropped: the receiver answered 400')
  expect(everything).not.toContain('secret-of')
  for (const { address } of all) expect(everything).not.toContain(new URL(address).host)
})

async function journalText(place: Place): Promise<string> {
  return [await place.read('state/journal-000001.jsonl'), await place.read('state/last.json')].join('\n')
}

test('an address that is missing, is no https, or is not trusted keeps no daemon from its work', async () => {
  await using slack = await openReceiver('slack')
  await using place = await openNotified([
    { receiver: slack, format: 'text' },
    { receiver: { ...slack, address: slack.address.replace('https:', 'http:') }, format: 'text' },
  ])
  const notify = [
    { format: 'text', url: { file: 'receiver-missing' } },
    { format: 'text', url: { file: 'receiver-1' } },
    { format: 'text', url: { file: 'receiver-0' } },
  ]
  await place.settings({ notify, log: { level: 'debug' } })
  const { daemon, cycle, stop } = await started(place)
  const saw = (text: string) => daemon.until(() => daemon.err().includes(text))
  await saw('notify[0] hears nothing: secret file')
  await saw('notify[1] hears nothing: its url does not begin with https://')
  await saw('notify[1]: 1 message dropped: its url does not begin with https://')
  await saw('notify[2]: the connection is not safe: ')
  await cycle()
  expect(stateOf(place.sandbox)).toEqual(['ENG devs → member'])
  await stop()
  expect(slack.messages).toEqual([])
  expect(daemon.err()).not.toContain('secret-of')
  expect(daemon.err()).not.toContain(new URL(slack.address).host)
})

test('doctor names what is wrong with an address; plan and validate need none', async () => {
  await using slack = await openReceiver('slack')
  await using place = await openNotified([{ receiver: { ...slack, address: slack.address.replace('https:', 'http:') }, format: 'text' }])
  await place.settings({
    notify: [
      { format: 'text', url: { file: 'receiver-0' } },
      { format: 'text', url: { file: 'none' }, caFile: 'none.pem' },
    ],
  })
  const doctor = await place.run(['doctor', '--format', 'json'])
  expect(doctor.code).toBe(1)
  expect(doctor.out).toContain('its url does not begin with https://')
  expect(doctor.out).toMatch(/secret file [^ ]*none does not exist/)
  expect(doctor.out).toContain('the certificates of none.pem cannot be read')
  const plan = await place.run(['plan'])
  expect(plan.code, plan.err).toBe(3)
  const misplaced = slack.address.replace('https://', 'https://ann:secret-of-ann@')
  await place.settings({ notify: [{ format: 'text', url: { file: 'receiver-0' }, caFile: misplaced }] })
  const wrong = await place.run(['doctor', '--format', 'json'])
  expect(wrong.out).toContain('the certificates of an address cannot be read')
  await place.settings({ notify: [{ format: 'text', url: { file: 'none' } }] })
  const validate = await place.run(['validate'])
  expect(validate.code, validate.err).toBe(0)
  expect(validate.out + validate.err).toContain('notify.0.url comes from the file')
  for (const { out, err } of [doctor, wrong, plan, validate]) expect(out + err).not.toContain('secret-of')
})

const fences = {
  'teams/web/**': {
    owner: 'team-web',
    workspace: 'acme',
    projectRoles: { projects: ['ENG'], groups: ['web-*'], roles: ['member', 'admin'] },
  },
  'platform/*': 'everything',
}

test('an owner hears what a fence says is theirs, beside those who hear everything; a text that calls itself theirs does not count', async () => {
  await using operators = await openReceiver('slack', 'secret-of-the-operators')
  await using web = await openReceiver('slack', 'secret-of-team-web')
  await using place = await openNotified(
    [
      { receiver: operators, format: 'text' },
      { receiver: web, format: 'text', owner: 'team-web', on: ['waiting', 'failed'] },
    ],
    { settings: { fences, declaration: 'groups' }, declaration: '' },
  )
  const file = (owner: string, group: string) => ({
    ...{ version: 1, owner, workspaces: { acme: { projectRoles: [{ group, project: 'ENG', role: 'admin' }] } } },
  })
  await mkdir(place.path('groups/teams/web'), { recursive: true })
  await mkdir(place.path('groups/platform'))
  await place.write('groups/platform/all.yaml', file('team-web', 'leads'))
  await place.write('groups/teams/web/a.yaml', { ...file('x', 'web-devs'), owner: undefined })
  const { cycle, stop } = await started(place)
  await arrived(operators, 1)
  await arrived(web, 1)
  expect(texts(operators)[0]).toContain('ENG leads')
  expect(texts(operators)[0]).toContain('ENG web-devs')
  expect(texts(web)[0]).toContain('ENG web-devs')
  expect(texts(web)[0]).not.toContain('leads')

  await place.write('groups/teams/web/a.yaml', 'version: 1\nworkspaces: {acme: {projectRoles: [\n')
  await cycle()
  await cycle()
  await arrived(web, 2)
  expect(texts(web)[1]?.split('\n').slice(1)).toEqual([
    '• declaration: teams/web/a․yaml is invalid. The last valid text stays in use; plane-group-sync validate shows what to correct',
  ])
  await place.write('groups/teams/web/a.yaml', { ...file('x', 'web-devs'), owner: undefined })
  await cycle()
  await cycle()
  await arrived(web, 3)
  expect(texts(web)[2]?.split('\n').slice(1)).toEqual(['• declaration, over: no longer fails: file teams/web/a․yaml'])
  await stop()
})

const faults = (place: Place, texts: readonly string[]) =>
  fetch(`${place.sandbox.url}/_sandbox/faults`, { method: 'PUT', body: JSON.stringify({ faults: texts }) })

test('a workspace that cannot be read is told as failed once, and nothing that waits in it is over until it can be read', async () => {
  await using slack = await openReceiver('slack')
  await using place = await openNotified([{ receiver: slack, format: 'text' }])
  const { cycle, stop } = await started(place)
  await arrived(slack, 1)
  await faults(place, ['GET project-mappings: 403'])
  await cycle()
  await cycle()
  await faults(place, [])
  await cycle()
  await arrived(slack, 3)
  expect(texts(slack)[1]).toContain('• acme: failed: ')
  expect(texts(slack)[2]?.split('\n').slice(1)).toEqual(['• acme, over: no longer fails: cycle'])
  await stop()
})
