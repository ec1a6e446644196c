import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Revision } from '../../src/core/revision.ts'
import { readFiles } from '../../src/declaration/files.ts'
import { loadDeclaration } from '../../src/declaration/load.ts'
import { type RevisionKnown, readAtRevision } from '../../src/declaration/revision.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'revision-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const { signal } = new AbortController()
const context = { workspaces: ['acme'], directories: [], defaults: { unknownGroups: 'hold', unknownProjects: 'hold' } } as const
const file = (group: string) => `version: 1\nworkspaces:\n  acme:\n    workspaceRoles:\n      - { group: ${group}, role: member }\n`
const env = () => ({ PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1' })

const at = (...names: readonly string[]) => join(folder, ...names)

async function write(files: Readonly<Record<string, string>>, below = folder): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(below, name, '..'), { recursive: true })
    await writeFile(join(below, name), text)
  }
}

function git(cwd: string, ...args: readonly string[]): string {
  const safe = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'protocol.file.allow=always', '-c', 'core.hooksPath=/dev/null']
  return execFileSync('git', [...safe, ...args], { cwd, env: env(), stdio: 'pipe' })
    .toString()
    .trim()
}

/** A repository with the declaration in the folder `groups`, and its first commit. */
async function repository(options: readonly string[] = [], below = at('repo')): Promise<string> {
  await write({ 'groups/a.yaml': file('a'), 'groups/teams/b.yml': file('b'), 'README.md': 'x' }, below)
  git(below, 'init', '-q', '-b', 'main', ...options)
  return commit(below)
}

function commit(repo = at('repo')): string {
  git(repo, 'add', '-A')
  git(repo, 'commit', '-q', '--allow-empty', '-m', 'edit')
  return git(repo, 'rev-parse', 'HEAD')
}

async function revisionOf(place: string, known: RevisionKnown = { env: env() }): Promise<Revision | undefined> {
  const loaded = await loadDeclaration(place, { ...context, revision: known }, signal)
  return loaded.valid ? loaded.revision : expect.unreachable(loaded.text)
}

const committed = (id: string) => ({ kind: 'commit', id })
const edited = (id: string) => ({ kind: 'editedAfter', id })
const said = (id: string, by: '.revision' | 'link' = '.revision') => ({ kind: 'said', id, by })

