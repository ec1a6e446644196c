import type { Change } from '../../../src/core/change.ts'
import type { Tell } from '../../../src/core/codec.ts'
import type { Entry } from '../../../src/core/memory/entry.ts'
import type { MeantIds } from '../../../src/core/memory/meantIds.ts'
import type { Memory } from '../../../src/core/memory/memory.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import {
  storedChange as change,
  storedEntry as entry,
  storedMeantGroups as meantGroups,
  storedMemory as memory,
  storedOutcome as outcome,
} from '../../../src/journal/stored.ts'

type Stored = Readonly<Record<string, unknown>>
export type StoredEntry = Stored & { readonly entry: Entry['kind']; readonly change: Stored }
export type StoredOutcome = Stored
export type StoredMemory = Stored & {
  readonly open: Stored
  readonly projectIds: unknown
  readonly quarantine: Readonly<Record<string, number>>
  readonly baselines: Readonly<Record<string, number>>
  readonly written: readonly (Stored & { readonly key: string })[]
}

export const storedEntry = (value: Entry): StoredEntry => entry.write(value) as StoredEntry
export const entryFromStored = (stored: Stored, tell: Tell): Entry => entry.read(stored, tell)
export const storedMemory = (value: Memory): StoredMemory => memory.write(value) as StoredMemory
export const memoryFromStored = (stored: Stored, tell: Tell): Memory => memory.read(stored, tell)
export const storedOutcome = (value: Outcome): StoredOutcome => outcome.write(value) as Stored
export const outcomeFromStored = (stored: Stored, tell: Tell): Outcome => outcome.read(stored, tell)
export const storedChange = (value: Change): Stored => change.write(value) as Stored
export const changeFromStored = (stored: unknown, tell: Tell): Change => change.read(stored, tell)
export const storedMeantGroups = (value: MeantIds): unknown => meantGroups.write(value)
export const meantGroupsFromStored = (stored: unknown, tell: Tell): MeantIds => meantGroups.read(stored, tell)
