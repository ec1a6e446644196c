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

/** A daemon whose declaration is invalid from the start. `restore` gives what an earlier process kept, and counts how often it is asked. */
function started(fences: readonly string[] | undefined, kept: readonly (Partial<Declared> | undefined)[]) {
  const state = { asked: 0, fences, hashes: [] as string[] }
  const loaded = () => ({ settings: { fences: state.fences } }) as unknown as LoadedSettings
  const declaration = async (): Promise<Declared> => {
    throw new InvalidDeclaration(invalidFiles([problemOfFile('groups.yaml', 'it is broken')]), 'groups')
  }
  const first = {
    get loaded() {
      return loaded()
    },
    program: { sources: { declaration } } as unknown as Program,
    bind: async () => {},
    restore: async () => {
      const one = kept[state.asked++]
      return one && { declared: { workspaces: new Map(), hash: 'kept', files: 1, ...one }, lastValid: { steadyMs: 1, wallMs: 2 } }
    },
  }
  const onDeclaration = (_valid: boolean, hash: string) => void state.hashes.push(hash)
  const events = { onSettings: () => {}, onRestartNeeded: () => {}, onDeclaration }
  const world = { clock: virtualTime(1_000) } as unknown as ProgramEnvironment
  return { state, configuration: openConfiguration(first, world, () => emptyMemory, events) }
}

test('the declaration that an earlier process kept is read once, and stays in use if it can no longer be read', async () => {
  const { state, configuration } = started(undefined, [{}])
  for (let n = 0; n < 3; n++) expect(await configuration.declaration(never)).toMatchObject({ hash: 'kept', lastValid: { steadyMs: 1 } })
  expect([state.asked, state.hashes]).toEqual([1, ['kept', 'kept', 'kept']])
})

test('with fences it is read in each cycle, once, because files of other owners may have changed', async () => {
  const files = [{ owner: 'pay', file: 'pay.yaml' }] as never
  const { state, configuration } = started(['pay'], [{ hash: 'a', keptFiles: files }, { hash: 'b', keptFiles: files }, undefined])
  expect(await configuration.declaration(never)).toMatchObject({ hash: 'a', keptFiles: files })
  expect(await configuration.declaration(never)).toMatchObject({ hash: 'b', keptFiles: files })
  const last = await configuration.declaration(never)
  expect(last).toMatchObject({ hash: 'b' })
  expect(last).not.toHaveProperty('keptFiles')
  expect(state.asked).toBe(3)
})

test.each([[undefined], [['pay']]])(
  'if nothing was kept, the declaration is invalid, and it is looked for once in a cycle',
  async (fences) => {
    const { state, configuration } = started(fences, [])
    await expect(configuration.declaration(never)).rejects.toBeInstanceOf(InvalidDeclaration)
    expect([state.asked, state.hashes]).toEqual([1, ['']])
  },
)
