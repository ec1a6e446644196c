import { lstat, mkdir, mkdtemp, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { visible } from '../core/safeName.ts'
import { type Git, gitIn, linkMode, type TreeEntry, treeOf } from '../files/git.ts'
import type { BaseView } from '../render/view.ts'
import type { Environment } from '../settings/load.ts'
import { type Call, type Terminal, text, UsageError } from './command.ts'

/** What a plan is compared with. `place`: its declaration. */
type Base = BaseView & AsyncDisposable & { readonly place: string }

/**
 * The base that `--base` or `--base-ref` names; undefined if there is none.
 *
 * @param place the declaration that is compared with it
 * @throws {UsageError}
 */
export async function openBase(
  values: Call['values'],
  place: string,
  { env }: Pick<Terminal, 'env'>,
  signal: AbortSignal,
): Promise<Base | undefined> {
  const [named, ref] = [text(values.base), text(values['base-ref'])]
  if (named !== undefined && ref !== undefined) throw new UsageError('--base and --base-ref both name the base: give one of them')
  if (named === undefined && ref === undefined) return undefined
  await requireOwnFiles(place)
  if (ref !== undefined) return openBaseTree(ref, place, env, signal)
  const base = named as string
  await requireOtherFiles(place, base)
  return { name: base, behind: 0, invalid: false, place: base, async [Symbol.asyncDispose]() {} }
}

/** A branch may make its declaration, or a folder above it, a link that leads to the base, which would then be compared with itself. */
async function requireOwnFiles(place: string): Promise<void> {
  const below = relative('', resolve(place))
  const isBelow = below !== '' && !below.startsWith('..') && !isAbsolute(below)
  const names = isBelow ? below.split(sep) : [basename(resolve(place))]
  const root = isBelow ? resolve('') : dirname(resolve(place))
  for (const index of names.keys()) {
    const path = join(root, names.slice(0, index + 1).join(sep))
    const stats = await lstat(path).catch(() => undefined)
    if (stats?.isSymbolicLink() === true) throw notCompared(place, `is behind the link ${visible(path)}`)
  }
}

async function requireOtherFiles(place: string, base: string): Promise<void> {
  const real = await realpath(base).catch(() => {
    throw new UsageError(`--base ${visible(base)}: there is no such file or folder`)
  })
  const own = await realpath(place).catch(() => place)
  if (own === real || own.startsWith(`${real}${sep}`)) throw notCompared(place, 'is that of the base')
}

const notCompared = (place: string, why: string): UsageError =>
  new UsageError(`the declaration ${visible(place)} ${why}`, { cure: 'compare files of the branch itself, without links' })

/**
 * Reads the declaration as the base of the present commit has it, from the objects of the local repository: no checkout, hook, filter or fetch.
 *
 * @param ref a branch, tag or commit: `origin/main`
 * @param place the file or folder of the declaration in the work tree
 * @throws {UsageError} if there is no repository, no such ref, or no common commit
 */
async function openBaseTree(ref: string, place: string, env: Environment, signal: AbortSignal): Promise<Base> {
  const named = resolve(place)
  const isFolder = await stat(named).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
  const refused = noRepository(place)
  const git = gitIn(isFolder ? named : dirname(named), env, bytesMax, signal)
  const prefix = (await git(['rev-parse', '--show-prefix'], refused)).toString().replace(/\n$/, '')
  const path = isFolder ? prefix.replace(/\/$/, '') : `${prefix}${basename(named)}`
  const { commit, behind } = await baseOf(ref, git)
  const folder = await mkdtemp(join(tmpdir(), 'plane-group-sync-base-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const target = join(folder, 'declaration')
    await writeTree(await filesIn(commit, path, git), path, target, git)
    return { name: `${ref} (${commit.slice(0, 7)})`, behind, invalid: false, place: target, [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw error
  }
}

const noRepository = (place: string) => (why: string) =>
  new UsageError(`--base-ref needs a git repository around ${visible(place)}: ${why}`, {
    cure: 'name the declaration of the base with --base instead',
  })

const missing = (what: string) => (why: string) =>
  new UsageError(`--base-ref ${what}: ${why}`, {
    cure: 'the clone lacks it: fetch it before (actions/checkout: fetch-depth: 0; GitLab: GIT_DEPTH: "0")',
  })

const bytesMax = 256 * 1024 * 1024

/** Of a merge into the ref, as a platform makes it for a pull request, the merge base is its first parent. */
async function baseOf(ref: string, git: Git): Promise<{ readonly commit: string; readonly behind: number }> {
  const idOf = async (name: string) =>
    (
      await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`], () =>
        missing(visible(ref))('there is no such branch, tag or commit'),
      )
    )
      .toString()
      .trim()
  const [head, tip] = [await idOf('HEAD'), await idOf(ref)]
  const unrelated = () => missing(visible(ref))('it has no commit in common with the present one')
  const base = (await git(['merge-base', head, tip], unrelated)).toString().trim()
  return { commit: base, behind: await countOf(`${head}..${tip}`, git) }
}

const countOf = async (range: string, git: Git): Promise<number> =>
  Number((await git(['rev-list', '--count', range], missing(range))).toString().trim())

/** The files below a path, without submodules. */
const filesIn = async (commit: string, path: string, git: Git): Promise<readonly TreeEntry[]> =>
  (await treeOf(commit, path, git, missing(commit))).filter(({ type }) => type === 'blob')

/** The bytes of each object, as they are stored: no filter changes them. */
async function blobsOf(entries: readonly TreeEntry[], git: Git): Promise<readonly Buffer[]> {
  if (entries.length === 0) return []
  const names = entries.map(({ object }) => `${object}\n`).join('')
  const all = await git(['cat-file', '--batch'], missing('objects'), names)
  let at = 0
  return entries.map(({ object }) => {
    const line = all.subarray(at, all.indexOf('\n', at)).toString()
    const size = Number(/ blob (\d+)$/.exec(line)?.[1] ?? Number.NaN)
    if (Number.isNaN(size)) throw missing(object)('this object is not in the clone')
    const begin = at + Buffer.byteLength(line) + 1
    at = begin + size + 1
    return all.subarray(begin, begin + size)
  })
}

/** Writes the entries below `root` to `target`. Links stay links: the reader of a declaration decides which of them it follows. */
async function writeTree(entries: readonly TreeEntry[], root: string, target: string, git: Git): Promise<void> {
  const contents = await blobsOf(entries, git)
  for (const [index, { mode, path }] of entries.entries()) {
    const content = contents[index] as Buffer
    const file = path === root ? target : join(target, path.slice(root === '' ? 0 : root.length + 1))
    await mkdir(dirname(file), { recursive: true })
    if (mode === linkMode) await symlink(content.toString(), file)
    else await writeFile(file, content, { mode: 0o600 })
  }
}
