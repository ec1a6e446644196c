import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import type { Key, Role, WorkspaceName } from '../../../src/core/mapping.ts'
import type { ToldFact } from '../../../src/core/memory/told.ts'
import type { Notice } from '../../../src/core/notice/notice.ts'
import type { News } from '../../../src/core/notice/tell.ts'
import { documentSchema } from '../../../src/documents/jsonSchemas.ts'
import { noticeMessage } from '../../../src/render/noticeMessage.ts'
import { googleChatMakes, mattermostMakes, slackMakes, teamsMakes } from './receiverRules.ts'

const about = { host: 'plane.example.com', atMs: Date.UTC(2026, 10, 28), scrub: (text: string) => text }
const notice = (sentence: string, more: Partial<Notice> = {}): Notice => ({
  ...{
    kind: 'waiting',
    workspace: 'acme' as WorkspaceName,
    about: 'mapping',
    name: sentence,
    state: '',
    owners: [],
    sentence,
    cure: `do ${sentence}`,
  },
  ...more,
})
const fresh = (sentence: string, more: Partial<Notice> = {}): News => ({ news: 'new', notice: notice(sentence, more) })

type Card = { readonly attachments: readonly { readonly content: { readonly body: readonly { readonly text: string }[] } }[] }
const textOf = (news: readonly News[], more = {}) =>
  (JSON.parse(noticeMessage(news, 'text', { ...about, ...more })) as { text: string }).text
const blocksOf = (news: readonly News[]) =>
  (JSON.parse(noticeMessage(news, 'card', about)) as Card).attachments.flatMap(({ content }) => content.body.map(({ text }) => text))

const hostile = [
  '<!here>',
  '<!channel|everyone>',
  '<@U012AB3CD>',
  '<#C012AB3CD>',
  '<!subteam^SAZ94GDB8>',
  '<https://evil.example.com|click>',
  '&lt;!here&gt;',
  '&commat;all',
  '&#64;channel',
  '@all',
  '@channel and @here',
  '~town-square',
  '#urgent',
  '<users/all>',
  '<at>everyone</at>',
  '[approve](https://evil.example.com)',
  '![x](http://evil.example.com/pixel.png)',
  '[approve][1]',
  'https://evil.example.com/a?b=c',
  'http://10.0.0.1/',
  'evil.example.com',
  'sub.evil.co.uk/path',
  'evil。example。com',
  'www.evil',
  'mailto:ann@evil.example.com',
  'ann@evil.example.com',
  'slack://open',
  'javascript:alert(1)',
  ':tada:',
  ':white_check_mark: approved',
  '*bold* _italic_ ~struck~ `code`',
  '**bold** __bold__ ~~struck~~',
  '```\nblock\n```',
  '$x^2$ and $$y$$',
  '| a | b |\n|---|---|',
  '# title\n- item\n1. first\n> quote',
  '{{DATE(2026-01-01T00:00:00Z, SHORT)}}',
  '\\@all \\<!here\\>',
  'line\r\nbreak\u2028more\u202eevil\u200b@\u200ball',
  '"}],"text":"<!here>',
]

describe('no name or reason makes anything but text', () => {
  const receivers = { slackMakes, mattermostMakes, googleChatMakes, teamsMakes } as const
  // Otherwise the tests below prove nothing.
  test.each(Object.entries(receivers))('the rules of %s find what is hostile', (_, makes) => {
    const harmless = hostile.filter((text) => makes(`acme: ${text}`).length === 0)
    expect(harmless.length).toBeLessThan(hostile.length - 8)
  })
  test('each hostile text means something to a receiver', () => {
    const means = (text: string) => Object.values(receivers).some((makes) => makes(`acme: ${text}`).length > 0)
    const quiet = new Set(['javascript:alert(1)', 'line\r\nbreak\u2028more\u202eevil\u200b@\u200ball'])
    expect(hostile.filter((text) => !means(text) && !quiet.has(text))).toEqual([])
  })

  test.each(hostile)('%j', (name) => {
    const news: readonly News[] = [
      fresh(`ENG ${name} → admin`, { cure: name }),
      { news: 'changed', notice: notice(name) },
      { news: 'over', notice: { ...notice(name), name } },
    ]
    const text = textOf(news)
    expect(text.split('\n')).toHaveLength(4)
    expect([slackMakes(text), mattermostMakes(text), googleChatMakes(text)].flat()).toEqual([])
    const blocks = blocksOf(news)
    expect(blocks).toHaveLength(4)
    expect(blocks.flatMap(teamsMakes)).toEqual([])
    const { notices } = JSON.parse(noticeMessage(news, 'full', about)) as { readonly notices: readonly { readonly what: string }[] }
    expect(notices[2]?.what).toBe(name)
  })

  test('usual names stay as they are', () => {
    const usual = "eng_web-team (on-call) R and D, 50 %, it's “Ünï” → member = guest; plane-group-sync approve 9d41b7f0 --now --reason …"
    expect(textOf([fresh(usual, { cure: '' })])).toContain(`• acme: ${usual}`)
  })
})

