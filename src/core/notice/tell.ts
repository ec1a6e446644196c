import { factName, type NoticeKind, type ToldChange, type ToldFact, toldMax } from '../memory/told.ts'
import { type Notice, withoutMomentFloods } from './notice.ts'

/** What happened to a fact since people were told of it. */
export type News =
  | StandingNews
  /** It stands no longer. */
  | { readonly news: 'over'; readonly notice: ToldFact }
type StandingNews = { readonly news: 'new' | 'changed'; readonly notice: Notice }

/**
 * How a told fact stands that is not among the facts of now. `unknown`: not everything was read, so it may still stand. `gone`: it is forgotten without a word,
 * since it has no end, or since nothing is known of it any more.
 */
export type Ending = 'over' | 'gone' | 'unknown'

/** Who wants to hear what: the receivers of the settings. */
export type NoticeListener = { readonly owner?: string | undefined; readonly on: readonly NoticeKind[] }

/** An entry without an owner hears everything; one with an owner hears what concerns this owner, besides. */
export const hears = ({ owner, on }: NoticeListener, { kind, owners }: Pick<ToldFact, 'kind' | 'owners'>): boolean =>
  on.includes(kind) && (owner === undefined || owners.includes(owner))

/**
 * What to tell now: a fact once, again when it changes, and once when it is over. `journal`: the entry that makes it so; undefined if nothing changes.
 *
 * | told before | now                    | tell    | remembered |
 * |-------------|------------------------|---------|------------|
 * | no          | stands                 | new     | yes        |
 * | yes         | stands as before       |         | yes        |
 * | yes         | stands otherwise       | changed | anew       |
 * | yes         | does not stand: over   | over    | no         |
 * | yes         | does not stand: gone   |         | no         |
 * | yes         | not known              |         | yes        |
 *
 * The memory keeps a lasting fact if any receiver hears it, and not which one does. So a receiver that is added later is told only of the other facts. A moment is
 * told when it is new. The memory keeps it while it is among the facts of now, also if no receiver hears it. Many new moments are told as one, and the memory keeps
 * each.
 *
 * @param told of the memory
 * @param now the facts that stand, the first ones first
 */
export function toTell(
  told: readonly ToldFact[],
  now: readonly Notice[],
  endingOf: (fact: ToldFact) => Ending,
  listeners: readonly NoticeListener[],
): { readonly news: readonly News[]; readonly journal: ToldChange | undefined } {
  const isHeard = (fact: ToldFact) => listeners.some((listener) => hears(listener, fact))
  const before = new Map(told.map((fact) => [factName(fact), fact]))
  const standing = now.filter(isHeard).slice(0, toldMax)
  const names = new Set([...standing, ...now.filter(({ moment }) => moment !== undefined)].map(factName))
  const endings = told
    .filter((fact) => !names.has(factName(fact)))
    .map((fact) => ({ fact, ending: isHeard(fact) ? endingOf(fact) : ('gone' as const) }))
  const kept = endings.filter(({ ending }) => ending === 'unknown').length + [...names].filter((name) => before.has(name)).length
  let room = toldMax - kept
  const fresh = standing.flatMap((notice): readonly StandingNews[] => {
    const known = before.get(factName(notice))
    if (known === undefined) return room-- > 0 ? [{ news: 'new', notice }] : []
    return notice.moment !== undefined || isSame(known, notice) ? [] : [{ news: 'changed', notice }]
  })
  const over = endings.filter(({ ending }) => ending === 'over').map(({ fact }): News => ({ news: 'over', notice: fact }))
  const gone = endings.filter(({ ending }) => ending !== 'unknown').map(({ fact }) => factName(fact))
  const anew = fresh.map(({ notice }) => factOf(notice))
  const lasting = fresh.filter(({ notice: { moment } }) => moment === undefined)
  const moments = fresh.flatMap(({ notice }) => (notice.moment === undefined ? [] : [notice]))
  const happened = withoutMomentFloods(moments).map((notice): News => ({ news: 'new', notice }))
  return { news: [...happened, ...lasting, ...over], journal: anew.length === 0 && gone.length === 0 ? undefined : { told: anew, gone } }
}

/** Other owners are told, too. */
const isSame = (known: ToldFact, { state, owners }: ToldFact): boolean =>
  known.state === state && owners.every((owner) => known.owners.includes(owner))

const factOf = ({ kind, workspace, about, name, state, owners }: Notice): ToldFact => ({
  kind,
  ...(workspace === undefined ? {} : { workspace }),
  about,
  name,
  state,
  owners,
})
