import { type Chance, chance } from './chance.ts'
import {
  type DeclaredRule,
  type DeclaredWaiver,
  type DeclaredWorkspace,
  keyOf,
  type Place,
  rulesOf,
  type TeamFile,
  targetsOf,
  type WaivedChange,
} from './declared.ts'
import { withRules } from './editVersions.ts'
import { type Fence, names as namesGroup, type Word } from './fences.ts'
import { settled, universe } from './generate.ts'
import type { Row, Spec, Version } from './spec.ts'

/**
 * In some worlds the settings have fences: two to four teams keep their own files beside one file without limits. Their patterns reach outside of the
 * fences, their files contradict each other and the file without limits, become invalid, are repaired or reverted, and disappear.
 */
export function withFences(spec: Spec): Spec {
  const luck = chance(spec.seed, 'fences')
  if (!luck.is(0.25) || spec.twoWriters) return spec
  const owners = ['pay', 'web', 'data', 'shop'].slice(0, luck.between(2, 4))
  const of = owners.map((owner) => fenceOf(owner, Object.keys(spec.rows), luck))
  const file = luck.one(['platform/all.yaml', 'zz/all.yaml'])
  const times = edited(spec, luck)
  const isPeaceful = luck.is(0.5)
  const free = (files: readonly TeamFile[], version: Version, isApart = isPeaceful): readonly TeamFile[] => {
    const usable = files.map((one) => withoutKeys(one, keysOfOpen(version, one.fence.workspace)))
    return isApart ? withoutContradictions(usable) : usable
  }
  const drawing = {
    luck,
    day: new Date(spec.beginMs).toISOString().slice(0, 10),
    leaves: !spec.happenings.some(({ is }) => is === 'project'),
  }
  let files: readonly TeamFile[] = of.flatMap((fence) => filesOf(fence, drawing))
  const history: (readonly TeamFile[])[] = []
  const versions = times.map((version, index): Version => {
    const isLast = index === times.length - 1
    if (index > 0) files = luck.is(0.2) ? luck.one(history) : files.map((one) => (luck.is(0.5) ? one : editedFile(one, drawing)))
    history.push(files)
    // The last version is valid, so that a process that starts with it can settle.
    if (isLast) return withTeams(version, free(files, version, true))
    if (luck.is(0.15)) return withTeams(withRulesOf(luck.one(files), version), files)
    return withTeams(version, damaged(luck.is(0.8) ? free(files, version) : files, luck))
  })
  const last = versions.at(-1) as Version
  const ends = spec.journal !== 'none' && spec.policy !== 'observe' && spec.suspend === false && luck.is(0.5)
  const ending = ends ? { ending: withTeams(last, endOf(free(files, last), drawing, last)).declared } : {}
  return withTeamWaivers({ ...spec, versions: withWaivers(versions, spec), fences: { file, of, ...ending } })
}

/** In some of these worlds the file without limits has waivers for grants of protected roles. Each of them ends while the world goes on. */
function withWaivers(versions: readonly Version[], spec: Spec): readonly Version[] {
  const { seed, rows } = spec
  const luck = chance(seed, 'waivers')
  if (!luck.is(0.4) || isClockWrong(spec)) return versions
  const moment = () => momentIn(spec, luck)
  const waiversOf = (one: DeclaredWorkspace): readonly DeclaredWaiver[] => {
    const granted = rulesOf(one).filter((rule) => rule.role === 'admin' && rule.allowProtected !== true)
    const places = granted.flatMap((rule) => universe.slice(0, 8).flatMap((group) => targetsOf(rule, group).map((at) => ({ group, at }))))
    const single = luck.some(places, 0.5).map((place): DeclaredWaiver => {
      const from = luck.one([undefined, undefined, 'guest', 'member', 'contributor'])
      const id = luck.one([undefined, `corp/${place.group}`, 'another'])
      const until = moment()
      const change = { ...place, to: 'admin', ...(from === undefined ? {} : { from }), ...(id === undefined ? {} : { id }) }
      return { changes: [change], until }
    })
    return [...single, ...setWaivers(one, rows[one.name] ?? [], moment, luck)]
  }
  return versions.map((version) => {
    const workspaces = version.declared.workspaces.map((one) => (luck.is(0.7) ? { ...one, waivers: waiversOf(one) } : one))
    return { ...version, declared: { ...version.declared, workspaces } }
  })
}

