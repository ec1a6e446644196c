import { at, type ShardedMap } from './shardedMap.ts'

/** Name of a directory → size of its last accepted reading. */
export type Baselines = ShardedMap<number>

export const baselineOf = ({ baselines }: { readonly baselines: Baselines }, directory: string): number | undefined =>
  at(baselines, directory)
