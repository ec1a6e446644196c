import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { visible } from '../core/safeName.ts'

/**
 * Runs git with these arguments.
 *
 * @param refused makes the error from what git said
 * @param input what git reads on standard input
 * @throws what `refused` makes, or the reason of the signal
 */
export type Git = (args: readonly string[], refused: (why: string) => Error, input?: string) => Promise<Buffer>

/** `type`: a link is a `blob` of the mode 120000; a submodule is a `commit`. */
export type TreeEntry = { readonly mode: string; readonly type: string; readonly object: string; readonly path: string }

export const linkMode = '120000'

/**
 * Runs git so that it executes nothing of the repository, and asks no other host for an object that a partial clone lacks. A bare repository among the files of a
 * branch is no repository for it.
 */
export const gitIn =
  (folder: string, environment: Readonly<Record<string, string | undefined>>, bytesMax: number, signal: AbortSignal): Git =>
  (args, refused, input = '') =>
    new Promise((resolve, reject) => {
      const options = { cwd: folder, signal, maxBuffer: bytesMax, encoding: 'buffer' as const }
      const env = {
        ...environment,
        GIT_NO_LAZY_FETCH: '1',
        GIT_ALLOW_PROTOCOL: 'none',
        GIT_TERMINAL_PROMPT: '0',
        GIT_OPTIONAL_LOCKS: '0',
        LC_ALL: 'C',
      }
      const safe = [
        '-c',
        'core.fsmonitor=false',
        '-c',
        'core.hooksPath=/dev/null',
        '-c',
        'safe.bareRepository=explicit',
        '--no-replace-objects',
      ]
      const child = execFile('git', [...safe, ...args], { ...options, env }, (error, out, err) => {
        if (error === null) return resolve(out)
        const sentence = err.toString().trim().split('\n')[0] ?? ''
        reject(signal.aborted ? (signal.reason as Error) : refused(visible(sentence === '' ? error.message : sentence)))
      })
      // A git that has ended reads nothing more, and its error says why.
      child.stdin?.on('error', () => undefined).end(input)
    })

/** The files, links and submodules of a commit at and below a path. An absent path has none. */
export async function treeOf(commit: string, path: string, git: Git, refused: (why: string) => Error): Promise<readonly TreeEntry[]> {
  const listing = await git(['ls-tree', '-r', '-z', '--full-tree', commit, ...(path === '' ? [] : ['--', path])], refused)
  return listing
    .toString()
    .split('\0')
    .flatMap((line) => {
      const [, mode = '', type = '', object = '', name = ''] = /^(\d+) (\w+) ([0-9a-f]+)\t(.*)$/s.exec(line) ?? []
      return type === '' ? [] : [{ mode, type, object, path: name }]
    })
}

/**
 * The same as `treeOf`. The commit and each folder on the way have the content that their ids say. git itself believes whatever `.git` has under an id.
 *
 * @throws what `refused` makes, if an object is missing or has another content
 */
export async function provenTreeOf(commit: string, path: string, git: Git, refused: (why: string) => Error): Promise<readonly TreeEntry[]> {
  const isWithin = (name: string) => path === '' || name === path || name.startsWith(`${path}/`)
  const [content] = await contentsOf('commit', [commit], git, refused)
  const [, root = ''] = /^tree ([0-9a-f]+)\n/.exec(content?.toString('latin1') ?? '') ?? []
  const leaves: TreeEntry[] = []
  let folders: readonly TreeEntry[] = [{ mode: '40000', type: 'tree', object: root, path: '' }]
  while (folders.length > 0) {
    const ids = folders.map(({ object }) => object)
    const contents = await contentsOf('tree', ids, git, refused)
    const entries = folders.flatMap((folder, index) => entriesOf(contents[index] ?? Buffer.alloc(0), folder))
    for (const entry of entries) if (entry.type !== 'tree' && isWithin(entry.path)) leaves.push(entry)
    folders = entries.filter(({ type, path: name }) => type === 'tree' && (isWithin(name) || path.startsWith(`${name}/`)))
  }
  return leaves
}

/** The contents of objects, in the order of their ids. */
async function contentsOf(type: string, ids: readonly string[], git: Git, refused: (why: string) => Error): Promise<readonly Buffer[]> {
  const out = await git(['cat-file', '--batch'], refused, ids.map((id) => `${id}\n`).join(''))
  let at = 0
  return ids.map((id) => {
    const end = out.indexOf('\n', at)
    const [, kind, size] = out.toString('latin1', at, end).split(' ')
    const content = out.subarray(end + 1, end + 1 + Number(size))
    at = end + 1 + content.length + 1
    if (kind !== type || objectId(type, content, id) !== id) throw refused(`there is no ${type} ${id} with the content of its id`)
    return content
  })
}

/** What a tree has: `mode name`, a zero byte, and the bytes of the id, one after another. */
function entriesOf(tree: Buffer, { object, path }: TreeEntry): readonly TreeEntry[] {
  const entries: TreeEntry[] = []
  for (let at = 0; at < tree.length; ) {
    const zero = tree.indexOf(0, at)
    if (zero < 0) break
    const [, mode = '', name = ''] = /^(\d+) (.*)$/s.exec(tree.toString('utf8', at, zero)) ?? []
    at = zero + 1 + object.length / 2
    const type = mode === '40000' ? 'tree' : mode === '160000' ? 'commit' : 'blob'
    entries.push({ mode, type, object: tree.toString('hex', zero + 1, at), path: path === '' ? name : `${path}/${name}` })
  }
  return entries
}

/** The id that git gives to a content. @param like an id of the same repository, which says which hash it uses */
export const objectId = (type: string, bytes: Uint8Array, like: string): string =>
  createHash(like.length === 64 ? 'sha256' : 'sha1')
    .update(`${type} ${bytes.length}\0`)
    .update(bytes)
    .digest('hex')
