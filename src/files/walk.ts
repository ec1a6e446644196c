import type { Dirent } from 'node:fs'
import { opendir, readlink, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { by } from '../core/compare.ts'
import { errnoText } from './errno.ts'

/** A file that was found. `file`: its path from the folder, with `/`. `path`: its real path, without links. */
export type FoundFile = { readonly file: string; readonly path: string }

/** Why a part of a folder cannot be read. `file` is named as in `FoundFile`. */
type Obstacle = {
  readonly file: string
  readonly why: string
  readonly cure?: string
  /** The owner who has too many files or folders. The rest of them was not looked for. */
  readonly owner?: string
  /** The walk ended here. No other file was looked for. */
  readonly isEnd?: true
}

type Walked = { readonly files: readonly FoundFile[]; readonly obstacles: readonly Obstacle[] }

type WalkBounds = {
  /** Whether a file of this name is wanted. */
  readonly accepts: (name: string) => boolean
  readonly filesMax: number
  /** Names in all folders together, wanted or not. */
  readonly entriesMax: number
  readonly depthMax: number
  /** The owners of files and folders. What an owner has counts towards these bounds, and not towards those above. */
  readonly owners?: { readonly ownerOf: (file: string) => string | undefined; readonly filesMax: number; readonly entriesMax: number }
  /** Whether a link is an obstacle, unless it is one of the links that the kubelet makes for a volume. */
  readonly refusesLinks?: boolean
}

/**
 * Finds the files of a folder and its subfolders, sorted by name. Names that begin with a dot are skipped. Links are followed if they stay
 * within the real path of the folder. Each file and folder is reached at most once. Nothing outside the folder is opened.
 *
 * @throws the reason of `signal`, and errors of the file system about `path` itself
 */
export async function walkFolder(path: string, bounds: WalkBounds, signal: AbortSignal): Promise<Walked> {
  const real = await realpath(path)
  const walk: Walk = { ...bounds, root: real, files: [], obstacles: [], reached: new Map([[real, path]]), counts: new Map(), signal }
  await enter(walk, { file: '', path: real, depth: 1 })
  return { files: walk.files.toSorted(by(({ file }) => file)), obstacles: walk.obstacles }
}

type Walk = WalkBounds & {
  readonly root: string
  readonly files: FoundFile[]
  readonly obstacles: Obstacle[]
  /** Real path → the path by which it was reached. */
  readonly reached: Map<string, string>
  /** Owner → what was found of it so far. Undefined: of no owner. */
  readonly counts: Map<string | undefined, { files: number; entries: number; isFull: boolean }>
  readonly signal: AbortSignal
}
type Folder = FoundFile & { readonly depth: number }

/** The bounds and the counts of the owner of a file or folder. */
function countOf(walk: Walk, file: string) {
  const owner = walk.owners?.ownerOf(file)
  const count = walk.counts.get(owner) ?? { files: 0, entries: 0, isFull: false }
  walk.counts.set(owner, count)
  const { filesMax, entriesMax } = (owner === undefined ? undefined : walk.owners) ?? walk
  return { owner, count, filesMax, entriesMax }
}

/** False: a bound is exceeded, and the walk ends. */
async function enter(walk: Walk, folder: Folder): Promise<boolean> {
  const entries = await entriesOf(walk, folder).catch((error: unknown) => {
    walk.signal.throwIfAborted()
    walk.obstacles.push({ file: folder.file, why: errnoText(error, 'folder') })
    return []
  })
  if (entries === undefined)
    return stop(walk, folder.file, ({ entriesMax }, of) => `there are more than ${entriesMax} files and folders${of} here`)
  for (const entry of entries) {
    walk.signal.throwIfAborted()
    if (!(await look(walk, folder, entry))) return false
  }
  return true
}

/** The entries of a folder, sorted; undefined if there are more than `entriesMax`, with those before it. */
async function entriesOf(walk: Walk, { file, path }: Folder): Promise<Dirent[] | undefined> {
  const entries: Dirent[] = []
  const { count, entriesMax } = countOf(walk, file)
  for await (const entry of await opendir(path)) {
    walk.signal.throwIfAborted()
    if (++count.entries > entriesMax) return undefined
    if (!entry.name.startsWith('.')) entries.push(entry)
  }
  return entries.toSorted(by(({ name }) => name))
}

/** Node has this character for bytes of a name that are not UTF-8. The name that it shows leads to no file. */
const undecoded = '\uFFFD'

const notUtf8 = (file: string): Obstacle => ({ file, why: 'its name is not UTF-8', cure: 'rename it' })

async function look(walk: Walk, folder: Folder, entry: Dirent): Promise<boolean> {
  const { name } = entry
  const file = folder.file === '' ? name : `${folder.file}/${name}`
  const isWanted = walk.accepts(name)
  if (countOf(walk, file).count.isFull) return true
  try {
    if (walk.refusesLinks === true && entry.isSymbolicLink() && !(await isOfKubelet(folder, name))) return obstacle(walk, linked(file))
    const path = entry.isSymbolicLink() ? await realpath(join(folder.path, name)) : join(folder.path, name)
    const isFolder = entry.isSymbolicLink() ? (await stat(path)).isDirectory() : entry.isDirectory()
    if (!isFolder && !isWanted) return true
    if (name.includes(undecoded)) return obstacle(walk, notUtf8(file))
    if (!isWithin(walk.root, path)) return obstacle(walk, outside(walk, file, path))
    const before = walk.reached.get(path)
    if (before !== undefined) return obstacle(walk, twice(file, before, isFolder))
    walk.reached.set(path, file)
    return isFolder ? enterBelow(walk, { file, path, depth: folder.depth + 1 }) : add(walk, { file, path })
  } catch (error) {
    walk.signal.throwIfAborted()
    // A broken link matters only if its name is that of a wanted file.
    if (name.includes(undecoded)) return isWanted ? obstacle(walk, notUtf8(file)) : true
    return isWanted ? obstacle(walk, { file, why: errnoText(error, 'file or folder') }) : true
  }
}

async function enterBelow(walk: Walk, folder: Folder): Promise<boolean> {
  if (folder.depth <= walk.depthMax) return enter(walk, folder)
  return obstacle(walk, { file: folder.file, why: `folders more than ${walk.depthMax} deep are not read` })
}

function add(walk: Walk, foundFile: FoundFile): boolean {
  const { owner, count, filesMax } = countOf(walk, foundFile.file)
  walk.files.push(foundFile)
  if (++count.files <= filesMax) return true
  const whose = owner === undefined ? 'the declaration has' : 'there are'
  return stop(walk, foundFile.file, (_, of) => `${whose} more than ${filesMax} files${of}`)
}

function obstacle(walk: Walk, newObstacle: Obstacle): true {
  walk.obstacles.push(newObstacle)
  return true
}

/**
 * Ends the walk, or if the files and folders of one owner are too many, only the search for these.
 *
 * @param why of the bounds and ` of` the owner
 */
function stop(walk: Walk, file: string, why: (bounds: { readonly entriesMax: number }, of: string) => string): boolean {
  const { owner, count, entriesMax } = countOf(walk, file)
  if (owner === undefined) return obstacle(walk, { file, why: why({ entriesMax }, ''), isEnd: true }) && false
  count.isFull = true
  return obstacle(walk, { file, why: why({ entriesMax }, ` of ${owner}`), owner })
}

/**
 * The kubelet shows each file and folder of a volume by a link in the volume's own folder, which leads to the same name below `..data`. `..data` is
 * a link to a folder beside it, whose name begins with `..`, too. So the file is in the folder in which the link is.
 */
async function isOfKubelet(folder: Folder, name: string): Promise<boolean> {
  const link = join(folder.path, name)
  if ((await readlink(link)) !== `..data/${name}`) return false
  const data = await readlink(join(folder.path, '..data')).catch(() => '')
  return /^\.\.[^/]+$/.test(data) && (await realpath(link)) === join(folder.path, data, name)
}

const linked = (file: string): Obstacle => ({
  file,
  why: 'this is a link, and the path of a file says what it may contain',
  cure: 'replace the link with the file or the folder',
})

/** Whether a real path is that of a folder, or of something in it. Real paths have no link, no `.` and no `..` in them. */
const isWithin = (folder: string, real: string): boolean => real === folder || real.startsWith(folder.endsWith(sep) ? folder : folder + sep)

const outside = ({ root }: Walk, file: string, real: string): Obstacle => ({
  file,
  why: `this link leads out of ${root}, to ${real}`,
  cure: 'replace the link with a file, or set "declaration" in the settings to a folder that contains both',
})

const twice = (file: string, before: string, isFolder: boolean): Obstacle => ({
  file,
  why: `this is the same ${isFolder ? 'folder' : 'file'} as ${before}: it would be read twice`,
  cure: 'remove one of the two',
})
