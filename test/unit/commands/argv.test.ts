import { describe, expect, test } from 'vitest'
import { commands } from '../../../src/commands/all.ts'
import { understand } from '../../../src/commands/argv.ts'
import { UsageError } from '../../../src/commands/command.ts'
import { optionsOf } from '../../../src/commands/description.ts'

const words = (line: string): readonly string[] => line.split(' ').filter((word) => word !== '')

/** What a command line asks for, in short. */
async function asked(line: string): Promise<string> {
  const request = await understand(words(line)).catch((error: unknown) => error)
  if (request instanceof UsageError) return `${request.message} | ${request.cure}`
  if (request instanceof Error) throw request
  const { kind, ...more } = request as Awaited<ReturnType<typeof understand>>
  if (kind === 'helpOf' && 'name' in more) return `help of ${more.name}`
  if (kind !== 'command' || !('values' in more)) return kind
  return [more.name, ...more.positionals, JSON.stringify(more.values)].join(' ')
}

test.each([
  ['', 'help'],
  ['--help', 'help'],
  ['-h', 'help'],
  ['help', 'help'],
  ['help help', 'help'],
  ['help plan', 'help of plan'],
  ['plan --help', 'help of plan'],
  ['plan -h', 'help of plan'],
  ['-h plan', 'help of plan'],
  ['--version', 'version'],
  ['-V', 'version'],
  ['version', 'version'],
  ['plan -V', 'version'],
  ['version --help', 'help'],
  ['plan -o=json -c=a.yaml -wacme', 'plan {"format":"json","config":"a.yaml","workspace":["acme"]}'],
  ['plan -- -o=json', 'plan does not take "-o=json" | a workspace is named with --workspace, and the settings with --config'],
  ['plan', 'plan {}'],
  ['plan -c a.yaml -w acme -w lab -q -o json', 'plan {"config":"a.yaml","workspace":["acme","lab"],"quiet":true,"format":"json"}'],
  ['--config a.yaml plan --out p.json', 'plan {"config":"a.yaml","out":"p.json"}'],
  ['-c a.yaml -q apply p.json -y', 'apply p.json {"config":"a.yaml","quiet":true,"yes":true}'],
  ['--config=apply plan', 'plan {"config":"apply"}'],
  ['--config apply plan', 'plan {"config":"apply"}'],
  ['apply - -y', 'apply - {"yes":true}'],
  ['plan --out -', 'plan {"out":"-"}'],
  ['run -n --once', 'run {"dry-run":true,"once":true}'],
])('%s: %s', async (line, expected) => expect(await asked(line)).toBe(expected))

