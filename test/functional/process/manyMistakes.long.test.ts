import { describe, expect, test } from 'vitest'
import { hashOf } from '../../../src/declaration/files.ts'
import { understandDeclaration } from '../../../src/declaration/understand.ts'
import { parseGroups } from '../../../src/directories/file.ts'
import { orderSchema } from '../../../src/documents/daemonOrder.ts'
import { lastSchema } from '../../../src/documents/last.ts'
import { entryFromLine, headFromLine } from '../../../src/journal/lines.ts'
import { orderIn } from '../../../src/orders/orderFiles.ts'
import { parsePlan } from '../../../src/render/savedPlan.ts'
import { loadState } from '../../../src/sandbox/load.ts'
import { checkedSettings } from '../../../src/settings/load.ts'
import {
  declarationMistakes,
  directoryMistakes,
  jsonMistakes,
  type Mistakes,
  ruleMistakes,
  settingsMistakes,
  stateMistakes,
} from './manyMistakes.ts'

/** Twice as many mistakes may take this many times as long. Twice is linear; what goes with the square is four times. */
const ratioMax = 3
const bytesMax = 1024 * 1024
/** Shorter times are too uncertain to compare. */
const certainMs = 50

const context = {
  workspaces: ['acme'],
  directories: ['corp'],
  roles: ['admin', 'member', 'guest'],
  defaults: { unknownGroups: 'hold', unknownProjects: 'hold' },
  dateMs: Date.parse('2026-06-01'),
} as const
const files = (texts: Readonly<Record<string, string>>) => Object.entries(texts).map(([file, text]) => ({ file, bytes: Buffer.from(text) }))
const fence = {
  owner: 'pay',
  workspace: 'acme',
  projectRoles: { projects: ['ENG'], allProjects: false, roles: ['member'], groups: ['g*'] },
  may: [],
  demand: { reason: false, expires: {} },
} as const
const fences = { 'pay/**': fence, 'ops/**': { ...fence, owner: 'ops' }, 'platform/**': 'everything' } as const
const empty = 'version: 1\nworkspaces: { acme: {} }\n'

function declared(texts: Readonly<Record<string, string>>, more: object = {}): unknown {
  const read = files(texts)
  return understandDeclaration({ files: read, hash: hashOf(read) }, { ...context, ...more }, {})
}

/** The text of the file is that of a team whose file was valid before. */
function fenced(text: string): unknown {
  const read = files({ 'pay/a.yaml': text, 'platform/a.yaml': empty })
  const lastValid = new Map(files({ 'pay/a.yaml': empty, 'platform/a.yaml': empty }).map(({ file, bytes }) => [file, bytes]))
  return understandDeclaration({ files: read, hash: hashOf(read), lastValid }, { ...context, fences }, {})
}

const place = { file: 'journal-000001.jsonl', line: 1 }
const quietly = (read: () => unknown): unknown => {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Half of the mistakes for each of two files. */
const halved = (mistakes: Mistakes): Mistakes =>
  Object.fromEntries(Object.entries(mistakes).map(([kind, make]) => [kind, (n: number) => make(n / 2)]))

/** The syntax of YAML is one path for the declaration, settings and directory files. The sandbox reads it in another way. */
const readers: readonly (readonly [what: string, mistakes: Mistakes, read: (text: string) => unknown])[] = [
  ['a declaration', declarationMistakes, (text) => declared({ 'a.yaml': text })],
  ['a declaration with fences', ruleMistakes, fenced],
  ['two files of two owners', halved(ruleMistakes), (text) => declared({ 'pay/a.yaml': text, 'ops/b.yaml': text }, { fences })],
  ['settings', settingsMistakes, (text) => checkedSettings({ file: '/x/config.yaml', bytes: Buffer.from(text), env: {} })],
  ['a directory file', directoryMistakes, (text) => parseGroups({ file: 'corp.yaml', bytes: Buffer.from(text) })],
  ['a state of the sandbox', stateMistakes, (text) => quietly(() => loadState({ name: 'state.yaml', text }))],
  ['a saved plan', jsonMistakes, parsePlan],
  ['an order', jsonMistakes, (text) => orderSchema.safeParse(orderIn(Buffer.from(text))?.order)],
  ['the last document', jsonMistakes, (text) => quietly(() => lastSchema.safeParse(JSON.parse(text)))],
  ['a line of the journal', jsonMistakes, (text) => quietly(() => entryFromLine(text, place, () => undefined))],
  ['the first line of a journal', jsonMistakes, (text) => quietly(() => headFromLine(text, place, () => undefined))],
]

async function cpuMs(read: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await read()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** How much longer the reading of twice as many mistakes takes; undefined if both take no time to speak of. */
async function ratioOf(make: (n: number) => string, read: (text: string) => unknown): Promise<number | undefined> {
  let [least, ofTwice] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  let n = 2_500
  for (let tries = 0; tries < 8; tries++) {
    const [text, twice] = [make(n), make(2 * n)]
    least = Math.min(least, await cpuMs(() => read(text)))
    ofTwice = Math.min(ofTwice, await cpuMs(() => read(twice)))
    if (least >= certainMs ? ofTwice / least <= ratioMax : 4 * twice.length > bytesMax) break
    if (least >= certainMs || 4 * make(2 * n).length > bytesMax) continue
    n *= 2
    ;[least, ofTwice] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  }
  return least < certainMs ? undefined : ofTwice / least
}

describe.each(readers)('the reading of %s', (_, mistakes, read) => {
  test.each(Object.entries(mistakes))('is linear in the number of mistakes: %s', async (_kind, make) => {
    expect((await ratioOf(make, read)) ?? 1).toBeLessThanOrEqual(ratioMax)
  })
})

describe('the number of files', () => {
  const teams = (count: number) => Array.from({ length: count }, (_, index) => `team${index}`)
  const readTeams = (count: number, text: (index: number) => string) => {
    const names = teams(count)
    const read = files(Object.fromEntries(names.map((name, index) => [`${name}/a.yaml`, text(index)])))
    const lastValid = new Map(read.map(({ file }) => [file, Buffer.from(empty)]))
    const all = { ...context, fences: { ...fences, ...Object.fromEntries(names.map((owner) => [`${owner}/**`, { ...fence, owner }])) } }
    return understandDeclaration({ files: read, hash: hashOf(read), lastValid }, all, {})
  }
  const rule = (group: string, role: string) =>
    `version: 1\nworkspaces: { acme: { projectRoles: [{ group: ${group}, project: ENG, role: ${role} }] } }\n`
  test.each<[what: string, text: (index: number) => string]>([
    ['of teams with a hundred mistakes', () => `version: 1\n${Array.from({ length: 110 }, (_, at) => `k${at}: 1\n`).join('')}`],
    ['of teams that name one key', () => rule('g', 'member')],
    ['of teams outside of their fence', (index) => rule(`h${index}`, 'guest')],
    ['of teams with right files', (index) => rule(`g${index}`, 'member')],
    [
      'of teams that contradict themselves',
      () => empty.replace('{}', '{ projectRoles: [{ group: g, project: ENG, role: member }], removed: [{ group: g, project: ENG }] }'),
    ],
  ])('%s costs no more than itself', async (_, text) => {
    let [least, ofTwice] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let tries = 0; tries < 6 && !(ofTwice / least <= ratioMax); tries++) {
      least = Math.min(least, await cpuMs(() => readTeams(250, text)))
      ofTwice = Math.min(ofTwice, await cpuMs(() => readTeams(500, text)))
    }
    expect(ofTwice / least).toBeLessThanOrEqual(ratioMax)
  })
})
