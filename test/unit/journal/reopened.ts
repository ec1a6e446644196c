import { expect } from 'vitest'
import type { Memory } from '../../../src/core/memory/memory.ts'
import { memoryFromStored, type StoredMemory, storedMemory } from './storedForms.ts'

/** The memory as a new process finds it: through a journal's file. */
export function reopened(memory: Memory): Memory {
  const stored = JSON.parse(JSON.stringify(storedMemory(memory))) as StoredMemory
  return memoryFromStored(stored, (name) => expect.unreachable(`${name} is not known`))
}
