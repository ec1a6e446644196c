import { stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { readBounded } from '../files/read.ts'
import { type Problem, problemOfFile } from '../yaml/problem.ts'
import type { LoadedSettings } from './load.ts'

/** A path from the top of the repository, and what it stands for, to name it in a problem. */
type Place = { readonly path: string; readonly what: string }

/**
 * Problems for places without an owner in a CODEOWNERS file (GitHub's format, which GitLab and Gitea read, too): each fence, the files that may have
 * waivers, the settings, the workflows of GitHub if there are any, and the file itself. A file of a fence that does not exist yet must have an owner, too.
 *
 * Source: https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners
 *
 * @param file path of the CODEOWNERS file; the repository is its folder, or the one above .github, .gitlab and docs
 */
export async function ownerProblems(file: string, loaded: LoadedSettings, signal: AbortSignal): Promise<readonly Problem[]> {
  const read = await readBounded(file, { bytesMax: 3 * 1024 * 1024 }, signal)
  if ('why' in read) return [problemOfFile(file, read.why, 'name the file with --codeowners')]
  const folder = dirname(resolve(file))
  const root = ['.github', '.gitlab', 'docs'].includes(basename(folder)) ? dirname(folder) : folder
  const hasOwner = ownersOf(read.bytes.toString('utf8'))
  const places = await placesOf(file, root, loaded)
  return places.flatMap(({ path, what }) => {
    if (path.startsWith('..')) return problemOfFile(file, `${what} is not in the repository of this file, ${root}`)
    return hasOwner(path) ? [] : problemOfFile(file, `${what} has no owner here`, `add a line for /${path}, with its owners`)
  })
}

async function placesOf(file: string, root: string, { settings, path, file: settingsFile }: LoadedSettings): Promise<readonly Place[]> {
  const below = (absolute: string) => relative(root, absolute).replaceAll(sep, '/')
  const declaration = path(settings.declaration)
  const isFolder = (await stat(declaration)).isDirectory()
  const matching = (pattern: string, what: string): readonly Place[] =>
    samplesOf(pattern).map((sample) => ({
      path: below(isFolder ? join(declaration, sample) : declaration),
      what: `${what} "${pattern}"${isFolder ? ` (such as ${sample})` : ''}`,
    }))
  const fences = Object.keys(settings.fences ?? {}).flatMap((fence) => matching(fence, 'the fence'))
  const withWaivers = settings.waivers.files.flatMap((files) => matching(files, 'a file with waivers'))
  const workflows = join(root, '.github/workflows')
  const hasWorkflows = await stat(workflows).then(
    () => true,
    () => false,
  )
  return [
    ...fences,
    ...withWaivers,
    { path: below(resolve(settingsFile)), what: 'the settings file' },
    ...(hasWorkflows ? [{ path: '.github/workflows/new.yaml', what: 'a workflow' }] : []),
    { path: below(resolve(file)), what: 'this file itself' },
  ]
}

/** Files that match the pattern of a fence and do not exist: one directly in its folder, and one in a folder below. */
function samplesOf(fence: string): readonly string[] {
  const named = (folders: string) =>
    fence
      .split('/')
      .map((part, index, parts) => {
        if (part !== '**') return part.replaceAll(/[*?]+/g, 'new')
        return index === parts.length - 1 ? `${folders}new.yaml` : folders.slice(0, -1)
      })
      .filter((part) => part !== '')
      .join('/')
  return [...new Set([named(''), named('new/')])]
}

/** Whether the last line that matches a path names an owner. Lines that name none take the ownership away. */
function ownersOf(text: string): (path: string) => boolean {
  const rules = text.split(/\r?\n/).flatMap((line) => {
    // A blank in a path is written with a backslash before it.
    const [pattern, ...owners] = line.replace(/(?:^|\s)#.*$/, '').match(/(?:\\.|\S)+/g) ?? []
    // A section of GitLab has the owners of the lines below it; it is no path.
    return pattern === undefined || /^\^?\[/.test(pattern) ? [] : [{ matches: matcherOf(pattern), isOwned: owners.length > 0 }]
  })
  return (path) => rules.findLast(({ matches }) => matches.test(path))?.isOwned ?? false
}

/**
 * A pattern as in .gitignore, without negation and brackets. One with a slash inside begins at the top of the repository. A path stands for all that
 * is below it, but `docs/*` only for the files of that folder.
 */
function matcherOf(pattern: string): RegExp {
  const written = pattern.replaceAll(/\\(.)/g, '$1')
  const inner = written.replace(/^\//, '').replace(/\/$/, '')
  const begin = written.startsWith('/') || inner.includes('/') ? '' : '(?:.*/)?'
  const end = inner.endsWith('/*') ? '' : '(?:/.*)?'
  const body = inner.split(/(\*\*\/|\/\*\*$|\*|\?)/).map((part) => wildcards[part] ?? RegExp.escape(part))
  return new RegExp(`^${begin}${body.join('')}${end}$`, 'su')
}

const wildcards: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '/**': '/.*', '*': '[^/]*', '?': '[^/]' }
