import { readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { Revision } from '../core/revision.ts'
import { gitIn, linkMode, objectId, provenTreeOf, type TreeEntry } from '../files/git.ts'
import { readBounded } from '../files/read.ts'
import { type DeclarationFileBytes, walkBounds } from './files.ts'

type Environment = Readonly<Record<string, string | undefined>>

const timeoutMs = 2_000
/** A declaration may stand beside 20,000 other files. */
const bytesMax = 16 * 1024 * 1024

/**
 * The commit of HEAD, and whether the text of the declaration is that of the commit. Undefined if git does not know: there is no repository or no git, the
 * repository belongs to another account, it has none of these files, or the commit or a folder in it has not the content of its id. `late`: git did not answer
 * within two seconds, and may do so at another time.
 */
export async function committedRevision(
  place: string,
  files: readonly DeclarationFileBytes[],
  isFolder: boolean,
  env: Environment,
  signal: AbortSignal,
): Promise<Revision | 'late' | undefined> {
  const deadline = AbortSignal.timeout(timeoutMs)
  try {
    const real = await realpath(place)
    const git = gitIn(isFolder ? real : dirname(real), withoutRepository(env), bytesMax, AbortSignal.any([signal, deadline]))
    const prefix = lineOf(await git(['rev-parse', '--show-prefix'], failed))
    const id = lineOf(await git(['rev-parse', '--verify', '--quiet', '--end-of-options', 'HEAD^{commit}'], failed))
    const path = isFolder ? prefix.replace(/\/$/, '') : `${prefix}${basename(real)}`
    const isSame = await isAsIn(await provenTreeOf(id, path, git, failed), path, files, { real, isFolder })
    return isSame === undefined ? undefined : { kind: isSame ? 'commit' : 'editedAfter', id }
  } catch {
    signal.throwIfAborted()
    return deadline.aborted ? 'late' : undefined
  }
}

/** A hook of git sets these, and they would name another repository than the one around the declaration. */
const withoutRepository = (env: Environment) => ({ ...env, GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_COMMON_DIR: undefined })

const failed = (why: string): Error => new Error(why)
const lineOf = (out: Buffer): string => out.toString().replace(/\n$/, '')

/**
 * Whether the files that were read are those of a commit, byte by byte. What the declaration does not read does not count. Undefined: the commit has none of the
 * files, or some of them belong to a submodule.
 *
 * @param path of the declaration in the commit
 */
async function isAsIn(
  tree: readonly TreeEntry[],
  path: string,
  files: readonly DeclarationFileBytes[],
  { real, isFolder }: { readonly real: string; readonly isFolder: boolean },
): Promise<boolean | undefined> {
  const below = (name: string) => (path === '' ? name : name === '' ? path : `${path}/${name}`)
  const nameIn = (entry: TreeEntry) => entry.path.slice(path === '' ? 0 : path.length + 1)
  const entries = new Map(tree.map((entry) => [entry.path, entry]))
  const isDeclared = (entry: TreeEntry) => {
    const name = nameIn(entry)
    return !isFolder || (!name.split('/').some((part) => part.startsWith('.')) && (walkBounds.accepts(name) || entry.mode === linkMode))
  }
  const declared = tree.filter((entry) => entry.type === 'blob' && isDeclared(entry))
  if (!declared.some(({ mode }) => mode !== linkMode)) return undefined

  const read = new Set<string>()
  for (const { file, bytes } of files) {
    const isAt = isFolder ? relative(real, await realpath(join(real, file))).replaceAll(sep, '/') : ''
    const name = below(isAt)
    if (above(name).some((folder) => entries.get(folder)?.type === 'commit')) return undefined
    const entry = entries.get(name)
    if (entry === undefined || entry.object !== objectId('blob', bytes, entry.object)) return false
    // The path has a link, which has to be one of the commit.
    if (isFolder && isAt !== file && ![...above(below(file)), below(file)].some((part) => entries.get(part)?.mode === linkMode))
      return false
    read.add(name)
  }
  for (const entry of declared) {
    const isUnchanged = entry.mode === linkMode ? await isLink(join(real, nameIn(entry)), entry) : read.has(entry.path)
    if (!isUnchanged) return false
  }
  return true
}

async function isLink(path: string, { object }: TreeEntry): Promise<boolean> {
  const target = await readlink(path, 'buffer').catch(() => undefined)
  return target !== undefined && objectId('blob', target, object) === object
}

/** The folders above a path of a commit. */
const above = (name: string): readonly string[] => {
  const parts = name.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}

/** Files of a repository of which one changes with each commit, checkout and reset. */
const stamped = ['HEAD', 'logs/HEAD', 'index']

/** A text that changes when HEAD of the repository around a folder has another commit; undefined without a repository. Runs nothing. */
export async function gitStamps(folder: string, signal: AbortSignal): Promise<string | undefined> {
  const gitFolder = await gitFolderOf(folder, signal)
  if (gitFolder === undefined) return undefined
  const stamps = stamped.map((name) =>
    stat(join(gitFolder, name)).then(
      ({ ino, size, mtimeMs, ctimeMs }) => [ino, size, mtimeMs, ctimeMs].join(' '),
      () => '',
    ),
  )
  return [gitFolder, ...(await Promise.all(stamps))].join('\n')
}

async function gitFolderOf(folder: string, signal: AbortSignal): Promise<string | undefined> {
  const start = await realpath(folder).catch(() => undefined)
  if (start === undefined) return undefined
  for (let at = start; ; at = dirname(at)) {
    const path = join(at, '.git')
    const stats = await stat(path).catch(() => undefined)
    if (stats?.isDirectory() === true) return path
    if (stats?.isFile() === true) {
      const read = await readBounded(path, { bytesMax: 4_096 }, signal)
      const target = 'why' in read ? undefined : /^gitdir: (.+)/.exec(read.bytes.toString())?.[1]
      return target === undefined ? undefined : resolve(at, target)
    }
    if (at === dirname(at)) return undefined
  }
}