describe('a declaration in a repository', () => {
  test('is the commit of HEAD, also as the whole repository and as one file', async () => {
    const id = await repository()
    expect(await revisionOf(at('repo/groups'))).toEqual(committed(id))
    expect(await revisionOf(at('repo'))).toEqual(committed(id))
    expect(await revisionOf(at('repo/groups/a.yaml'))).toEqual(committed(id))
  })

  test.each([
    ['an edited file', () => write({ 'repo/groups/a.yaml': file('c') })],
    ['a file that is not in the commit', () => write({ 'repo/groups/c.yaml': file('c') })],
    ['a file that is gone', () => unlink(at('repo/groups/teams/b.yml'))],
    ['a file with another name', () => rename(at('repo/groups/a.yaml'), at('repo/groups/c.yaml'))],
    [
      'a file that is added to the index only',
      async () => {
        await write({ 'repo/groups/a.yaml': file('c') })
        git(at('repo'), 'add', '-A')
      },
    ],
  ])('is edited after the commit: %s', async (_, edit) => {
    const id = await repository()
    await edit()
    expect(await revisionOf(at('repo/groups'))).toEqual(edited(id))
    expect(await revisionOf(at('repo'))).toEqual(edited(id))
  })

  test('is the commit, whatever happened to files that the declaration does not read', async () => {
    const id = await repository()
    await write({ 'repo/README.md': 'y', 'repo/groups/notes.txt': 'x', 'repo/groups/.hidden.yaml': 'x', 'repo/groups/.old/a.yaml': 'x' })
    expect(await revisionOf(at('repo/groups'))).toEqual(committed(id))
    await write({ 'repo/other/c.yaml': file('c') })
    expect(await revisionOf(at('repo/groups'))).toEqual(committed(id))
  })

  test('is not that of a repository that has none of its files, or has no commit', async () => {
    await repository()
    await write({ 'repo/.gitignore': 'built\n', 'repo/built/a.yaml': file('a') })
    expect(await revisionOf(at('repo/built'))).toBeUndefined()
    await write({ 'empty/a.yaml': file('a'), 'empty/.revision': '4f2c91e\n' })
    git(at('empty'), 'init', '-q')
    expect(await revisionOf(at('empty'))).toEqual(said('4f2c91e'))
  })

  test('is known with a detached HEAD, packed refs, and in a repository with SHA-256', async () => {
    const first = await repository()
    await write({ 'repo/groups/a.yaml': file('c') })
    commit()
    git(at('repo'), 'checkout', '-q', '--detach', first)
    expect(await revisionOf(at('repo/groups'))).toEqual(committed(first))
    git(at('repo'), 'checkout', '-q', 'main')
    git(at('repo'), 'pack-refs', '--all')
    git(at('repo'), 'gc', '-q')
    expect(await revisionOf(at('repo/groups'))).toEqual(committed(git(at('repo'), 'rev-parse', 'HEAD')))
    const long = await repository(['--object-format=sha256'], at('long'))
    expect(long).toHaveLength(64)
    expect(await revisionOf(at('long/groups'))).toEqual(committed(long))
    await write({ 'long/groups/a.yaml': file('c') })
    expect(await revisionOf(at('long/groups'))).toEqual(edited(long))
  })

  test.each(['sha1', 'sha256'])('is no commit whose id, or that of a folder in it, has another content in .git (%s)', async (format) => {
    const first = await repository([`--object-format=${format}`])
    await write({ 'repo/groups/teams/b.yml': file('c') })
    const second = commit()
    git(at('repo'), 'reset', '-q', '--soft', first)
    for (const forged of ['', '^{tree}', ':groups', ':groups/teams']) {
      const [to, from] = [first, second].map((id) => git(at('repo'), 'rev-parse', `${id}${forged}`))
      const [path, source] = [to, from].map((id = '') => at('repo/.git/objects', id.slice(0, 2), id.slice(2))) as [string, string]
      const known = await readFile(path)
      await rm(path)
      await writeFile(path, await readFile(source))
      // git checks the commit and its root. Of a folder it lists what `.git` has under its id.
      const listed = () => git(at('repo'), 'ls-tree', '-r', first)
      if (forged.startsWith(':')) expect(listed()).toContain(git(at('repo'), 'hash-object', 'groups/teams/b.yml'))
      expect([forged, await revisionOf(at('repo/groups'))]).toEqual([forged, undefined])
      await rm(path)
      await writeFile(path, known)
    }
    expect(await revisionOf(at('repo/groups'))).toEqual(edited(first))
  })

  test('is known in a worktree, a shallow clone, and a submodule', async () => {
    const first = await repository()
    await write({ 'repo/groups/a.yaml': file('c') })
    const second = commit()
    git(at('repo'), 'worktree', 'add', '-q', '--detach', at('tree'), first)
    expect(await revisionOf(at('tree/groups'))).toEqual(committed(first))
    git(folder, 'clone', '-q', '--depth', '1', `file://${at('repo')}`, at('shallow'))
    expect(await revisionOf(at('shallow/groups'))).toEqual(committed(second))
    const outer = await repository([], at('outer'))
    git(at('outer'), 'submodule', '--quiet', 'add', at('repo'), 'inner')
    expect(commit(at('outer'))).not.toBe(outer)
    expect(await revisionOf(at('outer/inner/groups'))).toEqual(committed(second))
    // The commit of the outer repository has an id instead of these files.
    expect(await revisionOf(at('outer'))).toBeUndefined()
  })

  test('counts its links: as they are in the commit, and led elsewhere', async () => {
    await repository()
    await write({ 'repo/groups/.shared/c.yaml': file('c'), 'repo/groups/.shared/d.yaml': file('d'), 'repo/groups/.more/e.yaml': file('e') })
    await symlink('.shared/c.yaml', at('repo/groups/c.yaml'))
    await symlink('.more', at('repo/groups/more'))
    const id = commit()
    expect(await revisionOf(at('repo/groups'))).toEqual(committed(id))
    const lead = async (target: string, name: string) => {
      await rm(at('repo/groups', name))
      await symlink(target, at('repo/groups', name))
    }
    await lead('.shared/d.yaml', 'c.yaml')
    expect(await revisionOf(at('repo/groups'))).toEqual(edited(id))
    await lead('.shared/c.yaml', 'c.yaml')
    await rm(at('repo/groups/more'))
    expect(await revisionOf(at('repo/groups'))).toEqual(edited(id))
    await symlink('.more', at('repo/groups/more'))
    expect(await revisionOf(at('repo/groups'))).toEqual(committed(id))
    await symlink('.shared/d.yaml', at('repo/groups/z.yaml'))
    expect(await revisionOf(at('repo/groups'))).toEqual(edited(id))
  })

  test('has a `.git` file that leads elsewhere: the other repository is compared', async () => {
    const id = await repository()
    await write({ 'copy/groups/a.yaml': file('a'), 'copy/groups/teams/b.yml': file('b'), 'copy/.git': 'gitdir: ../repo/.git\n' })
    expect(await revisionOf(at('copy/groups'))).toEqual(committed(id))
    await write({ 'copy/groups/a.yaml': file('c') })
    expect(await revisionOf(at('copy/groups'))).toEqual(edited(id))
    await write({ 'copy/.git': 'gitdir: /nowhere\n' })
    expect(await revisionOf(at('copy/groups'))).toBeUndefined()
    await write({ 'copy/.git': 'x'.repeat(100_000) })
    expect(await revisionOf(at('copy/groups'))).toBeUndefined()
  })

  test('runs nothing that the repository names, and does not believe variables of a hook', async () => {
    const id = await repository()
    await write({ 'repo/run.sh': `#!/bin/sh\ntouch ${at('ran')}\n`, 'other/a.yaml': file('z') })
    await chmod(at('repo/run.sh'), 0o755)
    git(at('other'), 'init', '-q')
    commit(at('other'))
    const run = at('repo/run.sh')
    const hostile = `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = ${run}\n\thooksPath = ${folder}\n\tpager = ${run}\n\tsshCommand = ${run}\n[diff]\n\texternal = ${run}\n[alias]\n\tls-tree = !${run}\n\trev-parse = !${run}\n[filter "x"]\n\tclean = ${run}\n\tsmudge = ${run}\n`
    await write({
      'repo/.git/config': hostile,
      'repo/.git/info/attributes': '* filter=x\n',
      'repo/.git/hooks/post-index-change': await readFile(run, 'utf8'),
    })
    await chmod(at('repo/.git/hooks/post-index-change'), 0o755)
    const inHook = { ...env(), GIT_DIR: at('other/.git'), GIT_WORK_TREE: at('other') }
    expect(await revisionOf(at('repo/groups'), { env: inHook })).toEqual(committed(id))
    await expect(readFile(at('ran'))).rejects.toThrow('ENOENT')
  })

  test('a repository of another account is not believed', async () => {
    await repository()
    await write({ 'repo/groups/.revision': '4f2c91e\n' })
    // With this variable git takes the repository as one of another account.
    const foreign = { ...env(), GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' }
    expect(await revisionOf(at('repo/groups'), { env: foreign })).toEqual(said('4f2c91e'))
  })

  test('without git, and with a git that does not answer or answers without end, the file counts', async () => {
    const id = await repository()
    await write({ 'repo/groups/.revision': '4f2c91e\n', 'slow/git': '#!/bin/sh\nexec sleep 60\n', 'endless/git': '#!/bin/sh\nexec yes\n' })
    for (const name of ['slow', 'endless']) await chmod(at(name, 'git'), 0o755)
    expect(await revisionOf(at('repo/groups'))).toEqual(committed(id))
    expect(await revisionOf(at('repo/groups'), { env: { PATH: at('nothing') } })).toEqual(said('4f2c91e'))
    const began = performance.now()
    expect(await revisionOf(at('repo/groups'), { env: { PATH: `${at('slow')}:/usr/bin:/bin` } })).toEqual(said('4f2c91e'))
    expect(performance.now() - began).toBeLessThan(4_000)
    expect(await revisionOf(at('repo/groups'), { env: { PATH: `${at('endless')}:/usr/bin:/bin` } })).toEqual(said('4f2c91e'))
  })

  test('has no commit while a file is invalid, since another text is used', async () => {
    await repository()
    const texts = { lastValid: new Map<string, Uint8Array>() }
    const known = { env: env() }
    const load = () => loadDeclaration(at('repo/groups'), { ...context, texts, revision: known }, signal)
    expect(await load()).toMatchObject({ revision: { kind: 'commit' } })
    await write({ 'repo/groups/a.yaml': 'version: 2\n' })
    commit()
    const now = await load()
    expect(now).toMatchObject({ valid: true, kept: [{ file: 'a.yaml', isUsed: true }] })
    expect(now).not.toHaveProperty('revision')
  })
})

describe('git is asked again', () => {
  /** A git that counts its calls. */
  async function counting(): Promise<{ readonly env: RevisionKnown['env']; count(): Promise<number> }> {
    await write({ 'counting/git': `#!/bin/sh\necho x >> ${at('calls')}\nexec /usr/bin/git "$@"\n` })
    await chmod(at('counting/git'), 0o755)
    return {
      env: { ...env(), PATH: `${at('counting')}:/usr/bin:/bin` },
      count: async () => (await readFile(at('calls'), 'utf8').catch(() => '')).split('x').length - 1,
    }
  }

  test('only if the text or HEAD has changed', async () => {
    const first = await repository()
    const git = await counting()
    const known = { env: git.env }
    expect(await revisionOf(at('repo/groups'), known)).toEqual(committed(first))
    const calls = await git.count()
    expect(calls).toBeGreaterThan(0)
    for (let cycle = 0; cycle < 5; cycle++) expect(await revisionOf(at('repo/groups'), known)).toEqual(committed(first))
    expect(await git.count()).toBe(calls)
    await write({ 'repo/groups/a.yaml': file('c') })
    expect(await revisionOf(at('repo/groups'), known)).toEqual(edited(first))
    const second = commit()
    expect(await revisionOf(at('repo/groups'), known)).toEqual(committed(second))
    expect(await revisionOf(at('repo/groups'), known)).toEqual(committed(second))
    expect(await git.count()).toBe(3 * calls)
  })

  test('after it did not answer in time', async () => {
    const id = await repository()
    await write({
      'repo/groups/.revision': '4f2c91e\n',
      'slow/git': `#!/bin/sh\n[ -e ${at('isSlow')} ] && exec sleep 60\nexec /usr/bin/git "$@"\n`,
      isSlow: '',
    })
    await chmod(at('slow/git'), 0o755)
    const known = { env: { ...env(), PATH: `${at('slow')}:/usr/bin:/bin` } }
    expect(await revisionOf(at('repo/groups'), known)).toEqual(said('4f2c91e'))
    await unlink(at('isSlow'))
    expect(await revisionOf(at('repo/groups'), known)).toEqual(committed(id))
    await write({ isSlow: '' })
    expect(await revisionOf(at('repo/groups'), known)).toEqual(committed(id))
  })

  test('never without a repository', async () => {
    await write({ 'plain/a.yaml': file('a') })
    const git = await counting()
    expect(await revisionOf(at('plain'), { env: git.env })).toBeUndefined()
    expect(await git.count()).toBe(0)
  })
})

/** What git-sync 4 makes: a worktree of each commit, a relative link to it, and relative places in its files. */
async function gitSync(link = 'current') {
  await repository([], at('origin'))
  git(folder, 'clone', '-q', '--no-checkout', at('origin'), at('git'))
  const bring = async () => {
    const id = git(at('origin'), 'rev-parse', 'HEAD')
    git(at('git'), 'fetch', '-q', 'origin')
    git(at('git'), 'worktree', 'add', '-q', '--force', '--detach', at('git/.worktrees', id), id)
    await write({ [`git/.worktrees/${id}/.git`]: `gitdir: ../../.git/worktrees/${id}\n` })
    await symlink(`.worktrees/${id}`, at('git/tmp-link'))
    await rename(at('git/tmp-link'), at('git', link))
    return id
  }
  const edit = async () => {
    await write({ 'origin/groups/a.yaml': file(`n${Math.random()}`.replace('.', '')) })
    commit(at('origin'))
  }
  return { bring, edit, first: await bring() }
}

describe('behind the link of git-sync', () => {
  const noGit = () => ({ env: { PATH: at('nothing') } })

  test('the link names the commit where there is no git, and git compares where there is one', async () => {
    const { bring, edit, first } = await gitSync()
    await write({ [`git/.worktrees/${first}/groups/.revision`]: '1234567\n' })
    expect(await revisionOf(at('git/current/groups'), noGit())).toEqual(said(first, 'link'))
    expect(await revisionOf(at('git/current/groups/a.yaml'), noGit())).toEqual(said(first, 'link'))
    expect(await revisionOf(at('git/current'))).toEqual(committed(first))
    const known = { env: env() }
    expect(await revisionOf(at('git/current/groups'), known)).toEqual(committed(first))
    await edit()
    const second = await bring()
    expect(await revisionOf(at('git/current/groups'), known)).toEqual(committed(second))
    await write({ [`git/.worktrees/${second}/groups/a.yaml`]: file('x') })
    expect(await revisionOf(at('git/current/groups'), known)).toEqual(edited(second))
  })

  test('git-sync 3 has the worktree beside the link; another link with such a name is none of git-sync', async () => {
    const id = '4f2c91e0'.repeat(5)
    await write({ [`root/${id}/a.yaml`]: file('a'), [`store/${id}/a.yaml`]: file('a'), 'plain/a.yaml': file('a') })
    await symlink(id, at('root/current'))
    await symlink(`store/${id}`, at('stored'))
    await symlink('plain', at(id))
    expect(await revisionOf(at('root/current'))).toEqual(said(id, 'link'))
    expect(await revisionOf(at('stored'))).toBeUndefined()
    expect(await revisionOf(at(id))).toBeUndefined()
  })

  test('a link that is swapped while the files are read names no commit, and the next reading names it', async () => {
    const { bring, edit } = await gitSync()
    for (const make of [noGit, () => ({ env: env() })]) {
      await edit()
      const known = make()
      let swapped = ''
      const reading = async () => {
        const files = await readFiles(at('git/current/groups'), { pauseMs: 1, signal })
        swapped = await bring()
        return files
      }
      const read = await readAtRevision(at('git/current/groups'), reading, known, signal)
      expect(read.files.files).toHaveLength(2)
      expect(read).not.toHaveProperty('revision')
      expect(await revisionOf(at('git/current/groups'), known)).toMatchObject({ id: swapped })
    }
  })
})

describe('the file .revision', () => {
  test.each([
    ['4f2c91e', '4f2c91e'],
    ['4f2c91e\n', '4f2c91e'],
    ['4f2c91e \r\nmore\n', '4f2c91e'],
    [`${'ab'.repeat(32)}\n`, 'ab'.repeat(32)],
    ['', undefined],
    ['\n4f2c91e\n', undefined],
    ['4f2c91', undefined],
    [`${'ab'.repeat(32)}c\n`, undefined],
    ['4F2C91E\n', undefined],
    ['main\n', undefined],
    ['4f2c91e by Eve\n', undefined],
    [`4f2c91e\n${'x'.repeat(2_000)}`, undefined],
  ])('%j says %j', async (text, id) => {
    await write({ 'groups/a.yaml': file('a'), 'groups/.revision': text })
    const expected = id === undefined ? undefined : said(id)
    expect(await revisionOf(at('groups'))).toEqual(expected)
    expect(await revisionOf(at('groups/a.yaml'))).toEqual(expected)
  })

  test('is a file in the folder: no folder, no pipe, and no link that leads out of it', async () => {
    await write({ 'groups/a.yaml': file('a'), secret: `${'ab'.repeat(16)}\n`, 'groups/.deep/id': '4f2c91e\n' })
    const path = at('groups/.revision')
    for (const target of ['/etc/passwd', '../secret', '/dev/zero', '.revision', '.deep']) {
      await symlink(target, path)
      expect(await revisionOf(at('groups'))).toBeUndefined()
      await unlink(path)
    }
    execFileSync('mkfifo', [path])
    expect(await revisionOf(at('groups'))).toBeUndefined()
    await unlink(path)
    await symlink('.deep/id', path)
    expect(await revisionOf(at('groups'))).toEqual(said('4f2c91e'))
  })

  test('of a ConfigMap is read as the kubelet brings it, and an edit of it alone counts', async () => {
    const bring = async (name: string, id: string) => {
      await write({ [`groups/${name}/a.yaml`]: file('a'), [`groups/${name}/.revision`]: id })
      await symlink(name, at('groups/..tmp'))
      await rename(at('groups/..tmp'), at('groups/..data'))
    }
    await bring('..1', '1111111')
    await symlink('..data/a.yaml', at('groups/a.yaml'))
    await symlink('..data/.revision', at('groups/.revision'))
    const known = { env: env() }
    expect(await revisionOf(at('groups'), known)).toEqual(said('1111111'))
    await bring('..2', '2222222')
    expect(await revisionOf(at('groups'), known)).toEqual(said('2222222'))
  })
})
