/** What a person reads of a page: without code blocks, and without the parts between the markers of `npm run generate`. */
export const proseOf = (page: string): string =>
  page.replaceAll(/<!-- ([\w./-]+):begin -->[^]*?<!-- \1:end -->/g, '').replaceAll(/^ *```[^]*?^ *```/gm, '')

export const wordsOf = (text: string): readonly string[] => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word))

/** The sentences of a page. A cell of a table, a point of a list and a heading end a sentence, too. */
export function sentencesOf(page: string): readonly string[] {
  const parts = proseOf(page).split(/\n\s*\n|(?<=^#.*)\n|\n(?= *(?:[|#>-]|\d+\. ))/m)
  const cells = parts.flatMap((part) => (part.trimStart().startsWith('|') ? part.split(/(?<!\\)\|/) : part))
  return cells.flatMap((cell) =>
    cell
      .replaceAll(/\]\([^)]*\)/g, ']')
      .replaceAll(/\s+/g, ' ')
      .trim()
      .split(/(?<=[.!?]["”)*]*) (?=[\p{Lu}`*"“[(‼])/u),
  )
}
