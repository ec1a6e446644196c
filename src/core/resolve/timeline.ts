import type { DatedMapping, DesiredMapping } from '../desired.ts'
import { type Key, keyOf, type Target } from '../mapping.ts'
import { type Claim, resolveConflict } from './claims.ts'
import { asShown, onlyOfChangedProjects, type SettleContext } from './settle.ts'

type Context = Pick<SettleContext, 'workspace' | 'mappedKeys' | 'isShown'> & {
  /** What another part of the declaration makes of the result of the claims. */
  readonly corrected: (key: Key, wanted: DesiredMapping) => DesiredMapping
}

/** The turns of each key that has claims with dates, by date. At each of them the claims decide as `resolve` would decide at that moment. */
export function* timelines(
  claims: ReadonlyMap<Key, readonly Claim[]>,
  context: Context,
): Generator<readonly [Key, readonly DatedMapping[]]> {
  for (const [key, made] of claims) if (made.some(({ later }) => later !== undefined)) yield [key, turnsOf(key, made, context)]
}

function turnsOf(key: Key, made: readonly Claim[], { workspace, mappedKeys, isShown, corrected }: Context): readonly DatedMapping[] {
  const isMapped = (group: DesiredMapping['group'], target: Target) => mappedKeys.has(keyOf(workspace, target, group))
  const dated = made.flatMap((claim) => claim.later?.datesMs.map((atMs) => ({ atMs, claim, at: claim.later?.at })) ?? [])
  const present = openPresent(made, isShown)
  return [...Map.groupBy(dated, ({ atMs }) => atMs)]
    .toSorted(([a], [b]) => a - b)
    .map(([atMs, same]) => {
      let begins = false
      for (const { claim, at } of same) {
        const next = at?.(atMs) ?? claim
        if (next.wanted.kind !== 'absent') begins = true
        present.replace(claim, next)
      }
      const all = present.representatives()
      const settled = resolveConflict(all)
      const other = settled.kind === 'absent' ? onlyOfChangedProjects(all) : undefined
      const held = other === undefined || isMapped(other.group, other.target) ? other : { ...other, unreported: true as const }
      const wanted = corrected(key, held ?? settled)
      return { atMs, wanted, isWeak: all.every(({ weak }) => weak === true), starts: begins && wanted.kind !== 'absent' }
    })
}

/** Claims that want the same, in the order in which they came, also those that are gone. `left`: how many are not. */
type Class = { readonly claims: Claim[]; first: number; left: number }

/**
 * The claims on a key as they are at a moment. Of claims that want the same, the first stands for all: thousands of rules may name one key.
 */
function openPresent(made: readonly Claim[], isShown: SettleContext['isShown']) {
  const classes = new Map<string, Class>()
  const current = new Map<Claim, { readonly name: string; readonly claim: Claim }>()
  const gone = new Set<Claim>()
  const add = (of: Claim, at: Claim) => {
    const claim = asShown(at, isShown)
    const name = className(claim)
    const same = classes.get(name) ?? { claims: [], first: 0, left: 0 }
    same.claims.push(claim)
    same.left++
    classes.set(name, same)
    current.set(of, { name, claim })
  }
  const startOf = ({ wanted }: Claim) => (wanted.kind === 'unknown' && wanted.reason.kind === 'notStarted' ? wanted.reason.startsMs : 0)
  for (const claim of made.toSorted((a, b) => startOf(a) - startOf(b))) add(claim, claim)
  return {
    replace(of: Claim, next: Claim): void {
      const before = current.get(of)
      const same = before && classes.get(before.name)
      if (before !== undefined && same !== undefined) {
        gone.add(before.claim)
        same.left--
        if (same.left === 0) classes.delete(before.name)
      }
      add(of, next)
    },
    representatives: (): readonly Claim[] =>
      [...classes.values()].flatMap((same) => {
        let claim = same.claims[same.first]
        while (claim !== undefined && gone.has(claim)) claim = same.claims[++same.first]
        return claim ?? []
      }),
  }
}

/** Equal for claims of which one may stand for the other when a conflict is resolved. */
function className({ weight, fenced, wanted, weak, notStarted, ifProjectChanged }: Claim): string {
  const { kind, previously } = wanted
  const result =
    kind === 'role'
      ? [wanted.role, wanted.allowProtected, wanted.grantsWait !== undefined]
      : kind === 'unknown'
        ? [wanted.reason.kind, wanted.would]
        : [wanted.why]
  return JSON.stringify([weight, fenced, weak, notStarted, ifProjectChanged !== undefined, kind, previously, result])
}
