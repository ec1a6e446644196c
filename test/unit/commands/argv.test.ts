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
  ['plan -- -o=json', 'plan does not take "-o=json" | plane-group-sync plan --help shows its options'],
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
  ['plan one two', 'plan does not take "one" | plane-group-sync plan --help shows its options'],
  ['apply one two', 'apply does not take "two" | plane-group-sync apply --help shows its options'],
  ['plan -w -q', '-w needs a value | plane-group-sync plan --help shows its options'],
  ['plan --out=', '--out is empty | plane-group-sync plan --help shows its options'],
  ['plan -x', 'plan has no option "-x" | plane-group-sync plan --help shows its options'],
  ['plan --formt json', 'plan has no option "--formt"; did you mean "--format"? | plane-group-sync plan --help shows its options'],
  ['plan --out', '--out needs a value | plane-group-sync plan --help shows its options'],
  ['plan -o', '--format needs a value | plane-group-sync plan --help shows its options'],
  ['plan --out --allow x', '--out needs a value | plane-group-sync plan --help shows its options'],
  ['apply --yes=no', '--yes takes no value | plane-group-sync apply --help shows its options'],
  ['plan x', 'plan does not take "x" | plane-group-sync plan --help shows its options'],
  ['apply a b', 'apply does not take "b" | plane-group-sync apply --help shows its options'],
  ['schema --workspace acme settings', 'schema has no option "--workspace" | plane-group-sync schema --help shows its options'],
  ['--workspace acme schema settings', 'schema has no option "--workspace" | plane-group-sync schema --help shows its options'],
  ['sandbox --config x', 'sandbox has no option "--config" | plane-group-sync sandbox --help shows its options'],
])('%s: %s', async (line, expected) => expect(await asked(line)).toBe(expected))

describe.each(Object.entries(commands))('%s', async (name, entry) => {
  const { description } = await entry.describe()

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
