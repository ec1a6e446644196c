import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { chart, type Manifest, manifests, render, tool } from './helm.ts'

const folder = await mkdtemp(join(tmpdir(), 'chart-subchart-'))
afterAll(() => rm(folder, { recursive: true }))

const settings = { service: { baseUrl: 'https://plane.example.com' }, workspaces: { acme: {} } }

/** A chart of an operator that has this one as dependencies, each with its own values. */
async function parent(name: string, dependencies: readonly object[], values: object): Promise<string> {
  const path = join(folder, name)
  await mkdir(join(path, 'templates'), { recursive: true })
  await cp(chart, join(path, 'charts/plane-group-sync'), { recursive: true })
  const each = dependencies.map((more) => ({ name: 'plane-group-sync', version: '>=0.2.0', ...more }))
  await writeFile(join(path, 'Chart.yaml'), stringify({ apiVersion: 'v2', name, version: '1.0.0', dependencies: each }))
  await writeFile(join(path, 'values.yaml'), stringify(values))
  return path
}
const template = (path: string, ...args: readonly string[]) => tool('helm', 'template', 'demo', path, '--kube-version', '1.35.0', ...args)
const names = (all: readonly Manifest[]) => all.map(({ metadata }) => metadata.name)

describe('as a dependency', async () => {
  const condition = 'plane-group-sync.enabled'
  const path = await parent('platform', [{ condition }], {
    global: { imageRegistry: 'registry.example.com', domain: { name: 'example.com' } },
    'plane-group-sync': { enabled: true, settings },
  })

  it('it takes the condition and the values of all charts', async () => {
    const all = manifests(await template(path))
    expect(names(all)).toContain('demo-plane-group-sync')
    expect(all).toHaveLength(6)
    expect(await tool('helm', 'lint', '--strict', '--with-subcharts', path)).toContain('0 chart(s) failed')
  })

  it('it makes nothing if the condition is false, and needs no values then', async () => {
    const off = ['--set', 'plane-group-sync.enabled=false', '--set', 'plane-group-sync.settings=null']
    expect((await template(path, ...off)).trim()).toBe('')
  })

  it('it refuses a mistake, and names the value', async () => {
    await expect(template(path, '--set', 'plane-group-sync.existingSecret=Bad_Name')).rejects.toThrow("at '/existingSecret'")
    await expect(template(path, '--set-json', 'plane-group-sync.settings.workspaces=null')).rejects.toThrow('settings.workspaces is empty')
  })

  it('it has names that Kubernetes accepts, whatever its alias', async () => {
    const aliases = ['groupsEurope', 'groups_us']
    const both = await parent(
      'both',
      aliases.map((alias) => ({ alias })),
      Object.fromEntries(aliases.map((alias) => [alias, { settings }])),
    )
    const rendered = await template(both)
    expect(names(manifests(rendered))).toEqual(expect.arrayContaining(['demo-groupseurope', 'demo-groups-us']))
    const file = join(folder, 'both.yaml')
    await writeFile(file, rendered)
    await tool('kubernetes-validate', '-k', '1.35', '--strict', file)
    for (const name of names(manifests(rendered))) expect(name).toMatch(/^[a-z0-9-]+$/)
  })
})

it('alone, enabled: false is refused, because it would have no effect', async () => {
  await expect(render('--set', 'enabled=false')).rejects.toThrow('enabled: false has no effect here')
  expect(await render('--set', 'enabled=true')).toBe(await render())
  await expect(render('--set-string', 'enabled=true')).rejects.toThrow("at '/enabled': got string, want boolean")
})
