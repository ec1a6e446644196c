import { mkdir } from 'node:fs/promises'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { measured } from './measured.ts'
import { openPlace, type Place } from './program.ts'

const mebibyte = 1024 * 1024
const head = 'version: 1\nworkspaces:\n  acme:\n    projectRoles:\n'
const ruleOf = (index: number) => `      - { group: g${String(index).padStart(7, '0')}, role: guest, project: P${index % 200} }\n`
const rules = (count: number): string => head + Array.from({ length: count }, (_, index) => ruleOf(index)).join('')

/** Texts of one mebibyte that are not valid declarations. */
const junk: Readonly<Record<string, string>> = {
  'a flow list': `[${'1,'.repeat(mebibyte / 2 - 1)}]`,
  'maps in one line': `[${'{},'.repeat(mebibyte / 3 - 1)}]`,
  'empty items': '- \n'.repeat(mebibyte / 3),
  commas: `[${','.repeat(mebibyte - 2)}]`,
  'comments alone': '#\n'.repeat(mebibyte / 2),
  words: 'a\n'.repeat(mebibyte / 2),
  'documents without end': '---\n'.repeat(mebibyte / 4),
  'misspelt rules': rules(18_000).replaceAll('group:', 'grop:'),
  'one key again and again': 'a: 1\n'.repeat(mebibyte / 5),
}

const open = (settings: object = {}, groups: readonly string[] = ['ops']) =>
  openPlace({ declaration: { version: 1, workspaces: { acme: {} } }, groups, settings })

async function fill(place: Place, files: number, text: string): Promise<void> {
  await mkdir(place.path('groups'))
  for (let index = 0; index < files; index++) await place.write(`groups/${index}.yaml`, text)
  await place.settings({ declaration: 'groups' })
}

describe('a declaration', () => {
  // The slowest of them takes half a minute of a processor.
  test.each(Object.entries(junk))('of 15 MiB of junk is refused with little memory: %s', { timeout: 600_000 }, async (_, text) => {
    await using place = await open()
    await fill(place, 15, text)
    const { code, text: said, megabytes } = await measured(place, ['validate'])
    expect(code, said).toBe(78)
    expect(said).toContain('.yaml')
    expect(said).not.toMatch(/\n\s+at \S+ \(/)
    expect(megabytes).toBeGreaterThan(50)
    expect(megabytes).toBeLessThan(300)
  })

  test('of a mebibyte of rules is read with 150 MB and 3 KB for each', async () => {
    await using place = await open()
    await place.write('groups.yaml', rules(18_900))
    const { code, text, megabytes } = await measured(place, ['validate'])
    expect(code, text).toBe(0)
    expect(text).toContain('valid: 18,900 mappings')
    expect(megabytes).toBeLessThan(150 + 18_900 * 0.003)
  })

  test('of lists that multiply to 100,000 mappings is read with 150 MB and 3 KB for each', async () => {
    await using place = await open()
    const [groups, projects] = ['g', 'P'].map((letter, which) =>
      Array.from({ length: which === 0 ? 500 : 200 }, (_, index) => `${letter}${index}`),
    )
    await place.write('groups.yaml', { version: 1, workspaces: { acme: { projectRoles: [{ groups, projects, role: 'guest' }] } } })
    const { code, text, megabytes } = await measured(place, ['validate'])
    expect(code, text).toBe(0)
    expect(text).toContain('valid: 100,000 mappings')
    expect(megabytes).toBeLessThan(150 + 100_000 * 0.003)
  })
})

describe('a daemon', () => {
  test.each<[what: string, fill: (place: Place) => Promise<void>]>([
    ['reads 15 MiB of misspelt rules', (place) => fill(place, 15, junk['misspelt rules'] as string)],
    ['reads 4 MiB of rules', (place) => fill(place, 4, '').then(() => fillApart(place))],
    ['matches costly patterns', costlyPatterns],
    ['compiles patterns over their limit in a small file', tooLargePatterns],
    ['compares costly patterns of a small file with its names', costlyUnmanaged],
  ])('that %s answers /healthz, and ends when asked', async (_, make) => {
    const names = Array.from({ length: 4_500 }, (_, index) => nameOf(index))
    await using place = await open({ schedule: { cron: '* * * * * *' } }, names)
    await make(place)
    const daemon = place.start(['run'])
    const { url } = await daemon.until(() => daemon.log().find(({ event }) => event === 'listening'))
    const took: number[] = []
    for (let probe = 0; probe < 40; probe++) {
      took.push(await probed(`${String(url)}/healthz`))
      await sleep(50)
    }
    daemon.child.kill('SIGTERM')
    const askedMs = performance.now()
    await daemon.ended
    expect(performance.now() - askedMs).toBeLessThan(10_000)
    // A busy machine may delay a probe or two; a blocked process delays each.
    expect(took.toSorted((a, b) => a - b)[30]).toBeLessThan(1_000)
    expect(took.toSorted((a, b) => b - a)[0]).toBeLessThan(5_000)
  })
})

const nameOf = (index: number): string =>
  Array.from({ length: 200 }, (_, at) => ((Math.imul(index + 7, 2_654_435_761) >>> (at % 29)) & 1 ? 'a' : 'b')).join('')

/** Declares patterns that are within all limits, but need minutes of work. */
async function costlyPatterns(place: Place): Promise<void> {
  const entries = Array.from({ length: 30 }, (_, index) => ({ groupRegex: `[ab]*a[ab]{${90 + index}}c`, role: 'guest', project: 'ENG' }))
  await place.write('groups.yaml', { version: 1, workspaces: { acme: { projectRoles: entries } } })
}

/** In a small file. Each of them has 142,000 steps, and is refused only after it was compiled. */
async function tooLargePatterns(place: Place): Promise<void> {
  const rule = (index: number) => `      - { groupRegex: "${'a{1000}'.repeat(142 - (index % 2))}", role: guest, project: ENG }\n`
  await place.write('groups.yaml', head + Array.from({ length: 60 }, (_, index) => rule(index)).join(''))
}

/** In a small file, under all limits. */
async function costlyUnmanaged(place: Place): Promise<void> {
  const groups = Array.from({ length: 280 }, (_, index) => nameOf(index))
  const unmanaged = Array.from({ length: 25 }, (_, index) => ({ groupRegex: `[ab]*a[ab]{${960 + index}}c` }))
  await place.write('groups.yaml', {
    version: 1,
    workspaces: { acme: { projectRoles: [{ groups, role: 'guest', project: 'ENG' }], unmanaged } },
  })
}

async function fillApart(place: Place): Promise<void> {
  for (let file = 0; file < 4; file++) {
    const text = head + Array.from({ length: 18_000 }, (_, index) => ruleOf(file * 18_000 + index)).join('')
    await place.write(`groups/${file}.yaml`, text)
  }
}

function probed(url: string): Promise<number> {
  const beganMs = performance.now()
  return new Promise((resolve, reject) => {
    const asked = request(url, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(performance.now() - beganMs))
    })
    asked.on('error', reject)
    asked.end()
  })
}
