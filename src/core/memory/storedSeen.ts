import { converted, flag, list, nullable, number, object, optional, record, string } from '../codec.ts'
import type { Key, List, MappingId, Role, WorkspaceName } from '../mapping.ts'
import type { Edit, SeenList, SeenMapping, SeenReading, Since } from './seen.ts'
import { emptyTinyMap, putGrowing, recordOf } from './shardedMap.ts'

/* How what was seen is stored in the journal. */

const role = nullable(string<Role>())
const since = object<Since>({ by: string(), atMs: number(), afterMs: optional(number()) })
/** Mappings by their roles, and by what else is the same: they have it once. */
type SeenAlike = Pick<SeenMapping, 'role' | 'since' | 'hidden'> & { readonly keys: Readonly<Record<string, Key>> }
const seenMappings = converted<SeenList['mappings'], readonly SeenAlike[]>(
  list(object<SeenAlike>({ role, since, hidden: optional(since), keys: record(string<Key>()) })),
  (mappings) =>
    [
      ...Map.groupBy(Object.entries<SeenMapping>(recordOf(mappings)), ([, { role: alikeRole, since: alikeSince, hidden }]) =>
        JSON.stringify([alikeRole, alikeSince, hidden]),
      ).values(),
    ].map((those) => {
      const { key: _, ...alike } = (those[0] as (typeof those)[number])[1]
      return { ...alike, keys: Object.fromEntries(those.map(([id, { key }]) => [id, key])) }
    }),
  (stored) =>
    putGrowing<SeenMapping>(
      emptyTinyMap,
      Object.fromEntries(stored.flatMap(({ keys, ...alike }) => Object.entries(keys).map(([id, key]) => [id, { key, ...alike }]))),
    ),
)
/** Role → the mappings that a reading shows with it. */
type StatesOfRole = { readonly role: Role | null; readonly keys: Readonly<Record<string, Key>> }
const seenStates = converted<SeenReading['mappings'], readonly StatesOfRole[]>(
  list(object<StatesOfRole>({ role, keys: record(string<Key>()) })),
  (states) =>
    [...Map.groupBy(Object.entries(states), ([, { role }]) => role)].map(([role, those]) => ({
      role,
      keys: Object.fromEntries(those.map(([id, { key }]) => [id, key])),
    })),
  (stored) => Object.fromEntries(stored.flatMap(({ role, keys }) => Object.entries(keys).map(([id, key]) => [id, { key, role }]))),
)

/** The fields of the entry `seen`. */
export const seenFields = {
  workspace: string<WorkspaceName>(),
  list: string<List>(),
  readMs: number(),
  afterMs: optional(number()),
  partial: optional(flag<true>()),
  first: optional(flag<true>()),
  mappings: seenStates,
  hidden: optional(list(string<MappingId>())),
  gone: optional(list(string<MappingId>())),
  dropped: optional(flag<true>()),
} as const

export const storedSeen = object<SeenList>({ fromMs: number(), readMs: number(), doubts: record(number()), mappings: seenMappings })

export const storedEdit = object<Edit>({
  by: string(),
  atMs: number(),
  afterMs: optional(number()),
  mapping: string(),
  key: string(),
  from: optional(string()),
  before: optional(role),
  after: optional(role),
})
