import { type Chance, chance } from './chance.ts'
import { type DeclaredRule, type DeclaredWorkspace, rulesOf } from './declared.ts'
import { edited, withRules } from './editVersions.ts'
import { universe } from './generate.ts'
import type { Happening, Ordering, Spec } from './spec.ts'

/**
 * In some worlds people and jobs run commands beside the daemon: `apply`, which shows its plan first, `reconcile`, and `approve --now`. They are killed, give
 * up, come several at once, take their approvals back, and approve something else by mistake. Most of these worlds have changes that wait for them.
 */
export function withOrders(spec: Spec): Spec {
  const luck = chance(spec.seed, 'orders')
  if (!luck.is(0.1) || spec.journal === 'none' || spec.twoWriters || (spec.policy === 'observe' && luck.is(0.8))) return spec
  const waiting = spec.fences === undefined ? edited(spec, (one) => withProtected(one, chance(spec.seed, `waiting ${one.name}`))) : spec
  const happenings = Array.from({ length: luck.between(1, 5) }, () => ordered(waiting, luck)).flat()
  return {
    ...waiting,
    happenings: [...spec.happenings, ...happenings].toSorted((a, b) => a.atMs - b.atMs),
    ...(luck.is(0.5)
      ? {
          guards: {
            ...{ raises: luck.between(1, 3), deletes: luck.between(0, 1), creates: luck.between(1, 3), day: luck.between(2, 8) },
            lowers: luck.between(1, 3),
          },
        }
      : {}),
  }
}

/** Grants that wait for a person. */
function withProtected(one: DeclaredWorkspace, luck: Chance): DeclaredWorkspace {
  const rules = luck
    .some(universe.slice(0, 7), 0.4)
    .map((group): DeclaredRule => ({ group, at: luck.one(['workspace', 'ENG', 'OPS', '*']), role: 'admin' }))
  return withRules(one, rules)
}

function ordered(spec: Spec, luck: Chance): readonly Happening[] {
  const { rows, endMs, intervalMs } = spec
  const atMs = luck.between(0, endMs)
  const places = Object.entries(rows).flatMap(([workspace, all]) => all.map((row) => ({ workspace, row })))
  // People change mappings, also after the program has written them.
  const hands = luck.some(places, 0.2).map(({ workspace, row }): Happening => {
    const does = luck.one(['drop', 'set'] as const)
    return {
      atMs: luck.between(atMs, atMs + 2 * intervalMs),
      is: 'hand',
      workspace,
      row: { ...row, role: luck.one(['guest', 'member']) },
      does,
    }
  })
  // What an approval has let pass must wait again when the approval has ended, or was taken back.
  const drops = luck
    .some(protectedIn(spec), 0.3)
    .map(({ workspace, row }): Happening => ({ atMs: luck.between(atMs, atMs + 2 * intervalMs), is: 'hand', workspace, row, does: 'drop' }))
  return [{ atMs, is: 'order', ...orderingOf(spec, luck) }, ...hands, ...drops]
}

const protectedIn = ({ versions }: Spec) =>
  (versions.at(-1)?.declared.workspaces ?? []).flatMap((one) =>
    rulesOf(one).flatMap((rule) =>
      'group' in rule && rule.role === 'admin' && rule.allowProtected !== true
        ? [{ workspace: one.name, row: { group: rule.group, at: rule.at, role: rule.role } }]
        : [],
    ),
  )

function orderingOf({ rows, intervalMs }: Spec, luck: Chance): Ordering {
  const kind = luck.one(['apply', 'apply', 'apply', 'reconcile', 'approve', 'approve', 'approve', 'approve'] as const)
  const wrong = kind === 'approve' && luck.is(0.4) ? { wrong: luck.one(['from', 'to', 'id', 'at', 'part', 'part', 'part'] as const) } : {}
  return {
    kind,
    askers: luck.is(0.3) ? luck.between(2, 4) : 1,
    ...(luck.is(0.3) ? { only: luck.one(Object.keys(rows)) } : {}),
    allows: luck.one([0, 0.7, 1, 1]),
    thinksMs: luck.is(0.7) ? luck.between(100, 5_000) : luck.between(0, intervalMs),
    forMs: luck.between(1_000, 3 * intervalMs),
    ...(kind === 'approve' && luck.is(0.5)
      ? { withdrawsMs: luck.is(0.5) ? luck.between(3_000, 30_000) : luck.between(3_000, 2 * intervalMs) }
      : {}),
    ...wrong,
    ...(luck.is(0.2) ? { givesUpMs: luck.is(0.8) ? luck.between(0, 8_000) : luck.between(16_000, 60_000) } : {}),
    ...(luck.is(0.15) ? { diesMs: luck.between(0, 12_000) } : {}),
    ...(luck.is(0.05) ? { misdirected: true } : {}),
  }
}