test.each([
  ['pln', 'plane-group-sync has no command "pln"; did you mean "plan"? | plane-group-sync --help shows all commands'],
  ['hlep', 'plane-group-sync has no command "hlep"; did you mean "help"? | plane-group-sync --help shows all commands'],
  ['help pln', 'plane-group-sync has no command "pln"; did you mean "plan"? | plane-group-sync --help shows all commands'],
  ['help plan apply', 'help takes one command, not also "apply" | plane-group-sync --help shows all commands'],
  ['toString', 'plane-group-sync has no command "toString" | plane-group-sync --help shows all commands'],
  ['-', 'plane-group-sync has no command "-" | plane-group-sync --help shows all commands'],
  ['--quiet', 'the command is missing | plane-group-sync --help shows all commands'],
  ['--hlep', 'plane-group-sync has no option "--hlep"; did you mean "--help"? | plane-group-sync --help shows all commands'],
  ['-x', 'plane-group-sync has no option "-x" | plane-group-sync --help shows all commands'],
  ['version -o json', 'version has no option "-o" | plane-group-sync --help shows all commands'],
  ['version plan', 'version does not take "plan" | plane-group-sync --help shows all commands'],
  ['-o json plan', 'plane-group-sync has no command "json" | write -o after the command'],
  ['diff', 'plane-group-sync has no command "diff" | plan shows the differences'],
  ['apply --dry-run', 'apply has no option "--dry-run" | plan shows what apply would write'],
  ['plan --output json', 'plan has no option "--output" | write --format, or -o'],
  ['plan -out=p.json', 'plan has no option "-out=p.json"; did you mean "--out=p.json"? | plane-group-sync plan --help shows its options'],
  ['plan one two', 'plan does not take "one" | a workspace is named with --workspace, and the settings with --config'],
  ['apply one two', 'apply does not take "two" | plane-group-sync apply --help shows its options'],
  ['plan -w -q', '-w needs a value | plane-group-sync plan --help shows its options'],
  ['plan --out=', '--out is empty | plane-group-sync plan --help shows its options'],
  ['plan -x', 'plan has no option "-x" | plane-group-sync plan --help shows its options'],
  ['plan --formt json', 'plan has no option "--formt"; did you mean "--format"? | plane-group-sync plan --help shows its options'],
  ['plan --out', '--out needs a value | plane-group-sync plan --help shows its options'],
  ['sandbox --seed -1', 'sandbox {"seed":"-1"}'],
  ['plan -o', '--format needs a value | plane-group-sync plan --help shows its options'],
  ['plan --out --allow x', '--out needs a value | plane-group-sync plan --help shows its options'],
  ['apply --yes=no', '--yes takes no value | plane-group-sync apply --help shows its options'],
  ['plan x', 'plan does not take "x" | a workspace is named with --workspace, and the settings with --config'],
  ['apply a b', 'apply does not take "b" | plane-group-sync apply --help shows its options'],
  ['schema --workspace acme settings', 'schema has no option "--workspace" | plane-group-sync schema --help shows its options'],
  ['--workspace acme schema settings', 'schema has no option "--workspace" | plane-group-sync schema --help shows its options'],
  ['apply -auto-approve', 'apply has no option "-auto-approve" | write --yes'],
  ['plan --yes', 'plan has no option "--yes" | only apply writes: apply --yes'],
  ['run --yes', 'run has no option "--yes" | plane-group-sync run --help shows its options'],
  ['plan -target=acme', 'plan has no option "-target" | a workspace is named with --workspace, or -w'],
  ['plan -A', 'plan has no option "-A" | without --workspace the command is about all workspaces'],
  ['apply --force', 'apply has no option "--force" | a guard lets a change pass with --allow ID; the plan shows the ID'],
  ['export -o f.yaml', 'export has no option "-o" | export prints YAML to standard output: export > FILE'],
  ['export --output=yaml', 'export has no option "--output" | export prints YAML to standard output: export > FILE'],
  ['export --json', 'export has no option "--json" | export prints YAML to standard output: export > FILE'],
  ['groups -n acme', 'groups has no option "-n" | plane-group-sync groups --help shows its options'],
  ['groups -d corp', 'groups has no option "-d" | a directory is named with --directory'],
  ['groups corp', 'groups does not take "corp" | a directory is named with --directory, and the settings with --config'],
  ['validate -f a.yaml', 'validate has no option "-f" | the settings are named with --config; they name the declaration'],
  [
    'validate a.yaml',
    'validate does not take "a.yaml" | the settings are named with --config (- reads standard input); they name the declaration',
  ],
  ['schema --json', 'schema has no option "--json" | plane-group-sync schema --help shows its options'],
  ['daemon', 'plane-group-sync has no command "daemon" | run is the daemon; run --once ends after one cycle'],
  ['sandbox --config x', 'sandbox has no option "--config" | plane-group-sync sandbox --help shows its options'],
])('%s: %s', async (line, expected) => expect(await asked(line)).toBe(expected))

test('a command line in one argument, as in a list of arguments in YAML, is recognised', async () => {
  const error = await understand(['plan --workspace acme']).catch((one: unknown) => one)
  expect(error).toMatchObject({ cure: 'write each word as an argument of its own' })
})

test('a cure for a habit names only options that the command has', async () => {
  const habits = [
    'A',
    'auto-approve',
    'color',
    'd',
    'debug',
    'dry-run',
    'f',
    'force',
    'format',
    'json',
    'n',
    'o',
    'out',
    'output',
    'v',
    'y',
  ]
  for (const [name, entry] of Object.entries(commands)) {
    const options = Object.keys(optionsOf(await entry.describe()))
    for (const habit of habits.filter((one) => !options.includes(one))) {
      const [, cure = ''] = (await asked(`${name} ${habit.length === 1 ? '-' : '--'}${habit}`)).split(' | ')
      const named = [...cure.matchAll(/(?<!apply )--([a-z-]+)/g)].map(([, option = '']) => option)
      for (const option of named) expect(options, `${name} --${habit}: ${cure}`).toContain(option)
    }
  }
})

describe.each(Object.entries(commands))('%s', async (name, entry) => {
  const description = await entry.describe()

  test('has examples that it accepts', async () => {
    expect(description.examples.length).toBeGreaterThanOrEqual(2)
    expect(description.examples.length).toBeLessThanOrEqual(4)
    for (const { line } of description.examples) {
      expect(line).toContain(`plane-group-sync ${name}`)
      for (const part of line.split(/ && | \| |[<>]\(?|\)/).filter((one) => one.trim().startsWith('plane-group-sync '))) {
        const args = [...part.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
        expect((await understand(args.slice(1))).kind, part).toBe('command')
      }
    }
  })

  test('has no two options of one short form', () => {
    const short = Object.values(optionsOf(description)).flatMap((option) => option.short ?? [])
    expect(short).toEqual([...new Set(short)])
  })
})