test.each<[ToldFact['about'], string, string]>([
  ['mapping', 'project/OPS/ops-oncall', 'project/OPS/ops-oncall'],
  ['mapping', 'project/ENG/x • acme: all is well', '"project/ENG/x • acme: all is well"'],
  ['mapping', 'set of creates', '"set of creates"'],
  ['undone', 'workspace/x\n• acme', 'undone "workspace/x\\\\u{a}• acme"'],
  ['file', 'a • b.yaml', 'file "a • b.yaml"'],
  ['edit', 'project/ENG/a m1 5', 'edit "project/ENG/a m1 5"'],
  ['set', 'creates of x • acme: all is well', 'set of "creates of x • acme: all is well"'],
  ['set', 'creates, role changes of team-web', 'set of creates, role changes of team-web'],
  ['write', 'otherwise than sent (2)', 'write otherwise than sent (2)'],
  ['anotherWriter', 'warning', 'another writer warning'],
  ['many', '', 'many'],
  ['cycle', '', 'cycle'],
])('what is over is quoted as names are: %s %j', (about, name, shown) => {
  const line = textOf([{ news: 'over', notice: notice(name, { about }) }]).split('\n')[1]
  expect(line?.replaceAll('＼', '\\').replaceAll('｛', '{').replaceAll('｝', '}').replaceAll('․', '.')).toBe(
    `• acme, over: no longer waits for approval: ${shown}`,
  )
})

test('the link of the settings is the only one', () => {
  const link = 'https://sync.example.com/page?x=1&y=2'
  const text = textOf([fresh('a')], { link })
  expect(text.endsWith(`\n${link}`)).toBe(true)
  expect(googleChatMakes(text)).toEqual([link])
  expect(JSON.parse(noticeMessage([fresh('a')], 'card', { ...about, link }))).toMatchObject({
    attachments: [{ content: { actions: [{ type: 'Action.OpenUrl', url: link }] } }],
  })
  expect(noticeMessage([fresh('a')], 'card', about)).not.toContain('actions')
})

test('the most urgent comes first, and what is over last', () => {
  const news: readonly News[] = [
    { news: 'over', notice: notice('a') },
    fresh('ends', { kind: 'ends-soon' }),
    fresh('edit', { kind: 'foreign-edit' }),
    { news: 'changed', notice: notice('fails', { kind: 'failed' }) },
    fresh('waits'),
    fresh('grant', { kind: 'foreign-edit', moment: 'grave' }),
  ]
  expect(textOf(news).split('\n')).toEqual([
    'plane-group-sync at plane․example․com',
    '• acme: grant; do grant',
    '• acme: waits; do waits',
    '• acme, changed: fails; do fails',
    '• acme: edit; do edit',
    '• acme: ends; do ends',
    '• acme, over: no longer waits for approval: a',
  ])
  const { workspace: _, ...bare } = notice('b')
  expect(textOf([{ news: 'new', notice: bare }])).toContain('• declaration: b')
})

