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
import { never } from '../plane/virtualTime.ts'

/** @param results what one reading of the declaration after the other gives */
function opened(results: readonly (Declared | InvalidDeclaration)[]) {
  const left = [...results]
  const declaration = async (): Promise<Declared> => {
    const next = left.shift()
    if (next instanceof InvalidDeclaration) throw next
    return next as Declared
  }
  const told: unknown[] = []
  const events = { onSettings: () => {}, onRestartNeeded: () => {}, onDeclaration: (inUse: unknown) => void told.push(inUse) }
  const first = {
    loaded: { settings: {} } as LoadedSettings,
    program: { sources: { declaration } } as unknown as Program,
    bind: async () => {},
  }
  return { told, configuration: openConfiguration(first, {} as ProgramEnvironment, () => emptyMemory, events) }
}

test('a declaration of which some files are invalid is used, and told as invalid', async () => {
  const valid: Declared = { workspaces: new Map(), hash: 'd', files: 2 }
  const { told, configuration } = opened([valid, { ...valid, hash: 'e', kept: 'a.yaml: it is broken' }])
  expect(await configuration.declaration(never)).toEqual(valid)
  expect(await configuration.declaration(never)).toMatchObject({ hash: 'e' })
  expect(told).toEqual([valid, { ...valid, hash: 'e', kept: 'a.yaml: it is broken' }])
})

test('a declaration of which nothing can be used ends the cycle', async () => {
  const broken = new InvalidDeclaration(invalidFiles([problemOfFile('groups.yaml', 'it is broken')]), 'groups')
  const { told, configuration } = opened([broken])
  await expect(configuration.declaration(never)).rejects.toBe(broken)
  expect(told).toEqual([{ hash: '', files: 0, kept: broken.files.text }])
})
