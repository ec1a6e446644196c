import { execFile } from 'node:child_process'
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
        const said = err.toString().trim().split('\n')[0] ?? ''
        reject(signal.aborted ? (signal.reason as Error) : refused(visible(said === '' ? error.message : said)))
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
