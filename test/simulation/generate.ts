import { limiters, publications, rateFieldNames } from '../../src/sandbox/throttle.ts'
import { type Chance, chance } from './chance.ts'
import { type Declared, type DeclaredRule, type DeclaredWorkspace, keyOf, type Place } from './declared.ts'
import { fatesOf, type Haste, patchFateOf, refusals, trapsOf } from './generateFates.ts'
import { lagMaxMs, projects, roles, wideGuards } from './given.ts'
import type { DirectoryMode, DiskMode, Happening, Life, Row, Spec, Version } from './spec.ts'

/** The parts that every world has. The number of faults is drawn first, so some worlds are calm and some are wild. */
export function basicSpec(seed: number): Spec {
  const luck = chance(seed, 'world')
  const lowered = chance(seed, 'lowered')
  const minute = 60_000
  const beginMs = Date.UTC(2026, 10, 20, luck.one([9, 23]), luck.between(0, 59))
  const haste = luck.is(0.06) ? luck.one(['rename', 'role'] as const) : undefined
  const intervalMs = haste === undefined ? luck.one([1, 2, 5, 10]) * minute : minute
  const endMs = intervalMs * luck.between(2, 6) + luck.between(0, minute)
  const names = luck.is(0.3) ? ['acme', 'beta'] : ['acme']
  const directories = luck.is(0.25) ? ['corp', 'extra'] : ['corp']
  const drawn = luck.one(['sync', 'sync', 'upsert-only', 'upsert-only', 'create-only', 'observe'] as const)
  const policy = drawn === 'sync' && chance(seed, 'exclusive').is(0.6) ? 'exclusive' : drawn
  const journal = luck.is(0.75) ? 'folder' : 'none'
  const wild = luck.one([0, 0.02, 0.08, 0.25])
  const refusing = wild === 0 && haste === undefined && luck.is(0.2)
  const serviceLimit = luck.one(haste !== undefined ? [30, 60] : refusing ? [2, 2, 6, 12] : [2, 6, 6, 12, 30, 60])
  const deltaMs = 2 * minute
  const twoWriters = luck.is(0.04)
  const duplicates = luck.one([undefined, undefined, 400, 409] as const)
  const rows = Object.fromEntries(names.map((name) => [name, rowsOf(luck, duplicates !== undefined)]))
  return {
    seed,
    beginMs,
    endMs,
    intervalMs,
    dialect: luck.one(['plane', 'plane', 'specification']),
    limiter: luck.is(0.5) ? 'sliding-log' : luck.one(limiters),
    published: luck.is(0.4) ? 'counted' : luck.one(publications),
    rateFields: luck.one(rateFieldNames),
    dates: luck.is(0.8),
    serviceLimit,
    settingsLimit: luck.is(0.8) ? serviceLimit : luck.one([6, 60]),
    reserve: luck.one(['0%', '10%', '10%', '30%']),
    usedAtBegin: luck.is(0.15) ? serviceLimit : 0,
    deltaMs,
    policy,
    suspend: luck.is(0.05) ? luck.one([true, 'grants' as const]) : false,
    journal,
    guards: luck.is(0.4)
      ? {
          ...{ raises: luck.between(1, 4), deletes: luck.between(0, 2), creates: luck.between(2, 6), day: luck.between(2, 8) },
          lowers: lowered.between(1, 4),
        }
      : wideGuards,
    directories,
    duplicates,
    echo: luck.is(0.05),
    lagMs: luck.is(0.1) ? luck.between(1_000, lagMaxMs) : undefined,
    perPage: luck.is(0.3) ? luck.between(2, 4) : undefined,
    recycleEvery: luck.is(0.15 + wild) ? luck.between(20, 80) : undefined,
    rows,
    groups: Object.fromEntries(
      directories.map((name, index) => [name, [...steady(name), ...luck.some(universe, index === 0 ? 0.8 : 0.2)]]),
    ),
    versions: versionsOf(luck, names, { beginMs, endMs, intervalMs, wild, haste, rows }),
    lives: livesOf(luck, { endMs, journal, wild, twoWriters }),
    happenings: [...happeningsOf(luck, { names, directories, endMs, wild, serviceLimit }), ...diskFaults(chance(seed, 'disk'), endMs)],
    fates: refusing ? refusals(luck) : fatesOf(luck, wild, deltaMs),
    traps: trapsOf(luck, deltaMs),
    patchFate: patchFateOf(luck, haste, deltaMs),
    deleteFate: undefined,
    firstList: undefined,
    lacking: undefined,
    refusing: undefined,
    projects,
    twoWriters,
    reads: luck.is(0.04),
  }
}

