import { execFileSync } from 'node:child_process'
import { mkdir, rm, symlink } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openPlace, type Place, type StartOptions } from './program.ts'

/** No network, and none of the variables with which the program would find Plane. */
const cutOff: StartOptions = { wrap: (command) => ['unshare', '-rn', 'env', '-u', 'PLANE_BASE_URL', '-u', 'PLANE_API_KEY', ...command] }
const rules = (...rows: readonly (readonly [string, string, object?])[]) => ({
  version: 1,
  workspaces: { acme: { projectRoles: rows.map(([group, role, more = {}]) => ({ group, project: 'ENG', role, ...more })) } },
})

/** A repository whose branch `main` is recorded, with drift in Plane, a date that has passed and a group that is not there. */
async function openRepository(): Promise<Place & { git(...args: readonly string[]): string }> {
  const place = await openPlace({ declaration: '', groups: ['devs', 'ops', 'all', 'web'], settings: { declaration: 'groups' } })
  const env = { PATH: process.env.PATH, HOME: place.folder, GIT_CONFIG_NOSYSTEM: '1' }
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: place.folder,
      env,
      stdio: 'pipe',
    }).toString()
  await mkdir(place.path('groups'))
  await place.write(
    'groups/a.yaml',
    rules(['devs', 'member'], ['ops', 'guest'], ['lost', 'guest'], ['all', 'guest', { expires: '2099-12-30' }]),
  )
  await place.write('.gitignore', 'state\nrecording.json\ngroups.yaml\n')
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-q', '-m', 'first')
  expect((await place.run(['apply', '--yes'])).code).toBe(0)
  const [ops] = place.sandbox.state.workspaces.acme?.projectMappings?.filter(({ idp_group_name }) => idp_group_name === 'ops') ?? []
  if (ops !== undefined) ops.role = 'member'
  expect((await place.run(['record', '--out', 'recording.json'])).code).toBe(0)
  return Object.assign(place, { git })
}

const planOf = (place: Place, ...args: readonly string[]) => place.run(['plan', '--recorded', 'recording.json', ...args], cutOff)
const compact = (text: string) => text.replaceAll(/\s+/g, ' ')

test('two edits are two rows; what is not of them has a line, and its causes with --all', async () => {
  await using place = await openRepository()
  place.git('checkout', '-q', '-b', 'branch')
  await place.write('groups/a.yaml', rules(['ops', 'guest'], ['lost', 'guest'], ['all', 'guest', { expires: '2099-12-30' }]))
  await place.write('groups/b.yaml', rules(['web', 'guest']))
  place.git('add', '.')
  place.git('commit', '-q', '-m', 'edits')
  const { out, code } = await planOf(place, '--base-ref', 'main', '--at', '2100-01-02')
  expect(code).toBe(0)
  expect(compact(out)).toMatch(/^What this change does beside main \([0-9a-f]{7}\); as on 2100-01-02 00:00 UTC, from a recording of/)
  const rows = out.split('\n').filter((line) => /^ {2}[^\sa-z]/.test(line))
  expect(rows.map((line) => line.trim().replaceAll(/ {2,}/g, ' '))).toEqual([
    expect.stringMatching(/^- ENG devs = member/),
    expect.stringMatching(/^\+ ENG web → guest/),
  ])
  expect(out).toContain('Not of this change: 2 to write, 1 held (--all shows it, with its causes)')
  const all = await planOf(place, '--base-ref', 'main', '--at', '2100-01-02', '--all')
  const causes = all.out
    .split('\n')
    .flatMap((line, index, lines) =>
      line.startsWith('Not of this change') ? [`${line} ${lines[index + 1]?.trim().replaceAll(/ {2,}/g, ' ').slice(0, 24)}`] : [],
    )
  expect(causes).toEqual([
    expect.stringMatching(/^Not of this change: date \(1\) - ENG all = guest/),
    expect.stringMatching(/^Not of this change: directory \(1\) \? ENG lost → guest/),
    expect.stringMatching(/^Not of this change: drift in Plane \(1\) ↓ ENG ops member → guest/),
  ])
  const document = JSON.parse((await planOf(place, '--base-ref', 'main', '-o', 'json')).out) as {
    readonly workspaces: readonly Record<string, { readonly length: number }>[]
  }
  expect(document.workspaces[0]?.changes).toHaveLength(2)
})

