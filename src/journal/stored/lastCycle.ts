import { defined, whole } from '../../core/fields.ts'
import type { WorkspaceName } from '../../core/mapping.ts'
import type { CycleRecord, LastCycle } from '../../core/memory/lastCycle.ts'
import { read, type Tell } from './unknown.ts'

export type StoredCycle = { readonly workspaces?: readonly WorkspaceName[] | undefined; readonly unsuccessful: readonly WorkspaceName[] }

export type StoredLastCycle = {
  readonly atMs: number
  readonly workspaces: readonly WorkspaceName[]
  readonly succeededMs: Readonly<Record<string, number>>
}

export const storedCycle = ({ workspaces, unsuccessful, ...rest }: CycleRecord): StoredCycle => whole({ workspaces, unsuccessful }, rest)

export const cycleFromStored = ({ workspaces, unsuccessful, ...rest }: StoredCycle, tell: Tell): CycleRecord =>
  read(defined({ workspaces, unsuccessful }), rest, tell)

export const storedLastCycle = ({ atMs, workspaces, succeededMs, ...rest }: LastCycle): StoredLastCycle =>
  whole({ atMs, workspaces, succeededMs }, rest)

export const lastCycleFromStored = ({ atMs, workspaces, succeededMs, ...rest }: StoredLastCycle, tell: Tell): LastCycle =>
  read({ atMs, workspaces, succeededMs }, rest, tell)
