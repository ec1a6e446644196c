import { type Chance, chance } from './chance.ts'
import type { Declared, DeclaredRule, DeclaredWorkspace } from './declared.ts'
import { edited, isSteady, withRules } from './editVersions.ts'
import { roles } from './given.ts'
import type { Spec } from './spec.ts'

const dayMs = 86_400_000

/**
 * In some worlds the declaration uses more of its language: rules that start or end at a moment, two rules of one key one after the other, naming
 * schemes that skip projects and that name several projects, lists of groups, and `from` above the rules.
 */
export function withWords(spec: Spec): Spec {
  const luck = chance(spec.seed, 'words')
  if (!luck.is(0.15) || spec.twoWriters) return spec
  const role = luck.one(roles)
  const map = luck.one<Readonly<Record<string, string | readonly string[]>>>([
    {},
    { eng: ['ENG', 'LAB'] },
    { eng: ['OPS', 'ENG'] },
    { ops: ['ENGX', 'OPS'] },
  ])
  const scheme: DeclaredRule = { captured: ['eng', 'ops', 'legacy'], map, at: '', role, skipsProject: luck.is(0.8) }
  const schemed = luck.is(0.5) ? edited(spec, (one) => withRules(one, [scheme])) : spec
  const dated = luck.is(0.7) ? edited(schemed, (one) => withDates(one, spec)) : schemed
  return { ...dated, versions: dated.versions.map((version) => ({ ...version, declared: styled(version.declared, spec, luck) })) }
}

function styled(declared: Declared, { directories: names }: Spec, luck: Chance): Declared {
  const from = luck.is(0.5) ? { from: { at: luck.one(['file', 'workspace', 'rule'] as const), names } } : {}
  return { ...declared, style: { ...from, lists: luck.is(0.5) } }
}

/** The dates of a rule are the same in every version. */
function withDates(one: DeclaredWorkspace, spec: Spec): DeclaredWorkspace {
  const dated = (rules: readonly DeclaredRule[]) =>
    rules.flatMap((rule) => datedRules(rule, spec, chance(spec.seed, `dates ${one.name} ${JSON.stringify(rule)}`)))
  return {
    ...one,
    ...(one.workspaceRoles === undefined ? {} : { workspaceRoles: dated(one.workspaceRoles) }),
    ...(one.projectRoles === undefined ? {} : { projectRoles: dated(one.projectRoles) }),
  }
}

function datedRules(rule: DeclaredRule, { beginMs, endMs }: Spec, luck: Chance): readonly DeclaredRule[] {
  if (rule.expires !== undefined || ('group' in rule && isSteady(rule)) || luck.is(0.4)) return [rule]
  const iso = (ms: number) => new Date(ms).toISOString()
  const moment = (ms: number) => `${iso(ms).slice(0, 19)}Z`
  const during = beginMs + luck.between(0, endMs)
  const later = during + luck.between(1_000, endMs)
  return luck.one<() => readonly DeclaredRule[]>([
    () => [{ ...rule, starts: moment(during) }],
    () => [{ ...rule, starts: moment(during) }],
    () => [{ ...rule, starts: moment(during), expires: moment(later) }],
    () => [{ ...rule, expires: moment(during) }],
    () => [{ ...rule, starts: iso(beginMs - dayMs).slice(0, 10) }],
    () => [{ ...rule, starts: iso(beginMs + 200 * dayMs).slice(0, 10) }],
    () => oneAfterTheOther(rule, [moment(during), moment(luck.is(0.6) ? during : later)], luck.one(roles)),
  ])()
}

/** Two rules of one key, with no time in common. */
function oneAfterTheOther(rule: DeclaredRule, [end, begin]: readonly [string, string], role: string): readonly DeclaredRule[] {
  if (!('group' in rule) || rule.previously !== undefined) return [{ ...rule, starts: begin }]
  return [
    { ...rule, expires: end },
    { ...rule, role, starts: begin },
  ]
}
