import type { GroupIndex } from '../core/group.ts'
import type { GroupName } from '../core/mapping.ts'
import { patternId } from '../core/matches.ts'
import type { Captures, Pattern } from '../core/rule.ts'
import type { openTurns } from './turns.ts'

/** The cost to compile a pattern: this many match steps for each step of the pattern's program. */
const compiling = 1_000
/** The cost to begin a match, in match steps. */
const beginning = 20

/** Names, and what was found in them so far: `patternId` → names. */
export type Names = {
  readonly names: Iterable<GroupName>
  readonly characters: number
  readonly found: Map<string, ReadonlyMap<GroupName, Captures>>
}

export function namesFrom(names: Iterable<GroupName>): Names {
  let characters = 0
  for (const name of names) characters += name.length
  return { names, characters, found: new Map() }
}

/** A cache of a pure function. The readings of directories are the same objects for all workspaces and slices of a cycle. */
const known = new WeakMap<GroupIndex, Names>()

export function namesOfIndex(index: GroupIndex): Names {
  const names = known.get(index) ?? namesFrom({ [Symbol.iterator]: () => index.keys() })
  known.set(index, names)
  return names
}

export type MatchTurn = ReturnType<typeof openTurns>
/** `insideMax`: if more names match, the rest is left out. `isInside`: names for which it is false count towards `outsideMax`. */
export type MatchBounds = { readonly insideMax: number; readonly isInside?: (name: GroupName) => boolean; readonly outsideMax?: number }

/** The names that a pattern matches, within the bounds. */
export async function foundIn(
  { names, found }: Names,
  pattern: Pattern,
  { insideMax, isInside = () => true, outsideMax = 0 }: MatchBounds,
  turn: MatchTurn,
): Promise<ReadonlyMap<GroupName, Captures>> {
  const before = found.get(patternId(pattern))
  if (before !== undefined) return before
  const fresh = new Map<GroupName, Captures>()
  await turn(pattern.steps * compiling)
  const match = pattern.compile()
  let inside = 0
  let outside = 0
  for (const name of names) {
    const captures = match(name)
    if (captures !== undefined) {
      if (isInside(name)) inside++
      else outside++
      if (outside <= outsideMax || isInside(name)) fresh.set(name, captures)
    }
    if (inside > insideMax) return fresh
    const pause = turn(beginning + pattern.steps * name.length)
    if (pause !== undefined) await pause
  }
  if (outside <= outsideMax) found.set(patternId(pattern), fresh)
  return fresh
}
