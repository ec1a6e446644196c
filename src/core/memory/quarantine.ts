import { type Change, touched } from '../change.ts'
import type { Key, MappingId } from '../mapping.ts'

/** Key or mapping id → time until which its last write may still run. Nothing is written to it from a list requested before that time. */
export type Quarantine = Readonly<Record<Key | MappingId, number>>

export function quarantined(quarantine: Quarantine, changes: readonly Change[], untilMs: number): Quarantine {
  const names = changes.flatMap(touched)
  return { ...quarantine, ...Object.fromEntries(names.map((name) => [name, Math.max(untilMs, quarantine[name] ?? 0)])) }
}
