import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { chart, needed, tool } from './helm.ts'

const metadata = parse(readFileSync(`${chart}/Chart.yaml`, 'utf8'))

describe('Chart.yaml', () => {
  it('names the addresses of the project that package.json names, and no others', () => {
    const { homepage, repository, license } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(metadata.home).toEqual(homepage)
    expect(metadata.sources).toEqual(repository === undefined ? undefined : [repository.url])
    expect(metadata.annotations['artifacthub.io/license']).toBe(license)
  })

  it('has a semantic version of the chart, which CHANGELOG.md names, and an icon that is inside', () => {
    expect(metadata.version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(readFileSync(`${chart}/CHANGELOG.md`, 'utf8')).toContain(`\n${metadata.version} is being made`)
    const [, svg = ''] = /^data:image\/svg\+xml;base64,(.+)$/.exec(metadata.icon) ?? []
    expect(Buffer.from(svg, 'base64').toString()).toMatch(/^<svg .*<\/svg>$/)
  })
})

describe('the notes after an installation', () => {
  const notes = async (...args: readonly string[]): Promise<string> =>
    (await tool('helm', 'install', 'demo', chart, '--dry-run=client', ...needed, ...args)).split('\nNOTES:\n')[1] ?? ''
  const valuesFile = (name: string): string[] => ['--values', `test/chart/values/${name}.yaml`]
  const noSecond = 'nothing stops a second pod that writes at the same time'

  it('say so if nothing stops a second pod', async () => {
    expect(await notes(...valuesFile('volatile-journal'))).toContain(
      `persistence.enabled is false: a new pod loses the journal, and ${noSecond}`,
    )
    expect(await notes(...valuesFile('nothing-kept'))).toContain(
      `journal is none: a new container begins without a journal, and ${noSecond}`,
    )
    expect(await notes(...valuesFile('small'))).not.toContain('second pod')
  })

  it('ask for a declaration only if none is named', async () => {
    expect(await notes()).toContain('TO DO  declaration is empty')
    for (const name of ['small', 'everything', 'teams', 'git'])
      expect(await notes(...valuesFile(name)), name).not.toContain('declaration is empty')
  })

  it('name the ConfigMaps of the teams, and for which of them the pod waits', async () => {
    const said = await notes(...valuesFile('teams'))
    expect(said).toContain('  platform  groups-platform (the pod waits until it exists)\n  teams/payments  groups-payments\n')
  })
})
