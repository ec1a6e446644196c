import { expect, test } from 'vitest'
import type { Program } from '../../../src/compose/compose.ts'
import type { ProgramEnvironment } from '../../../src/compose/environment.ts'
import { emptyMemory } from '../../../src/core/memory/memory.ts'
import type { Declared } from '../../../src/cycle/workspaceContext.ts'
import { openConfiguration } from '../../../src/daemon/configuration.ts'
import { InvalidDeclaration } from '../../../src/settings/declared.ts'
import type { LoadedSettings } from '../../../src/settings/load.ts'
import { invalidFiles } from '../../../src/yaml/frame.ts'
import { problemOfFile } from '../../../src/yaml/problem.ts'
import { never, virtualTime } from '../plane/virtualTime.ts'

test('the last valid declaration has the time of both clocks, since one of them stops while the machine is suspended', async () => {
  const clock = virtualTime(1_000)
  clock.set(500)
  const declared: Declared = { workspaces: new Map(), hash: 'd', files: 1 }
  let isValid = true
  const declaration = async (): Promise<Declared> => {
    if (isValid) return declared
    throw new InvalidDeclaration(invalidFiles([problemOfFile('groups.yaml', 'it is broken')]), 'groups')
  }
  const events = { onSettings: () => {}, onRestartNeeded: () => {}, onDeclaration: () => {} }
  const first = {
    loaded: { settings: {} } as LoadedSettings,
    program: { sources: { declaration } } as unknown as Program,
    bind: async () => {},
  }
  const configuration = openConfiguration(first, { clock } as unknown as ProgramEnvironment, () => emptyMemory, events)
  expect(await configuration.declaration(never)).toEqual(declared)
  isValid = false
  clock.set(3_600_000)
  expect(await configuration.declaration(never)).toMatchObject({ hash: 'd', lastValid: { steadyMs: 1_000, wallMs: 1_500 } })
})
