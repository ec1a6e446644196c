import { type Chance, chance } from './chance.ts'
import { type DeclaredRule, type DeclaredWorkspace, type Place, projectsNamedBy } from './declared.ts'
import { edited, editedFrom, withRules } from './editVersions.ts'
import { universe } from './generate.ts'
import { withRulesForRows } from './generateAnswers.ts'
import { roles } from './given.ts'
import type { Happening, ProjectChange, Row, Spec } from './spec.ts'

/** In some worlds people rename, swap, hide, delete and create projects, and edit the declaration earlier, later or never. */
export function withProjects(spec: Spec): Spec {
  const luck = chance(spec.seed, 'projects')
  if (!luck.is(0.2)) return spec
  const hasThird = luck.is(0.3)
  const rooted: Spec = hasThird ? { ...spec, projects: [...spec.projects, third], rows: withThird(spec.rows, luck) } : spec
  const ruled = withOddRules(withRulesForRows(rooted, luck, 0.6), luck)
  const names = Object.keys(spec.rows)
  const chosen = names.filter((_, index) => index === 0 || luck.is(0.7))
  return chosen.reduce((sofar, name) => {
    const stories = Array.from({ length: luck.is(0.2) ? 2 : 1 }, () => storyOf(luck, spec.endMs, hasThird))
    return stories.reduce((world, story) => told(world, name, story, luck), sofar)
  }, ruled)
}

const third = 'LAB'

/** Mappings to a project that most rules do not name. */
const withThird = (rows: Spec['rows'], luck: Chance): Spec['rows'] =>
  Object.fromEntries(
    Object.entries(rows).map(([name, all]) => {
      const more = new Map<string, Row>()
      for (let n = luck.between(0, 3); n > 0; n--) {
        const group = luck.one(universe.slice(0, 7))
        more.set(group, { group, at: third, role: luck.one(roles) })
      }
      return [name, [...all, ...more.values()]]
    }),
  )

/** Rules with a captured project, rules with `unknownProjects: send`, and rules that name a project before it exists. */
function withOddRules(spec: Spec, luck: Chance): Spec {
  const captures = luck.is(0.3)
  const captured: DeclaredRule = { captured: ['eng', 'ops'], map: {}, at: '', role: luck.one(roles) }
  const sends = luck.one([0, 0, 0.3, 1])
  const early = luck.is(0.12)
  const earlyRule: DeclaredRule = {
    group: luck.one(universe.slice(0, 7)),
    at: luck.one(['ENGX', 'OPSX']),
    role: luck.one(roles),
    send: true,
  }
  return edited(spec, (one) => {
    const more = withRules(one, [...(captures ? [captured] : []), ...(early ? [earlyRule] : [])])
    if (more.projectRoles === undefined) return more
    // A rule is the same in every version.
    const isSent = (rule: DeclaredRule) => projectsNamedBy(rule).length > 0 && chance(spec.seed, `sends ${JSON.stringify(rule)}`).is(sends)
    return { ...more, projectRoles: more.projectRoles.map((rule) => (isSent(rule) ? { ...rule, sendsProject: true } : rule)) }
  })
}

/** The changes of one project, and the edits of the declaration that follow. */
type Story = {
  readonly changes: readonly { readonly atMs: number; readonly change: ProjectChange }[]
  /** `follow`: rules name `to` instead of `project`. `touch`: rules that name `project` are edited, and mean the project that has this identifier now. */
  readonly edit: { readonly atMs: number; readonly does: 'follow' | 'touch'; readonly project: string; readonly to: string } | undefined
}

