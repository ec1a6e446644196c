import { readFileSync, writeFileSync } from 'node:fs'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { chart, needed, tool } from './helm.ts'

const folder = await mkdtemp(join(tmpdir(), 'chart-older-'))
afterAll(() => rm(folder, { recursive: true }))

type Values = Readonly<Record<string, unknown>>
const defaults = parse(readFileSync(`${chart}/values.yaml`, 'utf8')) as Values
let charts = 0
/**
 * What `helm upgrade --reuse-values` renders: this chart, with these values in the place of its own `values.yaml`, as Helm does it.
 */
async function reused(values: Values, ...args: readonly string[]): Promise<string> {
  const copy = join(folder, String(charts++), 'plane-group-sync')
  await cp(chart, copy, { recursive: true })
  writeFileSync(join(copy, 'values.yaml'), stringify(values))
  return tool('helm', 'template', 'demo', copy, '--kube-version', '1.35.0', ...args)
}
const files = ['everything', 'git', 'monitored', 'nothing-kept', 'small', 'teams', 'volatile-journal']
const argsOf = (name: string) => ['--values', `test/chart/values/${name}.yaml`]
const cases: readonly (readonly [name: string, args: readonly string[]])[] = [
  ['needed', needed],
  ...files.map((name) => [name, argsOf(name)] as const),
]

/** Packed charts that people may have: what each of them has in its values. */
const older = await Promise.all(
  (await readdir('test/chart/older')).map(async (name) => ({
    name,
    values: parse(await tool('helm', 'show', 'values', `test/chart/older/${name}`)) as Values,
  })),
)

describe.each(older)('the values of the older chart $name', ({ values }) => {
  it('lack what is new', () => {
    expect(Object.keys(defaults).filter((name) => !(name in values))).not.toEqual([])
  })

  it.each(cases)('mean what the defaults mean: %s', async (_name, args) => {
    expect(await reused(values, ...args)).toBe(await reused(defaults, ...args))
  })

  it('take the line of docs/operations.md that stops writing', async () => {
    expect(readFileSync('docs/operations.md', 'utf8')).toContain('--reuse-values --set settings.suspend=true')
    expect(await reused(values, ...needed, '--set', 'settings.suspend=true')).toContain('suspend: true')
  })

  it('keep their links in alerts, although the value has another name now', async () => {
    const link = ['--set', 'prometheusRule.enabled=true,prometheusRule.docsUrl=https://git.example.com/sync/']
    expect(await reused(values, ...needed, ...link)).toContain(
      'runbook_url: https://git.example.com/sync/docs/operations.md#no-cycle-at-all\n',
    )
  })
})

/** In these, absent means absent: the platform chooses. */
const open = new Set(['resources', 'podSecurityContext'])

describe('a value that is absent has its default', () => {
  const without = (path: readonly string[], value: unknown): unknown => {
    const [name = '', ...below] = path
    const { [name]: own, ...others } = value as Values
    return below.length === 0 ? others : { ...others, [name]: without(below, own) }
  }
  const isMap = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)
  const pathsOf = (value: unknown, above: readonly string[]): (readonly string[])[] =>
    isMap(value) ? Object.entries(value).flatMap(([name, below]) => [[...above, name], ...pathsOf(below, [...above, name])]) : []
  const tried = pathsOf({ ...defaults, settings: {} }, [])
    .map((path) => [path.join('.'), path] as const)
    .filter(([name, [top = '']]) => !open.has(top) && !name.startsWith('dashboard.labels.'))

  it('of every name of the chart at once', async () => {
    const rest = { resources: defaults['resources'], podSecurityContext: defaults['podSecurityContext'] }
    for (const [, args] of cases) expect(await reused(rest, ...args)).toBe(await reused(defaults, ...args))
  })

  it.each(tried)('%s', async (_name, path) => {
    for (const args of [argsOf('monitored')]) {
      const values = without(path, defaults) as Values
      expect(await reused(values, ...args)).toBe(await reused(defaults, ...args))
    }
  })

  it.each([...open])('but %s, which stays away', async (name) => {
    const rendered = await reused(without([name], defaults) as Values, ...needed)
    expect(rendered).not.toMatch(name === 'resources' ? /memory:/ : /runAsUser:/)
    expect(rendered).toContain('runAsNonRoot: true')
  })
})

it('nothing is required that has a default', () => {
  const { $defs, ...schema } = JSON.parse(readFileSync(`${chart}/values.schema.json`, 'utf8'))
  const own = (node: Values, value: unknown, path: string): string[] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? [
          ...((node['required'] as string[] | undefined) ?? []).map((name) => `${path}${name}`),
          ...Object.entries(value).flatMap(([name, below]) =>
            own((node['properties'] as Record<string, Values> | undefined)?.[name] ?? {}, below, `${path}${name}.`),
          ),
        ]
      : []
  expect(own(schema, defaults, '')).toEqual([])
  expect($defs.settings.required).toBeUndefined()
  expect($defs.settings.properties.service.required).toBeUndefined()
})

it('each template fills in what is absent, before it reads a value', async () => {
  for (const name of await readdir(`${chart}/templates`)) {
    if (name.startsWith('_')) continue
    expect(readFileSync(`${chart}/templates/${name}`, 'utf8'), name).toMatch(/^\{\{- include "plane-group-sync\.fill" \. -\}\}\n/)
  }
})