/** A file is invalid on a machine by whose clock a waiver lasts longer than 30 days. */
const isClockWrong = ({ happenings, lives }: Spec): boolean =>
  happenings.some(({ is }) => is === 'clock') || lives.some(({ skewMs }) => Math.abs(skewMs) > 3_600_000)

const momentIn = ({ beginMs, endMs }: Spec, luck: Chance): string =>
  `${new Date(beginMs + luck.between(0, endMs)).toISOString().slice(0, 19)}Z`

/** Waivers for several changes that the rules ask for, all of them or some. */
function setWaivers(one: DeclaredWorkspace, rows: readonly Row[], moment: () => string, luck: Chance): readonly DeclaredWaiver[] {
  if (!luck.is(0.6)) return []
  const rules = rulesOf(one)
  const keys = new Map(rows.map((row) => [keyOf(row), row]))
  const deletes = [...keys.values()].map(({ group, at, role }): WaivedChange => ({ group, at, from: role }))
  const wanted = rules.flatMap((rule) =>
    universe.slice(0, 8).flatMap((group) => targetsOf(rule, group).map((at) => ({ group, at, to: rule.role }))),
  )
  const patches = wanted.flatMap((place): WaivedChange | [] => {
    const row = keys.get(keyOf(place))
    return row === undefined || row.role === place.to ? [] : { ...place, from: row.role }
  })
  const renames = rules.flatMap((rule): WaivedChange | [] => {
    const was = 'group' in rule ? rule.previously : undefined
    const row = was === undefined ? undefined : keys.get(keyOf({ group: was, at: rule.at }))
    return row === undefined || !('group' in rule) ? [] : { group: rule.group, at: rule.at, was: row.group, from: row.role, to: rule.role }
  })
  const apart = (all: readonly WaivedChange[]) => [...new Map(all.map((change) => [JSON.stringify(change), change])).values()]
  const sets = [deletes, [...patches, ...renames], wanted.filter((place) => !keys.has(keyOf(place))), [...deletes, ...patches]]
  return sets.flatMap((all): DeclaredWaiver | [] => {
    const changes = luck.some(apart(all), luck.one([0.8, 1, 1]))
    if (changes.length === 0 || luck.is(0.4)) return []
    return { changes, until: moment() }
  })
}

/** Some teams may have waivers for their own mappings, and some have waivers although they may not. */
function withTeamWaivers(spec: Spec): Spec {
  const luck = chance(spec.seed, 'team waivers')
  const { fences, versions } = spec
  if (fences === undefined || !luck.is(0.7) || isClockWrong(spec)) return spec
  const waiving = new Set(luck.some(fences.of, 0.6).map(({ owner }) => owner))
  const waived = (file: TeamFile, isLast: boolean): TeamFile => {
    const granted = [...(file.workspaceRoles ?? []), ...(file.projectRoles ?? [])].filter(
      (rule) => rule.role === 'admin' && rule.allowProtected !== true,
    )
    const places = granted.flatMap((rule) => universe.slice(0, 8).flatMap((group) => targetsOf(rule, group).map((at) => ({ group, at }))))
    const waivers = luck.some(places, 0.7).map(({ group, at }): DeclaredWaiver => {
      const from = luck.one([undefined, undefined, undefined, undefined, 'guest', 'member'])
      return { changes: [{ group, at, to: 'admin', ...(from === undefined ? {} : { from }) }], until: momentIn(spec, luck) }
    })
    if (waivers.length === 0 || file.broken !== undefined || luck.is(0.15)) return file
    if (waiving.has(file.fence.owner)) return { ...file, waivers }
    return isLast ? file : { ...file, waivers, broken: 'waivers' }
  }
  return {
    ...spec,
    versions: versions.map((version, index) => {
      const isLast = index === versions.length - 1
      const workspaces = version.declared.workspaces.map(({ teams = [], ...one }) => ({
        ...one,
        teams: teams.map((file) => waived(file, isLast)),
      }))
      return { ...version, declared: { ...version.declared, workspaces } }
    }),
    fences: { ...fences, of: fences.of.map((one): Fence => (waiving.has(one.owner) ? { ...one, may: [...one.may, 'waivers'] } : one)) },
  }
}

