import { between } from './between.ts'

/**
 * Writes the current text of files into a page. The page has an empty or an older block of each file between `<!-- path:begin -->` and
 * `<!-- path:end -->`.
 *
 * @param read returns the text of a file of the project
 */
export async function withQuotedFiles(page: string, read: (path: string) => Promise<string>): Promise<string> {
  const paths = [...page.matchAll(/^<!-- (config\/\S+\.yaml):begin -->$/gm)].map(([, path = '']) => path)
  let quoted = page
  for (const path of paths) quoted = between(path, `\`\`\`yaml\n${await read(path)}\`\`\``)(quoted)
  return quoted
}
