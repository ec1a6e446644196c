import type { BadInput, Chapter } from '../../test/functional/bad-input-table.ts'

/** The chapters of docs/dev/bad-input.md: each case with its input, and with the text that a person sees. */
export const renderBadInput = (chapters: readonly Chapter[]): string => chapters.map(chapterText).join('\n\n')

const chapterText = ({ title, says, rows }: Chapter): string => [`## ${title}`, says, ...rows.map(rowText)].join('\n\n')

function rowText({ what, shows, args, writes = 0 }: BadInput): string {
  const call = args === undefined ? '' : ` (\`${args.join(' ')}\`)`
  const written = writes === 0 ? '' : `, ${writes} ${writes === 1 ? 'mapping' : 'mappings'} written`
  return `**${what}**${call}${written}\n\`\`\`text\n${shows}\n\`\`\``
}

/** Adds rows that need a server of their own to their chapter. */
export const withRows = (chapters: readonly Chapter[], title: string, rows: readonly BadInput[]): readonly Chapter[] =>
  chapters.map((chapter) => (chapter.title === title ? { ...chapter, rows: [...chapter.rows, ...rows] } : chapter))
