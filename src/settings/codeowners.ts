import { stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { walkBounds } from '../declaration/files.ts'
import { readBounded } from '../files/read.ts'
import { walkFolder } from '../files/walk.ts'
import { type Problem, problemOfFile } from '../yaml/problem.ts'
import type { LoadedSettings } from './load.ts'
import { fencePaths, findPath, linePaths, type PathAutomaton, pathsEnding } from './pathAutomaton.ts'

/** A path from the top of the repository, and what it stands for, to name it in a problem. */
type Place = { readonly path: string; readonly what: string; readonly isUndecided?: true }

/**
 * Problems for places without an owner in a CODEOWNERS file (GitHub's format, which GitLab and Gitea read, too): each file of the declaration, each
 * fence, the files that may have waivers, the settings, the workflows of GitHub if there are any, and the file itself. Each file that a fence matches and that does not exist yet must have
 * an owner, too.
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
  const lines = linesOf(read.bytes.toString('utf8'))
  const places = await placesOf(file, root, loaded, lines, signal)
  return places.flatMap(({ path, what, isUndecided }) => {
    if (isUndecided) return problemOfFile(file, `it cannot be decided whether ${what} has an owner here`, 'use fewer lines with wildcards')
    if (path.startsWith('..')) return problemOfFile(file, `${what} is not in the repository of this file, ${root}`)
    return hasOwner(lines, path) ? [] : problemOfFile(file, `${what} has no owner here`, `add a line for /${path}, with its owners`)
  })
}

async function placesOf(
  file: string,
  root: string,
  { settings, path, file: settingsFile }: LoadedSettings,
  lines: readonly Line[],
  signal: AbortSignal,
): Promise<readonly Place[]> {
  const below = (absolute: string) => relative(root, absolute).replaceAll(sep, '/')
  const declaration = path(settings.declaration)
  const isFolder = (await stat(declaration)).isDirectory()
  const folder = below(declaration)
  const matching = (pattern: string, what: string): readonly Place[] => {
    if (!isFolder) return [{ path: folder, what: `${what} "${pattern}"` }]
    const samples = samplesOf(pattern).map((sample) => ({ path: below(join(declaration, sample)), sample }))
    const isSample = samples.some((one) => !hasOwner(lines, one.path))
    const found = isSample ? undefined : unownedFile(folder, pattern, lines)
    if (found === 'undecided') return [{ path: folder, what: `each file of ${what} "${pattern}"`, isUndecided: true }]
    const places = found === undefined ? samples : [{ path: found.path, sample: found.path.slice(folder === '' ? 0 : folder.length + 1) }]
    return places.map(({ path: place, sample }) => ({ path: place, what: `${what} "${pattern}" (such as ${sample})` }))
  }
  const fences = Object.keys(settings.fences ?? {}).flatMap((fence) => matching(fence, 'the fence'))
  const withWaivers = settings.waivers.files.flatMap((files) => matching(files, 'a file with waivers'))
  const files = isFolder ? (await walkFolder(declaration, walkBounds, signal)).found : []
  const existing = files.map((one): Place => ({ path: below(join(declaration, one.file)), what: one.file }))
  const workflows = join(root, '.github/workflows')
  const hasWorkflows = await stat(workflows).then(
    () => true,
    () => false,
  )
  return [
    ...fences,
    ...withWaivers,
    ...existing,
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

/** A line of CODEOWNERS: the last one that matches a path decides. Lines that name no owner take the ownership away. */
type Line = { readonly matches: RegExp; readonly paths: PathAutomaton; readonly chars: string; readonly isOwned: boolean }

function linesOf(text: string): readonly Line[] {
  return text.split(/\r?\n/).flatMap((line) => {
    // A blank in a path is written with a backslash before it.
    const [pattern, ...owners] = line.replace(/(?:^|\s)#.*$/, '').match(/(?:\\.|\S)+/g) ?? []
    // A section of GitLab has the owners of the lines below it; it is no path.
    return pattern === undefined || /^\^?\[/.test(pattern) ? [] : [{ ...lineOf(pattern), isOwned: owners.length > 0 }]
  })
}

/**
 * A pattern as in .gitignore, without negation and brackets. One with a slash inside begins at the top of the repository. A path stands for all that
 * is below it, but `docs/*` only for the files of that folder.
 */
function lineOf(pattern: string): Omit<Line, 'isOwned'> {
  const written = pattern.replaceAll(/\\(.)/g, '$1')
  const inner = written.replace(/^\//, '').replace(/\/$/, '')
  const isAnchored = written.startsWith('/') || inner.includes('/')
  const isDeep = !inner.endsWith('/*')
  const parts = inner.split(/(\*\*\/|\/\*\*$|\*|\?)/)
  const body = parts.map((part) => wildcards[part] ?? RegExp.escape(part)).join('')
  return {
    matches: new RegExp(`^${isAnchored ? '' : '(?:.*/)?'}${body}${isDeep ? '(?:/.*)?' : ''}$`, 'su'),
    paths: linePaths(parts, { isAnchored, isDeep }),
    chars: inner,
  }
}

const wildcards: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '/**': '/.*', '*': '[^/]*', '?': '[^/]' }

const hasOwner = (lines: readonly Line[], path: string): boolean => lines.findLast(({ matches }) => matches.test(path))?.isOwned ?? false

/** A file that the fence matches and that has no owner, from the top of the repository; undefined if there can be none. */
function unownedFile(folder: string, fence: string, lines: readonly Line[]): ReturnType<typeof findPath> {
  const written = [folder, fence, '/.yaml', ...lines.map(({ chars }) => chars)].join('')
  // One letter stands for all those that no pattern names.
  const other = Iterator.from('xnewabcdfghijklmopqrstuvyz0123456789').find((letter) => !written.includes(letter)) ?? '\u{1f600}'
  const chars = [...new Set(Iterator.from(written + other))].filter((char) => char !== '*' && char !== '?')
  const endings = [pathsEnding('.yaml'), pathsEnding('.yml')]
  return findPath(fencePaths(folder, fence), [...endings, ...lines.map(({ paths }) => paths)], chars, ([yaml, yml, ...matching]) => {
    const last = matching.lastIndexOf(true)
    return (yaml === true || yml === true) && lines[last]?.isOwned !== true
  })
}