const escape = String.fromCharCode(27)
export const universe = ['eng-a', 'eng-b', 'eng-c', 'ops-a', 'ops-b', 'it', 'all', 'legacy-x', `bad${escape}[31m`]
/** Groups that no event removes: a reading of an empty directory is never accepted. */
const steady = (directory: string): string[] => [`${directory}-1`, `${directory}-2`]
const places = ['workspace', 'ENG', 'ENG', 'OPS', '*']

/** @param unique the service keeps keys unique, so no key exists twice */
function rowsOf(luck: Chance, unique: boolean): Row[] {
  const rows = Array.from(
    { length: luck.between(0, 8) },
    (): Row => ({ group: luck.one(universe), at: luck.one(places), role: luck.one(roles) }),
  )
  const known = new Set<string>()
  // Now and then a duplicate: a person clicked twice.
  return [{ group: 'it', at: 'workspace', role: 'admin' }, ...rows].filter((row) => {
    const double = known.has(keyOf(row))
    known.add(keyOf(row))
    return !double || (!unique && luck.is(0.1))
  })
}

/** A world can settle to the last version: it keeps an administrator, and at least one mapping in each list that it owns. */
function versionsOf(luck: Chance, names: readonly string[], { beginMs, endMs, intervalMs, wild, haste, rows }: Times): Version[] {
  const count = haste === undefined ? luck.between(0, 3) : 0
  const times = Array.from({ length: count }, () => luck.between(0, endMs)).toSorted((a, b) => a - b)
  const day = new Date(beginMs).toISOString().slice(0, 10)
  const drawn = Array.from({ length: count + 1 }, (_, index): DeclaredWorkspace[] =>
    names.map((name) => workspaceOf(luck, name, { day, last: index === count, hasty: hastyRules(luck, rows[name] ?? [], haste) })),
  )
  const versions = drawn.map((workspaces, index): Version => {
    const declared: Declared = { workspaces: edited(drawn[index - 1], workspaces, luck), comment: `version ${index}` }
    const last = index === count
    return {
      atMs: index === 0 ? 0 : (times[index - 1] as number),
      declared,
      ...(index > 0 && luck.is(0.2 + wild) ? { tornMs: luck.between(1, 40), tornShare: luck.draw() } : {}),
      ...(!last && index > 0 && luck.is(0.2) ? { broken: true } : {}),
    }
  })
  const last = versions.at(-1)
  if (last === undefined || (haste === undefined && luck.is(0.8))) return versions
  // After the cycle that sent the writes and before the next one.
  const againMs = haste === undefined ? last.atMs + intervalMs + luck.between(5_000, 20_000) : luck.between(15_000, 50_000)
  return [...versions, haste === 'role' ? withOtherRoles(last, againMs, luck) : withoutOldNames(last, againMs)]
}

type Times = {
  readonly beginMs: number
  readonly endMs: number
  readonly intervalMs: number
  readonly wild: number
  readonly haste: Haste
  readonly rows: Spec['rows']
}

/** Rules that give existing mappings another name or another role. */
function hastyRules(luck: Chance, rows: readonly Row[], haste: Haste): DeclaredRule[] {
  if (haste === undefined) return []
  return luck
    .some(
      rows.filter(({ group }) => group !== 'it'),
      0.6,
    )
    .map(({ group, at, role }): DeclaredRule => {
      if (haste === 'role') return { group, at, role: luck.one(roles), allowProtected: true }
      const renamed = luck.one(universe.slice(0, 5).filter((name) => name !== group))
      return { group: renamed, at, role, allowProtected: true, previously: group, send: true }
    })
}

/** A version after the renames: a person has removed the old names. */
const withoutOldNames = ({ declared }: Version, atMs: number): Version =>
  editedAgain(declared, atMs, 'without old names', (rule) => {
    if (!('group' in rule)) return rule
    const { previously: _old, ...rest } = rule
    return rest
  })

/** A version in which a person has changed the roles again. Rules with `send` keep a world from being emptied, and stay. */
const withOtherRoles = ({ declared }: Version, atMs: number, luck: Chance): Version =>
  editedAgain(declared, atMs, 'with other roles', (rule) => ('send' in rule ? rule : { ...rule, role: luck.one(roles) }))

