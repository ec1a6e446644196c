import { commands } from '../../src/commands/all.ts'
import { type Description, exitCodes, exitMeanings } from '../../src/commands/description.ts'
import { argumentsText, usageOf } from '../../src/commands/usage.ts'

/** The page of all commands: the table, the exit codes, and the help of each command. */
export async function commandPage(): Promise<string> {
  const helps = await Promise.all(
    Object.keys(commands).map(async (name) => `## ${name}\n\`\`\`text\n${(await usageOf(name, columns)).trimEnd()}\n\`\`\``),
  )
  return (
    [
      '# Commands',
      'This page is generated from the descriptions of the commands (`npm run generate`). `help COMMAND` and `COMMAND --help` show the same at a terminal.',
      await commandTable(),
      '## Exit codes',
      exitCodeTable(),
      ...helps,
      '',
    ]
      .join('\n\n')
      .trimEnd() + '\n'
  )
}

const columns = 100

async function commandTable(): Promise<string> {
  const rows = await Promise.all(
    Object.entries(commands).map(async ([name, { summary, describe }]) => {
      const description = await describe()
      return `| [\`${name}${argumentOf(description)}\`](#${name}) | ${summary} |`
    }),
  )
  return ['| command | what it does |', '|---|---|', ...rows].join('\n')
}

function argumentOf({ takes }: Description): string {
  return argumentsText(takes).replaceAll('|', '\\|')
}

const exitCodeTable = (): string =>
  [
    '| exit code | meaning |',
    '|---|---|',
    ...Object.entries(exitMeanings).map(
      ([name, meaning]) => `| ${exitCodes[name as keyof typeof exitCodes]} | ${meaning.replaceAll(/--[\w-]+/g, '`$&`')} |`,
    ),
  ].join('\n')