test('only what a branch does counts for the exit code; a branch that moves lines changes nothing for anyone', async () => {
  await using place = await openRepository()
  place.git('checkout', '-q', '-b', 'branch')
  await rm(place.path('groups/a.yaml'))
  await place.write(
    'groups/c.yaml',
    '# moved\n' +
      JSON.stringify(rules(['ops', 'guest'], ['devs', 'member'], ['lost', 'guest'], ['all', 'guest', { expires: '2099-12-30' }])),
  )
  for (const base of [
    ['--base-ref', 'main'],
    ['--base-ref', 'refs/heads/main'],
  ]) {
    const { out, code } = await planOf(place, ...base, '--fail-on', 'changes,held,approval')
    expect(code).toBe(0)
    expect(out).toContain('Nothing changes for anyone.')
    expect((await planOf(place, ...base, '-o', 'markdown')).out).toContain('Nothing changes for anyone')
  }
  expect((await planOf(place, '--fail-on', 'held')).code).toBe(2)
})

test('the base is the first parent of a merge, else the merge base; the branch may lack commits', async () => {
  await using place = await openRepository()
  place.git('checkout', '-q', '-b', 'branch')
  await place.write('groups/b.yaml', rules(['web', 'guest']))
  place.git('add', '.')
  place.git('commit', '-q', '-m', 'web')
  place.git('checkout', '-q', 'main')
  await place.write('groups/d.yaml', rules(['all', 'guest', { expires: '2099-12-30' }], ['web', 'member']))
  await rm(place.path('groups/a.yaml'))
  place.git('add', '-A', '.')
  place.git('commit', '-q', '-m', 'main goes on')
  place.git('checkout', '-q', 'branch')
  const behind = await planOf(place, '--base-ref', 'main')
  expect(compact(behind.out)).toMatch(/^What this change does beside main \([0-9a-f]{7}\), of which it lacks 1 commit;/)
  expect(behind.out).toMatch(/\+ ENG {2}web → guest/)
  // As GitHub merges a pull request: the first parent is the branch into which it is merged.
  place.git('checkout', '-q', '--detach', 'main')
  place.git('merge', '-q', '--no-ff', '-m', 'merge', 'branch')
  await rm(place.path('groups/b.yaml'))
  const merged = await planOf(place, '--base-ref', 'main')
  expect(merged.out).toContain('Nothing changes for anyone.')
})

test.each([
  ['a rule that starts in years', ['web', 'member', { starts: '2099-01-01' }], /Later \(1\)[^]*ENG {2}web → member {2}from 2099-01-01/],
  ['a mapping that is named in two rules', ['devs', 'member', { reason: 'again' }], /Nothing changes for anyone/],
] as const)('%s', async (_, row, shown) => {
  await using place = await openRepository()
  await place.write('groups/b.yaml', rules([row[0], row[1], row[2]]))
  expect((await planOf(place, '--base-ref', 'HEAD')).out).toMatch(shown)
})

test('what was undeclared and is declared now stays, and what is unmanaged now is managed no longer', async () => {
  await using place = await openRepository()
  const rows = place.sandbox.state.workspaces.acme?.projectMappings ?? []
  rows.push({ ...(rows[0] as (typeof rows)[number]), id: '7e3c1c52-6a1f-4c8b-9d7e-0f1a2b3c4d5e', idp_group_name: 'web', role: 'admin' })
  expect((await place.run(['record', '--out', 'recording.json'])).code).toBe(0)
  await place.write('groups/b.yaml', rules(['web', 'admin', { allowProtected: true }]))
  const adopted = await planOf(place, '--base-ref', 'HEAD')
  expect(adopted.out).toMatch(/Declared now, by this change \(1, 1 protected\)\n {2}‼ ENG {2}web = admin/)
  await place.write('groups/b.yaml', { version: 1, workspaces: { acme: { unmanaged: [{ group: 'devs' }] } } })
  const before = await place.read('groups/a.yaml')
  await place.write('groups/a.yaml', before.replace('"group": "devs"', '"group": "web"').replace('"role": "member"', '"role": "guest"'))
  const left = await planOf(place, '--base-ref', 'HEAD')
  expect(left.out).toMatch(/No longer managed, by this change: stays as it is \(1\)\n {2}. ENG {2}devs = member/)
})

test('a set of changes that wait is shown whole, since its ID passes all of them', async () => {
  await using place = await openRepository()
  await place.settings({ declaration: 'groups', guards: { creates: { count: 1 } } })
  await place.write('groups/b.yaml', rules(['web', 'guest'], ['x1', 'guest', { unknownGroups: 'send' }]))
  place.git('add', '.')
  place.git('commit', '-q', '-m', 'two creates wait')
  expect((await place.run(['record', '--out', 'recording.json'])).code).toBe(0)
  await place.write('groups/c.yaml', rules(['x2', 'guest', { unknownGroups: 'send' }]))
  const { out, code } = await planOf(place, '--base-ref', 'HEAD')
  expect(code).toBe(3)
  expect(out).toContain('3 changes need approval')
  expect(out).toContain('to approve exactly these 3 changes')
})