const some = <T>(luck: Chance, all: readonly T[], share: number): readonly T[] => {
  const drawn = luck.some(all, share)
  return drawn.length > 0 ? drawn : [luck.one(all)]
}

function fenceOf(owner: string, workspaces: readonly string[], luck: Chance): Fence {
  const groups = () => some(luck, ['eng-*', 'ops-*', 'leg*', 'all', 'eng-a', 'ops-b', 'it', 'legacy-x'], 0.3)
  const roles = () => [...new Set(['guest', ...luck.some(['member', 'contributor', 'admin'], 0.6)])]
  const projectRoles = { projects: some(luck, ['ENG', 'OPS'], 0.6), allProjects: luck.is(0.3), groups: groups(), roles: roles() }
  const words: readonly Word[] = ['removed', 'expires', 'unmanaged', 'unknownGroups', 'allowProtected']
  return {
    owner,
    workspace: luck.one(workspaces),
    projectRoles,
    ...(luck.is(0.3) ? { workspaceRoles: { groups: groups(), roles: roles() } } : {}),
    may: luck.some(words, 0.5),
  }
}

/** Some edits change the files of teams only. */
function edited({ versions, endMs }: Spec, luck: Chance): readonly Version[] {
  const more = Array.from({ length: luck.between(1, 3) }, () => luck.between(0, endMs)).map((atMs): Version => {
    const current = versions.findLast((one) => one.atMs <= atMs) ?? versions[0]
    if (current === undefined) throw new Error('a world without a declaration')
    const { declared, broken } = current
    return { atMs, declared, ...(broken === undefined ? {} : { broken }) }
  })
  return [...versions, ...more].toSorted((a, b) => a.atMs - b.atMs)
}

type Drawing = { readonly luck: Chance; readonly day: string; readonly leaves: boolean }

function filesOf(fence: Fence, drawing: Drawing): readonly TeamFile[] {
  const names = drawing.luck.is(0.3) ? ['a', 'b'] : ['a']
  return names.map((name) => drawnFile(`teams/${fence.owner}/${name}.yaml`, fence, drawing))
}

function drawnFile(file: string, fence: Fence, drawing: Drawing): TeamFile {
  const { luck } = drawing
  const projectRoles = Array.from({ length: luck.between(0, 4) }, () => ruleIn({ file, fence }, false, drawing))
  const workspaceRoles = Array.from({ length: luck.between(0, 2) }, () => ruleIn({ file, fence }, true, drawing))
  const hasWorkspace = fence.workspaceRoles !== undefined && luck.is(0.8)
  const hasProjects = luck.is(0.9)
  const place = () => placeIn(fence, luck.is(0.3) && fence.workspaceRoles !== undefined, luck)
  const removed = fence.may.includes('removed') && luck.is(0.5) ? [place()] : []
  const leaves = fence.may.includes('unmanaged') && drawing.leaves && luck.is(0.3)
  const unmanagedAt = leaves ? [luck.is(0.5) ? place() : { group: luck.one(['eng-*', '*', 'ops-*']), at: place().at }] : []
  return clean({
    file,
    fence,
    ...(hasWorkspace ? { workspaceRoles } : {}),
    ...(hasProjects ? { projectRoles } : {}),
    removed: removed.filter((one) => !unmanagedAt.some((other) => other.at === one.at && namesGroup(other.group, one.group))),
    unmanagedAt,
  })
}