describe('a message of many facts', () => {
  const many = Array.from({ length: 2_000 }, (_, n) => fresh(`${'ü@'.repeat(60)} ${n}`, { cure: '' }))
  const limits = { text: 4_096, card: 28 * 1024, full: 200_000 } as const
  test.each(['text', 'card', 'full'] as const)('%s has the first ones, and the number of the others', (format) => {
    const body = noticeMessage(many, format, about)
    const bytes = new TextEncoder().encode(body).length
    expect(bytes).toBeLessThanOrEqual(limits[format])
    if (format === 'full') {
      const { notices, leftOut } = JSON.parse(body) as { readonly notices: readonly unknown[]; readonly leftOut: number }
      expect(notices.length + leftOut).toBe(2_000)
      expect(bytes).toBeGreaterThan(150_000)
    } else {
      const lines = format === 'text' ? textOf(many).split('\n') : blocksOf(many)
      expect(lines.at(-1)).toBe(`and ${(2_000 - (lines.length - 2)).toLocaleString('en')} more: plane-group-sync status`)
      expect(lines.length).toBeGreaterThan(5)
    }
  })

  test('is made without making a line for each of them', () => {
    let made = 0
    const scrub = (text: string) => {
      made++
      return text
    }
    noticeMessage(
      Array.from({ length: 5_000 }, (_, n) => fresh(`fact ${n}`)),
      'text',
      { ...about, scrub },
    )
    expect(made).toBeLessThan(1_500)
  })

  test.each([1, 2, 3, 4, 5, 7, 8, 9])('of %i short facts has all of them', (count) => {
    const text = textOf(Array.from({ length: count }, (_, n) => fresh(`fact ${n}`)))
    expect(text.split('\n')).toHaveLength(count + 1)
    expect(text).not.toContain('more')
  })

  test('a single fact always fits, however long it is', () => {
    const long = fresh('ü'.repeat(5_000), { cure: '‼'.repeat(5_000) })
    expect(textOf([long]).split('\n')).toHaveLength(2)
    expect(textOf([long, long, long]).split('\n').length).toBeGreaterThan(2)
  })
})

test('no secret gets into a message, also where its signs are shown as others', () => {
  const secret = 'hook.example.com/T0/B0/x_y'
  const scrub = (text: string) => text.replaceAll(secret, '…')
  for (const format of ['text', 'card', 'full'] as const) {
    const body = noticeMessage([fresh(`the reason ${secret}`)], format, { ...about, scrub })
    expect(body.replaceAll('․', '.').replaceAll('＿', '_')).not.toContain(secret)
  }
})

test('full is as its schema says', () => {
  const check = new Ajv2020({ formats: { 'date-time': true } }).compile(documentSchema('notice', 'refused'))
  const because = { at: { file: 'a.yaml', line: 2, column: 3 }, owner: 'team', reason: 'audit' }
  const row = { key: 'acme/project/ENG/a' as Key, id: 'c1', before: null, after: 'admin' as Role, atMs: 5, because }
  const news: readonly News[] = [
    fresh('a', { row, more: 3, owners: ['team'] }),
    { news: 'changed', notice: notice('b', { cure: '' }) },
    { news: 'over', notice: { kind: 'failed', about: 'declaration', name: '', state: '', owners: [] } },
  ]
  const document: unknown = JSON.parse(noticeMessage(news, 'full', { ...about, link: 'https://a.example.com' }))
  expect(check(document), JSON.stringify(check.errors)).toBe(true)
  expect(document).toEqual({
    format: 'plane-group-sync/notice',
    version: 1,
    at: '2026-11-28T00:00:00.000Z',
    service: 'plane.example.com',
    link: 'https://a.example.com',
    leftOut: 0,
    notices: [
      {
        ...{ news: 'new', kind: 'waiting', workspace: 'acme', what: 'a', owners: ['team'], sentence: 'a', cure: 'do a' },
        ...{ key: 'acme/project/ENG/a', id: 'c1', before: null, after: 'admin', date: '1970-01-01T00:00:00.005Z', count: 3, because },
      },
      { news: 'changed', kind: 'waiting', workspace: 'acme', what: 'b', owners: [], sentence: 'b' },
      { news: 'over', kind: 'failed', what: 'declaration', owners: [] },
    ],
  })
})