function editedAgain(declared: Declared, atMs: number, comment: string, edit: (rule: DeclaredRule) => DeclaredRule): Version {
  const workspaces = declared.workspaces.map((one): DeclaredWorkspace => {
    const [workspaceRoles, projectRoles] = [one.workspaceRoles?.map(edit), one.projectRoles?.map(edit)]
    return { ...one, ...(workspaceRoles === undefined ? {} : { workspaceRoles }), ...(projectRoles === undefined ? {} : { projectRoles }) }
  })
  return { atMs, declared: { workspaces, comment } }
}

/** Most edits change little. */
function edited(
  before: readonly DeclaredWorkspace[] | undefined,
  after: readonly DeclaredWorkspace[],
  luck: Chance,
): readonly DeclaredWorkspace[] {
  return after.map((one) => {
    const was = before?.find(({ name }) => name === one.name)
    if (was?.projectRoles === undefined || one.projectRoles === undefined || luck.is(0.4)) return one
    const kept = [...was.projectRoles.filter(() => luck.is(0.8)), ...one.projectRoles.filter(() => luck.is(0.4))]
    return { ...one, projectRoles: settled(kept, one.removed, one.unmanaged) }
  })
}

type Drawing = {
  readonly day: string
  /** The world settles to this version. */
  readonly last: boolean
  /** Rules that it contains first of all. */
  readonly hasty: readonly DeclaredRule[]
}

function workspaceOf(luck: Chance, name: string, drawing: Drawing): DeclaredWorkspace {
  const { day, last, hasty } = drawing
  const [hastyWorkspace, hastyProject] = [hasty.filter(({ at }) => at === 'workspace'), hasty.filter(({ at }) => at !== 'workspace')]
  const unmanaged = luck.is(0.3) ? ['legacy-*'] : []
  const administrator: DeclaredRule & Place = { group: 'it', at: 'workspace', role: 'admin', allowProtected: true, send: true }
  const anchor: DeclaredRule & Place = { group: 'all', at: 'OPS', role: 'guest', send: true }
  const drawn = [...new Set(Array.from({ length: 2 }, () => `${luck.one(places)} ${luck.one(universe.slice(0, 7))}`))]
  const removed = luck
    .some(drawn, 0.5)
    .map(placeOf)
    .filter((place) => keyOf(place) !== keyOf(administrator) && !(last && keyOf(place) === keyOf(anchor)))
  const project = Array.from({ length: luck.between(0, 7) }, () => ruleOf(luck, day, false))
  const workspace = Array.from({ length: luck.between(0, 3) }, () => ruleOf(luck, day, true))
  const ownsWorkspace = luck.is(0.7)
  const ownsProject = luck.is(0.9)
  return {
    name,
    ...(ownsWorkspace
      ? { workspaceRoles: settled([...(last || luck.is(0.7) ? [administrator] : []), ...hastyWorkspace, ...workspace], removed, unmanaged) }
      : {}),
    ...(ownsProject ? { projectRoles: settled([...(last ? [anchor] : []), ...hastyProject, ...project], removed, unmanaged) } : {}),
    removed,
    unmanaged,
  }
}

const placeOf = (text: string): Place => {
  const [at = '', group = ''] = text.split(' ')
  return { at, group }
}

function ruleOf(luck: Chance, day: string, workspace: boolean): DeclaredRule {
  const at = workspace ? 'workspace' : luck.one(places.filter((place) => place !== 'workspace'))
  const expires = luck.is(0.1) ? { expires: day } : {}
  const role = luck.one(roles)
  if (luck.is(0.3)) return { glob: luck.one(['eng-*', 'ops-*', 'leg*']), at, role, ...expires }
  const group = luck.one(universe.slice(0, 8))
  return {
    group,
    at,
    role,
    ...(luck.is(0.3) && !workspace ? {} : { allowProtected: luck.is(0.5) }),
    ...(luck.is(0.15) ? { previously: luck.one(universe.slice(0, 7).filter((name) => name !== group)) } : {}),
    ...(luck.is(0.2) ? { send: true } : {}),
    ...expires,
  }
}

/** Removes contradictions: one exact rule for each key, and none whose key is also removed or unmanaged. */
export function settled(rules: readonly DeclaredRule[], removed: readonly Place[], unmanaged: readonly string[]): DeclaredRule[] {
  const known = new Set<string>()
  return rules.filter((rule) => {
    if (!('group' in rule)) return true
    const key = keyOf(rule)
    const wrong =
      known.has(key) || removed.some((place) => keyOf(place) === key) || unmanaged.some((glob) => rule.group.startsWith(glob.slice(0, -1)))
    known.add(key)
    return !wrong
  })
}