test('a branch cannot choose its base: not by a merge of its own, a bare repository among its files, or a link', async () => {
  await using place = await openRepository()
  const old = place.git('rev-parse', 'HEAD').trim()
  await place.write('groups/a.yaml', rules(['ops', 'guest'], ['lost', 'guest'], ['all', 'guest', { expires: '2099-12-30' }]))
  place.git('commit', '-q', '-am', 'main takes devs away')
  // The first parent of this merge is the commit before, and its files are those of that commit.
  const merge = place.git('commit-tree', `${old}^{tree}`, '-p', old, '-p', 'main', '-m', 'Merge main').trim()
  place.git('checkout', '-q', '-b', 'branch')
  place.git('reset', '-q', '--hard', merge)
  const restored = await planOf(place, '--base-ref', 'main')
  expect(restored.out).not.toContain('Nothing changes for anyone')
  expect(restored.out).toContain('devs = member')

  place.git('checkout', '-q', 'main')
  execFileSync('git', ['clone', '-q', '--bare', place.folder, place.path('groups/bare')], { stdio: 'pipe' })
  expect((await planOf(place, '--base-ref', 'main', '--declaration', 'groups/bare')).err).toContain('--base-ref needs a git repository')
  await rm(place.path('groups/bare'), { recursive: true })

  await mkdir(place.path('attic'))
  execFileSync('cp', [place.path('groups/a.yaml'), place.path('attic/a.yaml')])
  await rm(place.path('groups'), { recursive: true })
  await symlink('attic', place.path('groups'))
  for (const base of [
    ['--base-ref', 'main'],
    ['--base', 'attic'],
  ]) {
    const linked = await planOf(place, ...base)
    expect(linked.code).toBe(64)
    expect(linked.err).toMatch(/is behind the link .*groups/)
  }
  const same = await planOf(place, '--declaration', 'attic', '--base', 'attic')
  expect(same.err).toContain('is that of the base')
  expect((await planOf(place, '--declaration', 'attic', '--base', 'none')).err).toContain('--base none: there is no such file or folder')
})

test('an invalid base shows the whole plan, and says so', async () => {
  await using place = await openRepository()
  await place.write('base.yaml', 'version: 1\nworkspaces: [')
  const { out } = await planOf(place, '--base', 'base.yaml')
  expect(compact(out)).toMatch(/^The files of the base base\.yaml are invalid, so this is the whole plan; from a recording/)
  expect(out).toMatch(/↓ ENG {2}ops/)
})

test('git executes nothing of the repository, and a link of the base leads to no other file', async () => {
  await using place = await openRepository()
  await place.write('evil.sh', `#!/bin/sh\ntouch ${place.path('executed')}\n`)
  execFileSync('chmod', ['755', place.path('evil.sh')])
  await place.write('.gitattributes', '*.yaml filter=evil diff=evil\n')
  await symlink('/etc/passwd', place.path('groups/z.yaml'))
  place.git('add', '-A', '.')
  place.git('commit', '-q', '-m', 'traps')
  for (const [name, value] of [
    ['filter.evil.smudge', place.path('evil.sh')],
    ['diff.evil.textconv', place.path('evil.sh')],
    ['core.fsmonitor', place.path('evil.sh')],
    ['core.hooksPath', place.folder],
  ] as const)
    place.git('config', name, value)
  await rm(place.path('groups/z.yaml'))
  const { out, err } = await planOf(place, '--base-ref', 'HEAD')
  expect(`${out}${err}`).not.toContain('root:')
  await expect(place.read('executed')).rejects.toThrow('ENOENT')
})

test.each([
  [['--base-ref', 'origin/none'], 'the clone lacks it: fetch it before'],
  [['--base-ref=--output=x'], '--base-ref --output=x'],
  [['--base-ref', 'main', '--base', 'groups'], '--base and --base-ref both name the base'],
  [['--at', '2027-02-31'], '--at takes a day or a moment in UTC'],
  [['--at', 'tomorrow'], '--at takes a day or a moment in UTC'],
])('plan --recorded with %j is a mistake of the command line', async (args, sentence) => {
  await using place = await openRepository()
  const { code, err, out } = await planOf(place, ...args)
  expect({ code, out }).toEqual({ code: 64, out: '' })
  expect(err).toContain(sentence)
})

test('outside of a repository --base-ref says what works', async () => {
  await using place = await openRepository()
  await rm(place.path('.git'), { recursive: true })
  const { code, err } = await planOf(place, '--base-ref', 'main')
  expect(code).toBe(64)
  expect(err).toContain('name the declaration of the base with --base instead')
})