/** Without contradictions inside the file. */
function clean(file: TeamFile): TeamFile {
  const { workspaceRoles, projectRoles, removed, unmanagedAt } = file
  const isLeft = (rule: DeclaredRule) =>
    'group' in rule && unmanagedAt.some(({ group, at }) => at === rule.at && namesGroup(group, rule.group))
  const cleaned = (rules: readonly DeclaredRule[]) => settled(rules, removed, []).filter((rule) => !isLeft(rule))
  return {
    ...file,
    ...(workspaceRoles === undefined ? {} : { workspaceRoles: cleaned(workspaceRoles) }),
    ...(projectRoles === undefined ? {} : { projectRoles: cleaned(projectRoles) }),
  }
}

/** A mapping inside the fence. */
function placeIn(fence: Fence, inWorkspace: boolean, luck: Chance): Place {
  const list = inWorkspace ? fence.workspaceRoles : fence.projectRoles
  const targets = [...(fence.projectRoles?.projects ?? []), ...(fence.projectRoles?.allProjects === true ? ['*'] : [])]
  const groups = universe.slice(0, 8).filter((group) => list?.groups.some((text) => namesGroup(text, group)) === true)
  return { group: luck.one(groups), at: inWorkspace ? 'workspace' : luck.one(targets) }
}

function ruleIn(inside: { readonly file: string; readonly fence: Fence }, inWorkspace: boolean, { luck, day }: Drawing): DeclaredRule {
  const { fence } = inside
  const roles = (inWorkspace ? fence.workspaceRoles : fence.projectRoles)?.roles ?? ['guest']
  const role = luck.one(roles)
  if (inWorkspace && fence.workspaceRoles === undefined) return { inside, at: 'workspace', role, group: 'it' }
  const { group, at } = placeIn(fence, inWorkspace, luck)
  const expires = fence.may.includes('expires') && luck.is(0.15) ? { expires: day } : {}
  if (luck.is(0.35)) return { inside, at, role, glob: luck.one(['eng-*', 'ops-*', 'leg*', '*', '*']), ...expires }
  const [project] = fence.projectRoles?.projects ?? []
  if (!inWorkspace && luck.is(0.2))
    return { inside, at: '', role, captured: ['eng', 'ops', 'legacy'], map: luck.is(0.4) && project ? { legacy: project } : {} }
  return {
    ...{ inside, group, at, role, ...expires },
    ...(fence.may.includes('allowProtected') && luck.is(0.5) ? { allowProtected: true } : {}),
    ...(fence.may.includes('unknownGroups') && luck.is(0.3) ? { send: true } : {}),
  }
}

/** Most edits change little. */
function editedFile(before: TeamFile, drawing: Drawing): TeamFile {
  const { luck } = drawing
  const after = drawnFile(before.file, before.fence, drawing)
  if (luck.is(0.3) || before.projectRoles === undefined || after.projectRoles === undefined) return after
  const projectRoles = [...before.projectRoles.filter(() => luck.is(0.8)), ...after.projectRoles.filter(() => luck.is(0.4))]
  return clean({ ...after, projectRoles })
}

/** The file without limits takes over the exact rules of the file of a team, which is invalid then, and so is its last valid text. */
function withRulesOf({ fence, workspaceRoles = [], projectRoles = [] }: TeamFile, version: Version): Version {
  const rules = [...workspaceRoles, ...projectRoles].map((rule): DeclaredRule => ({ ...rule, inside: undefined }))
  const exact = rules.filter((rule) => 'group' in rule)
  const workspaces = version.declared.workspaces.map((one) => (one.name === fence.workspace ? withRules(one, exact) : one))
  return { ...version, declared: { ...version.declared, workspaces, comment: `${version.declared.comment}, with rules of a team` } }
}

