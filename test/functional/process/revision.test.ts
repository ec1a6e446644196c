import { execFileSync } from 'node:child_process'
import { mkdir, readdir } from 'node:fs/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { documentSchema } from '../../../src/documents/jsonSchemas.ts'
import { openPlace, type Place } from './program.ts'
import { started } from './startedDaemon.ts'

const rule = (group: string, role = 'member') =>
  `version: 1\nworkspaces:\n  acme:\n    projectRoles: [ { group: ${group}, project: ENG, role: ${role} } ]\n`

/** A declaration in a folder of a repository, and its first commit. */
async function openRepository() {
  const place = await openPlace({ declaration: '', groups: ['devs', 'ops'], settings: { declaration: 'repo/groups' } })
  const repo = place.path('repo')
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Eve', '-c', 'user.email=eve@example.com', ...args], {
      cwd: repo,
      env: { PATH: process.env['PATH'], HOME: place.folder, GIT_CONFIG_NOSYSTEM: '1' },
    })
      .toString()
      .trim()
  const commit = () => {
    git('add', '-A')
    git('commit', '-q', '--allow-empty', '-m', 'edit by Eve')
    return git('rev-parse', 'HEAD')
  }
  await mkdir(place.path('repo/groups'), { recursive: true })
  await place.write('repo/groups/a.yaml', rule('devs'))
  git('init', '-q', '-b', 'secret-plan')
  return Object.assign(place, { commit, first: commit() })
}

/** The entries of the journal that say the commit of a declaration. */
async function storedIn(place: Place) {
  const files = (await readdir(place.path('state'))).filter((name) => name.endsWith('.jsonl'))
  const texts = await Promise.all(files.map((name) => place.read(`state/${name}`)))
  const entries = texts
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
  return {
    text: texts.join(''),
    revisions: entries.filter(({ entry }) => entry === 'declaration').map(({ hash, revision }) => ({ hash, revision })),
    written: entries.filter(({ entry }) => entry === 'intent').map(({ declaration }) => declaration),
  }
}

test('each command that shows the declaration names its commit, and no author or branch', async () => {
  await using place = await openRepository()
  const short = place.first.slice(0, 7)
  const validated = await place.run(['validate'])
  expect(validated.out).toContain(`, commit ${short} · `)
  const plan = await place.run(['plan'])
  expect(plan.out).toMatch(new RegExp(`declaration [0-9a-f]{7} \\(1 file, commit ${short}\\)`))
  const markdown = await place.run(['plan', '-o', 'markdown'])
  expect(markdown.out).toMatch(new RegExp(`declaration \`[0-9a-f]{7}\` \\(1 file, commit ${short}\\)`))
  const json = await place.run(['plan', '-o', 'json'])
  const document = JSON.parse(json.out) as {
    readonly workspaces: readonly [{ readonly fingerprint: string; readonly declaration: object }]
  }
  expect(document.workspaces[0].declaration).toMatchObject({ files: 1, revision: { kind: 'commit', id: place.first } })
  const check = new Ajv2020({ formats: { 'date-time': true } }).compile(documentSchema('plan', 'refused'))
  expect(check(document), JSON.stringify(check.errors)).toBe(true)
  const checked = JSON.parse((await place.run(['validate', '--format', 'json'])).out) as { readonly declaration: object }
  expect(checked.declaration).toMatchObject({ revision: { kind: 'commit', id: place.first } })
  for (const { out, err } of [validated, plan, markdown, json]) expect(out + err).not.toMatch(/Eve|secret-plan/)

  await place.write('repo/groups/a.yaml', `${rule('devs')}# a comment\n`)
  expect((await place.run(['plan'])).out).toContain(`(1 file, edited after ${short})`)
  await place.write('repo/.git/HEAD', 'broken\n')
  await place.write('repo/groups/.revision', '4f2c91e\n')
  expect((await place.run(['plan'])).out).toContain('(1 file, 4f2c91e, said by .revision)')
  // The commit is not part of what a plan does.
  const later = JSON.parse((await place.run(['plan', '-o', 'json'])).out) as typeof document
  expect(later.workspaces[0].fingerprint).toBe(document.workspaces[0].fingerprint)
})

test('a plan from a recording names the commit of the branch; a saved plan is applied under another commit', async () => {
  await using place = await openRepository()
  expect((await place.run(['record', '--out', 'recording.json'])).code).toBe(0)
  expect(await place.read('recording.json')).not.toContain(place.first)
  expect((await place.run(['plan', '--out', 'saved.json'])).code).toBe(0)
  const second = place.commit()
  const recorded = await place.run(['plan', '--recorded', 'recording.json'])
  expect(recorded.out).toContain(`(1 file, commit ${second.slice(0, 7)})`)
  const applied = await place.run(['apply', 'saved.json', '--yes'])
  expect(applied.code).toBe(0)
  expect(await storedIn(place)).toMatchObject({ revisions: [{ revision: { id: second } }] })
})

test('the journal has the commit of a declaration that a cycle may write once, and again if another commit has the same text', async () => {
  await using place = await openRepository()
  expect((await place.run(['plan'])).code).toBe(0)
  expect((await place.run(['apply', '--yes'])).code).toBe(0)
  expect((await place.run(['apply', '--yes'])).code).toBe(0)
  const before = await storedIn(place)
  expect(before.revisions).toEqual([{ hash: before.written[0], revision: { kind: 'commit', id: place.first } }])
  await place.write('repo/groups/b.yaml', rule('ops'))
  expect((await place.run(['apply', '--yes'])).code).toBe(0)
  const second = place.commit()
  expect((await place.run(['apply', '--yes'])).code).toBe(0)
  const { revisions, written, text } = await storedIn(place)
  expect(revisions.slice(1)).toEqual([
    { hash: written[1], revision: { kind: 'editedAfter', id: place.first } },
    { hash: written[1], revision: { kind: 'commit', id: second } },
  ])
  expect(text).not.toMatch(/Eve|secret-plan/)
})

test('a daemon logs each new commit once, shows it in its status, and stores it', async () => {
  await using place = await openRepository()
  const running = await started(place)
  const lines = () => running.daemon.log().flatMap(({ event, msg }) => (event === 'declaration' ? [msg] : []))
  await running.cycle()
  expect(lines()).toEqual([
    expect.stringMatching(`^the declaration is in use: [0-9a-f]{7} \\(1 file, commit ${place.first.slice(0, 7)}\\)$`),
  ])
  const second = place.commit()
  await running.cycle()
  await running.cycle()
  expect(lines().slice(1)).toEqual([expect.stringContaining(`(1 file, commit ${second.slice(0, 7)})`)])
  expect((await place.run(['status'])).out).toContain(`(1 file, commit ${second.slice(0, 7)})`)
  const status = JSON.parse((await place.run(['status', '-o', 'json'])).out) as { readonly last: { readonly declaration: object } }
  expect(status.last.declaration).toMatchObject({ revision: { kind: 'commit', id: second } })
  await running.stop()
  expect((await storedIn(place)).revisions).toMatchObject([{ revision: { id: place.first } }, { revision: { id: second } }])
})
