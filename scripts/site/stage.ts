import { posix } from 'node:path'
import { groups } from './pages.ts'

/** The anchor of a heading, as GitHub makes it. So a link to a section is right in the repository and on the site. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const pages = new Set(groups.flatMap((group) => group.pages.map((name) => `docs/${name}.md`)))

/** A page of the site, and the files of the project to which it links: the site has copies of them. */
export type Staged = { readonly text: string; readonly files: readonly string[] }

/**
 * A page as VitePress takes it. A link to another page and a picture stay. A link to any other file of the project leads to a copy below `files/`, which
 * a browser shows as text.
 *
 * @param isFolder whether a path of the project is a folder
 */
export function staged(page: string, isFolder: (path: string) => boolean): Staged {
  const files = new Set<string>()
  const linked = (whole: string, words: string, target: string): string => {
    if (/^(?:[a-z]+:|#)/.test(target)) return whole
    const [to = ''] = target.split('#')
    const path = posix.join('docs', to)
    if (pages.has(path) || path.startsWith('docs/images/')) return whole
    if (isFolder(path)) return `\`${path}\``
    files.add(path)
    return `[${words}](/${copyOf(path)})`
  }
  const outside = (text: string) =>
    text.replaceAll(/^<!-- [\w./-]+:(?:begin|end) -->\n/gm, '').replaceAll(/\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, linked)
  const text = page
    .split(/(^ *```[^]*?^ *```)/m)
    .map((part, index) => (index % 2 === 0 ? outside(part) : part))
    .join('')
  return { text, files: [...files] }
}

/** Where the copy of a file is, below the root of the site. */
export const copyOf = (path: string): string => `files/${path.replace(/(^|\/)\./g, '$1')}.txt`
