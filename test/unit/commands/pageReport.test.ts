import { expect, test } from 'vitest'
import { openPageReport } from '../../../src/commands/pageReport.ts'
import { type GroupName, keyOf, type List, type Mapping, type MappingId, type Role, type WorkspaceName } from '../../../src/core/mapping.ts'
import { emptyMemory } from '../../../src/core/memory/memory.ts'
import type { Reading } from '../../../src/core/reading.ts'
import type { WorkspaceReadings } from '../../../src/recording/readings.ts'
import type { LoadedSettings } from '../../../src/settings/load.ts'
import { people } from '../bounds.ts'
import { about, report } from '../daemon/reports.ts'
import { plan } from '../render/sample.ts'

const acme = 'acme' as WorkspaceName
const target = { kind: 'project', project: 'ENG' } as Mapping['target']

function listOf(...names: readonly string[]): WorkspaceReadings {
  const value = names.map(
    (name): Mapping => ({
      ...{ id: name as MappingId, key: keyOf(acme, target, name as GroupName), group: name as GroupName },
      ...{ target, role: 'member' as Role },
    }),
  )
  const reading: Reading<readonly Mapping[]> = { status: 'complete', value, atMs: 0, tookMs: 0 }
  return { lists: new Map<List, typeof reading>([['projectRoles', reading]]), byId: new Map() }
}

const settingsOf = (host: string) =>
  ({ settings: { service: { baseUrl: `https://${host}` }, workspaces: { acme: {} }, journal: 'none' }, path: (path) => path }) as Pick<
    LoadedSettings,
    'path'
  > & { readonly settings: unknown } as LoadedSettings

test('what the next cycle reads is not in the page of the last one', () => {
  const workspaces = new Map([[acme, listOf('devs')]])
  const directories = new Map()
  let loaded = settingsOf('plane.example.com')
  const page = openPageReport({
    readings: { workspaces, directories, members: new Map() },
    memory: () => emptyMemory,
    loaded: () => loaded,
    clock: { now: () => 0, wall: () => 0 },
  })
  const judged = { plan: plan({}), waived: [] }
  page.ended(report({ kind: 'judged', workspace: acme, about, judged } as never))
  workspaces.set(acme, listOf('devs', 'made-meanwhile'))
  directories.set('corp', { status: 'complete', value: new Map([['devs', { label: 'Developers', size: people(7) }]]), atMs: 0 })
  loaded = settingsOf('elsewhere.example.com')
  const document = page.document()
  expect(document?.workspaces[0]?.rows).toMatchObject([{ group: 'devs' }])
  expect(document?.workspaces[0]?.rows[0]).not.toHaveProperty('size')
  expect(document?.service?.host).toBe('plane.example.com')
  expect(page.document()).toBe(document)
})