function livesOf(
  luck: Chance,
  { endMs, journal, wild, twoWriters }: { endMs: number; journal: string; wild: number; twoWriters: boolean },
): Life[] {
  const lives: Life[] = []
  const ends = luck.is(0.4 + wild) ? luck.between(1, 4) : 0
  const noWait = journal === 'folder' && luck.is(0.25)
  let atMs = luck.between(0, 5_000)
  for (let index = 0; index <= ends && atMs < endMs; index++) {
    const clock = { skewMs: luck.is(0.3) ? luck.between(-600_000, 600_000) : luck.between(-500, 500), drift: (luck.draw() - 0.5) / 2_000 }
    const base = {
      atMs,
      mode: luck.is(0.85) ? ('daemon' as const) : ('once' as const),
      folder: 'state',
      noWait: noWait && index > 0,
      ...clock,
    }
    if (index === ends) {
      lives.push(base)
      break
    }
    if (luck.is(0.5)) {
      lives.push({
        ...base,
        end: { is: luck.is(0.8) ? 'kill' : 'power', call: 1 + Math.floor(luck.draw() ** 2 * 250), after: luck.is(0.5) },
      })
      atMs += luck.between(1_000, Math.ceil(endMs / ends))
    } else {
      const endsMs = atMs + luck.between(0, Math.ceil(endMs / ends))
      lives.push({ ...base, end: { is: luck.one(['kill', 'power', 'stop', 'stop'] as const), atMs: endsMs } })
      atMs = endsMs + luck.one([0, 1, luck.between(0, 10_000), luck.between(0, 300_000)])
    }
  }
  // A second process is started while another one lives; the lock of the journal keeps it out.
  if (journal === 'folder' && luck.is(0.1))
    lives.push({ atMs: luck.between(0, endMs), mode: 'once', folder: 'state', noWait: false, skewMs: 0, drift: 0 })
  if (twoWriters)
    lives.push({
      atMs: luck.between(0, endMs),
      mode: 'daemon',
      folder: 'other',
      noWait: false,
      skewMs: 0,
      drift: 0,
      end: { is: 'stop', atMs: endMs },
    })
  return lives.toSorted((a, b) => a.atMs - b.atMs)
}

type Bounds = { names: readonly string[]; directories: readonly string[]; endMs: number; wild: number; serviceLimit: number }

function happeningsOf(luck: Chance, { names, directories, endMs, wild, serviceLimit }: Bounds): Happening[] {
  const some = (share: number, most: number) => (luck.is(share) ? luck.between(1, most) : 0)
  const when = () => luck.between(0, endMs)
  const all: Happening[] = []
  for (let n = some(0.3, 3); n > 0; n--) {
    const row = { group: luck.one(universe), at: luck.one(places), role: luck.one(roles) }
    all.push({ atMs: when(), is: 'hand', workspace: luck.one(names), row, does: luck.one(['add', 'set', 'drop'] as const) })
  }
  for (let n = some(0.3, 4); n > 0; n--)
    all.push({
      atMs: when(),
      is: 'group',
      directory: luck.one(directories),
      group: luck.one(universe),
      does: luck.one(['appears', 'goes'] as const),
    })
  for (let n = some(0.2 + 2 * wild, 3); n > 0; n--) {
    const atMs = when()
    const directory = luck.one(directories)
    all.push({
      atMs,
      is: 'directory',
      directory,
      mode: luck.one(['failed', 'partial', 'empty', 'shrunk', 'slow'] as const satisfies DirectoryMode[]),
    })
    all.push({ atMs: luck.between(atMs, endMs), is: 'directory', directory, mode: 'whole' })
  }
  for (let n = some(0.2, 4); n > 0; n--)
    all.push({ atMs: when(), is: 'others', requests: luck.between(1, serviceLimit), gapMs: luck.one([10, 1_000, 5_000]) })
  if (luck.is(0.07)) all.push({ atMs: when(), is: 'limit', requests: Math.max(2, Math.floor(serviceLimit / luck.between(2, 4))) })
  if (luck.is(0.05)) all.push({ atMs: when(), is: 'serviceRestart' })
  return all.toSorted((a, b) => a.atMs - b.atMs)
}

/** For a while the disk is full, or syncs nothing. */
function diskFaults(luck: Chance, endMs: number): Happening[] {
  if (!luck.is(0.07)) return []
  const fromMs = luck.between(0, endMs)
  const mode: DiskMode = luck.is(0.6) ? { mode: 'full', room: luck.between(0, 2_000) } : { mode: 'unsynced' }
  return [
    { atMs: fromMs, is: 'disk', ...mode },
    { atMs: luck.between(fromMs, endMs), is: 'disk', mode: 'well' },
  ]
}
