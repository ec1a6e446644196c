import { type Chance, chance } from './chance.ts'
import type { DeclaredRule } from './declared.ts'
import { edited, isSteady } from './editVersions.ts'
import type { Happening, Life, Spec } from './spec.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** How far clocks are set, and how wrong the clock of a host is. */
const spans = [minuteMs, 10 * minuteMs, 61 * minuteMs, 5 * 60 * minuteMs, dayMs, 365 * dayMs]

/** In some worlds the clock of the machine is set forward or back, or is wrong from the start, and rules end soon. */
export function withClocks(spec: Spec): Spec {
  const luck = chance(spec.seed, 'clocks')
  if (!luck.is(0.12)) return spec
  const ending = luck.is(0.7) ? edited(spec, (one) => ({ ...one, ...ends(one, spec.beginMs, luck) })) : spec
  return {
    ...ending,
    happenings: [...spec.happenings, ...steps(luck, spec.endMs)],
    lives: luck.is(0.4) ? spec.lives.map((life) => wrong(luck, life)) : spec.lives,
  }
}

const span = (luck: Chance): number => luck.one([-1, 1]) * luck.one(spans)

function steps(luck: Chance, endMs: number): Happening[] {
  const count = luck.between(1, 4)
  return Array.from({ length: count }, (): Happening => ({ atMs: luck.between(0, endMs), is: 'clock', byMs: span(luck) }))
}

const wrong = (luck: Chance, life: Life): Life => (luck.is(0.4) ? { ...life, skewMs: span(luck) } : life)

type Lists = { readonly workspaceRoles?: readonly DeclaredRule[]; readonly projectRoles?: readonly DeclaredRule[] }

/** Gives some rules a last day: today, tomorrow or next year. */
function ends({ workspaceRoles, projectRoles }: Lists, beginMs: number, luck: Chance): Lists {
  const some = (rules: readonly DeclaredRule[]) => {
    return rules.map((rule): DeclaredRule => {
      if (rule.expires !== undefined || luck.is(0.6) || ('group' in rule && isSteady(rule))) return rule
      return { ...rule, expires: new Date(beginMs + luck.one([0, 1, 200]) * dayMs).toISOString().slice(0, 10) }
    })
  }
  return {
    ...(workspaceRoles === undefined ? {} : { workspaceRoles: some(workspaceRoles) }),
    ...(projectRoles === undefined ? {} : { projectRoles: some(projectRoles) }),
  }
}
