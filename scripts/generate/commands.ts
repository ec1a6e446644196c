import { commands } from '../../src/commands/all.ts'
import { type Description, exitCodes, exitMeanings } from '../../src/commands/description.ts'
import { argumentsText } from '../../src/commands/usage.ts'

/** The table of commands in the README. */
export async function commandTable(): Promise<string> {
  const rows = await Promise.all(
    Object.entries(commands).map(async ([name, { summary, describe }]) => {
      const description = await describe()
      return `| \`${name}${argumentOf(description)}\` | ${summary}${description.about === undefined ? '' : `. ${description.about}`} |`
    }),
  )
  return ['| command | what it does |', '|---|---|', ...rows].join('\n')
}

function argumentOf({ takes }: Description): string {
  return argumentsText(takes).replaceAll('|', '\\|')
}

/** The table of exit codes in the README. */
export const exitCodeTable = (): string =>
  [
    '| exit code | meaning |',
    '|---|---|',
    ...Object.entries(exitMeanings).map(
      ([name, meaning]) => `| ${exitCodes[name as keyof typeof exitCodes]} | ${meaning.replaceAll(/--[\w-]+/g, '`$&`')} |`,
    ),
  ].join('\n')
