import { type DeclaredWorkspace, endOf, keyOf, type Place, rulesOf } from '../declared.ts'

/** The ends of exact rules, and since when cycles have known them. */
export type Ends = {
  /** A cycle that may write has ended, which read this declaration. */
  readonly read: (declared: readonly DeclaredWorkspace[], beganMs: number) => void
  /** Whether the rule of the key has ended as cycles have known for long. What such an end takes away fills no limit. */
  readonly isRecorded: (workspace: string, place: Place, declared: DeclaredWorkspace, nowMs: number) => boolean
}

/** An end that cycles have known for so long fills no limit. */
export const endKnownForMs = 72 * 3_600_000

export function openEnds(): Ends {
  const known = new Map<string, { readonly endMs: number; readonly sinceMs: number }>()
  const nameOf = (workspace: string, place: Place): string => `${workspace} ${keyOf(place)}`
  const endIn = (one: DeclaredWorkspace, place: Place): number | undefined => {
    const ends = rulesOf(one).flatMap((rule) => ('group' in rule && keyOf(rule) === keyOf(place) ? [rule.expires] : []))
    const [end] = ends
    return end === undefined ? undefined : endOf(end)
  }
  return {
    read(declared, beganMs) {
      for (const one of declared)
        for (const rule of rulesOf(one)) {
          if (!('group' in rule)) continue
          const name = nameOf(one.name, rule)
          const endMs = endIn(one, rule)
          if (endMs === undefined) known.delete(name)
          else if (known.get(name)?.endMs !== endMs) known.set(name, { endMs, sinceMs: beganMs })
        }
    },
    isRecorded(workspace, place, declared, nowMs) {
      const endMs = endIn(declared, place)
      const since = known.get(nameOf(workspace, place))
      if (endMs === undefined || endMs > nowMs || since?.endMs !== endMs) return false
      return since.sinceMs < endMs && nowMs - since.sinceMs >= endKnownForMs
    },
  }
}