function storyOf(luck: Chance, endMs: number, hasThird: boolean): Story {
  const project = hasThird && luck.is(0.15) ? third : luck.one(['ENG', 'ENG', 'OPS'])
  const other = project === 'ENG' ? 'OPS' : 'ENG'
  const to = `${project}X`
  const firstMs = luck.is(0.15) ? 0 : luck.between(0, endMs)
  const soon = (fromMs: number) => (luck.is(0.5) ? fromMs : luck.between(fromMs, endMs))
  const laterMs = luck.between(firstMs, endMs)
  const at = (atMs: number, change: ProjectChange) => ({ atMs, change })
  const rename = { does: 'rename', project, to } as const
  const hide = { does: 'hide', project } as const
  const vanish = { does: 'vanish', project, takes: luck.is(0.7) } as const
  const follows = { does: 'follow', project, to } as const
  const touches = { does: 'touch', project, to: project } as const
  const [changes, does] = luck.one<() => readonly [Story['changes'], Omit<NonNullable<Story['edit']>, 'atMs'>]>([
    () => [[at(firstMs, rename)], follows],
    () => [[at(firstMs, rename)], follows],
    () => [[at(firstMs, rename), at(laterMs, { does: 'rename', project: to, to: project })], touches],
    () => [[at(firstMs, rename), at(soon(firstMs), { does: 'make', project })], luck.one([follows, touches])],
    () => [[at(firstMs, { does: 'swap', project, to: other })], touches],
    () => [[at(firstMs, { does: 'swap', project, to: other }), at(laterMs, { does: 'swap', project, to: other })], touches],
    () => [[at(firstMs, vanish)], touches],
    () => [[at(firstMs, vanish), at(soon(firstMs), { does: 'make', project })], touches],
    () => [[at(firstMs, vanish), at(laterMs, { does: 'return', project })], touches],
    () => [[at(firstMs, hide), ...(luck.is(0.6) ? [at(laterMs, { does: 'show', project })] : [])], touches],
    () => [[at(firstMs, hide), at(laterMs, rename), ...(luck.is(0.5) ? [at(endMs, { does: 'show', project: to })] : [])], follows],
    () => [[at(firstMs, rename), at(soon(firstMs), { does: 'rename', project: other, to: project })], follows],
    () => [
      [
        at(firstMs, luck.is(0.5) ? rename : vanish),
        at(soon(firstMs), { does: 'rename', project: project === third ? other : third, to: project }),
      ],
      touches,
    ],
    () => [[at(firstMs, rename), at(laterMs, { does: 'vanish', project: to, takes: luck.is(0.7) })], follows],
  ])()
  const editMs = luck.one([luck.between(firstMs, endMs), luck.between(laterMs, endMs), luck.between(0, endMs)])
  return { changes, edit: luck.is(0.6) ? { ...does, atMs: editMs } : undefined }
}

function told(spec: Spec, workspace: string, { changes, edit }: Story, luck: Chance): Spec {
  const happenings = changes.map(({ atMs, change }): Happening => ({ atMs, is: 'project', workspace, change }))
  const hands = luck.is(0.2) ? [handAt(spec, workspace, luck)] : []
  const world = { ...spec, happenings: [...spec.happenings, ...happenings, ...hands].toSorted((a, b) => a.atMs - b.atMs) }
  if (edit === undefined) return world
  // The person who edits may overlook some of the rules.
  const groups = new Set(luck.is(0.6) ? universe : luck.some(universe, 0.5))
  const isFollowed = (rule: DeclaredRule) => !('group' in rule) || groups.has(rule.group)
  const role = luck.one(roles)
  return editedFrom(world, edit.atMs, (one) => {
    if (one.name !== workspace) return one
    const placed = (place: Place): Place => (place.at === edit.project && groups.has(place.group) ? { ...place, at: edit.to } : place)
    const rules = one.projectRoles?.map((rule) => (isFollowed(rule) ? rewritten(rule, edit, role) : rule))
    const changed: DeclaredWorkspace = {
      ...one,
      removed: edit.does === 'follow' ? one.removed.map(placed) : one.removed,
      ...(rules === undefined ? {} : { projectRoles: rules }),
    }
    return withRules(changed, [])
  })
}

function rewritten(rule: DeclaredRule, { does, project, to }: NonNullable<Story['edit']>, role: string): DeclaredRule {
  if (!projectsNamedBy(rule).includes(project)) return rule
  if (does === 'touch') return 'captured' in rule ? { ...rule, role } : { ...rule, reason: 'the project of this name' }
  if (!('captured' in rule)) return { ...rule, at: to }
  const prefix = rule.captured.find((one) => [rule.map[one] ?? one.toUpperCase()].flat().includes(project))
  return prefix === undefined ? rule : { ...rule, map: { ...rule.map, [prefix]: to } }
}

/** A person adds a mapping to the project that has this identifier at that time. */
function handAt({ endMs }: Spec, workspace: string, luck: Chance): Happening {
  const row = { group: luck.one(universe.slice(0, 7)), at: luck.one(['ENG', 'OPS', 'ENGX', 'OPSX']), role: luck.one(roles) }
  return { atMs: luck.between(0, endMs), is: 'hand', workspace, row, does: 'add' }
}