/** Some files are invalid, and some folders are gone. */
function damaged(files: readonly TeamFile[], luck: Chance): readonly TeamFile[] {
  const gone = luck.is(0.25) ? luck.one(files).fence.owner : undefined
  return files.flatMap((one): TeamFile | [] => {
    const broken = luck.is(0.25) ? luck.one(['text', 'outside'] as const) : undefined
    if (one.fence.owner === gone) return []
    return broken === undefined ? one : { ...one, broken }
  })
}

/** After the world has settled, the file of one team becomes invalid or disappears, and the others go on. */
function endOf(files: readonly TeamFile[], drawing: Drawing, last: Version): readonly TeamFile[] {
  const { luck } = drawing
  const victim = luck.one(files)
  const isGone = luck.is(0.3)
  return files.flatMap((one): TeamFile | [] => {
    const isVictim = isGone ? one.fence.owner === victim.fence.owner : one === victim
    const after = withoutKeys(luck.is(0.5) ? drawnFile(one.file, one.fence, drawing) : one, keysOfOpen(last, one.fence.workspace))
    if (!isVictim) return after
    return isGone ? [] : { ...after, broken: luck.one(['text', 'outside'] as const) }
  })
}

type Keys = { readonly keys: ReadonlySet<string>; readonly unmanaged: readonly string[] }

/** The keys that the file without limits names, and its unmanaged groups. A file inside a fence that names one of them is invalid. */
function keysOfOpen({ declared }: Version, workspace: string): Keys {
  const one = declared.workspaces.find(({ name }) => name === workspace) as DeclaredWorkspace
  const exact = [...(one.workspaceRoles ?? []), ...(one.projectRoles ?? [])].flatMap((rule) => ('group' in rule ? [keyOf(rule)] : []))
  return { keys: new Set([...exact, ...one.removed.map(keyOf)]), unmanaged: one.unmanaged }
}

function withoutKeys(file: TeamFile, { keys, unmanaged }: Keys): TeamFile {
  const isFree = (place: Place) => !keys.has(keyOf(place)) && !unmanaged.some((glob) => namesGroup(glob, place.group))
  return mapPlaces(file, isFree)
}

function mapPlaces(file: TeamFile, isKept: (place: Place) => boolean): TeamFile {
  const { workspaceRoles, projectRoles, removed, unmanagedAt } = file
  const kept = (rules: readonly DeclaredRule[]) => rules.filter((rule) => !('group' in rule) || isKept(rule))
  return {
    ...file,
    ...(workspaceRoles === undefined ? {} : { workspaceRoles: kept(workspaceRoles) }),
    ...(projectRoles === undefined ? {} : { projectRoles: kept(projectRoles) }),
    removed: removed.filter(isKept),
    unmanagedAt: unmanagedAt.filter((one) => one.group.endsWith('*') || isKept(one)),
  }
}

/** Each key is named by one file at most, and no file names what is unmanaged in another. */
function withoutContradictions(files: readonly TeamFile[]): readonly TeamFile[] {
  const named = new Map<string, string>()
  const isLeft = (mine: TeamFile, place: Place) =>
    files.some(
      ({ file, fence, unmanagedAt }) =>
        file !== mine.file &&
        fence.workspace === mine.fence.workspace &&
        unmanagedAt.some(({ group, at }) => at === place.at && namesGroup(group, place.group)),
    )
  return files.map((file) =>
    mapPlaces(file, (place) => {
      if (isLeft(file, place)) return false
      const key = `${file.fence.workspace} ${keyOf(place)}`
      const first = named.get(key) ?? file.file
      named.set(key, first)
      return first === file.file
    }),
  )
}

const withTeams = (version: Version, files: readonly TeamFile[]): Version => ({
  ...version,
  declared: {
    ...version.declared,
    workspaces: version.declared.workspaces.map((one) => ({ ...one, teams: files.filter(({ fence }) => fence.workspace === one.name) })),
  },
})
