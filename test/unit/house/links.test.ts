import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesBelow, root, type SourceFile } from './files.ts'

const pages = filesBelow('.', '.md')

describe.each(pages.map((page) => [page.path, page] as const))('%s', (_path, page) => {
  test('has only links that lead somewhere', () => {
    expect(linksOf(page).filter((link) => !leadsSomewhere(page, link))).toEqual([])
  })

  test('names only files that are there', () => {
    const here = posix.dirname(page.path)
    expect(namesIn(page).filter((name) => ![name, posix.join(here, name)].some((path) => existsSync(join(root, path))))).toEqual([])
  })
})

/** Names of our own files and folders in code marks: `src/core/plan.ts`; in src/README.md also `core/plan.ts`. */
const namesIn = (page: SourceFile): readonly string[] =>
  [...withoutBlocks(page).matchAll(/`((?:(?:src|docs|test|scripts|config|helm|bin)\/[\w./-]+)|[\w-]+\/[\w./-]+\.ts)`/g)].map(
    ([, name]) => name as string,
  )

const withoutBlocks = ({ text }: SourceFile): string => text.replaceAll(/^```[\s\S]*?^```/gm, '')

/** Targets of links and images that are not addresses of the web. */
const linksOf = (page: SourceFile): readonly string[] =>
  [
    ...withoutBlocks(page)
      .replaceAll(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ]
    .map(([, target]) => target as string)
    .filter((target) => !/^[a-z]+:/.test(target))

function leadsSomewhere({ path }: SourceFile, link: string): boolean {
  const [to = '', anchor] = link.split('#')
  const target = to === '' ? path : posix.join(posix.dirname(path), to)
  if (target.startsWith('..') || !existsSync(join(root, target))) return false
  return anchor === undefined || anchorsOf(readFileSync(join(root, target), 'utf8')).has(anchor)
}

/** The anchors of the headings, as GitHub makes them. */
const anchorsOf = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      (heading as string)
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
