import { type Chance, chance } from './chance.ts'
import type { DeclaredRule, DeclaredWorkspace } from './declared.ts'
import { wideGuards } from './given.ts'
import type { Happening, Refusing, Row, Spec } from './spec.ts'

/**
 * In some worlds all writes, or those with one method, are refused for a while: the owner of the key is not admin, the key lacks a scope, or a proxy answers with
 * a page. The cause is then mended without an edit of the settings. In half of these worlds nothing else happens.
 */
export function withRefusing(spec: Spec): Spec {
  const luck = chance(spec.seed, 'refusing')
  if (!luck.is(0.06) || spec.twoWriters) return spec
  const alone = luck.is(0.5)
  const { intervalMs, endMs } = spec
  const by = luck.one(['owner', 'scope', 'page', 'page'] as const)
  const fromMs = luck.is(0.5) ? 0 : luck.between(0, intervalMs)
  const refusing: Refusing = {
    ...{ by, alone, fromMs },
    status: by === 'page' ? luck.one([403, 403, 405, 413]) : 403,
    methods: by === 'page' && luck.is(0.6) ? [luck.one(['POST', 'PATCH', 'DELETE', 'DELETE'])] : ['POST', 'PATCH', 'DELETE'],
    newKey: by !== 'page' && luck.is(0.5),
    untilMs: luck.between(fromMs + Math.floor(intervalMs / 2), Math.max(endMs - intervalMs, fromMs + intervalMs)),
  }
  return alone ? aloneWith(refusing, spec, luck) : { ...spec, refusing }
}

/** One daemon, one declaration, and perhaps a person who runs a command after the cause is gone. */
function aloneWith(refusing: Refusing, spec: Spec, luck: Chance): Spec {
  const rows = Array.from(
    { length: 24 },
    (_, n): Row => ({ group: `team-${n}`, at: luck.one(['ENG', 'OPS']), role: n % 2 === 0 ? 'guest' : 'member' }),
  )
  const kept = { group: 'it', at: 'workspace', role: 'admin' }
  const [removed, other, rest] = [rows.slice(0, luck.between(0, 2)), rows.slice(2, 2 + luck.between(0, 4)), rows.slice(6)]
  const created = Array.from({ length: luck.between(0, 8) }, (_, n): Row => ({ group: `new-${n}`, at: 'ENG', role: 'member' }))
  const changed = other.map((row): DeclaredRule => ({ ...row, role: row.role === 'guest' ? 'member' : 'guest' }))
  const declared: DeclaredWorkspace = {
    name: 'acme',
    workspaceRoles: [{ ...kept, allowProtected: true }],
    projectRoles: [...changed, ...rest, ...created],
    removed: removed.map(({ group, at }) => ({ group, at })),
    unmanaged: [],
  }
  const { fences: _fences, ...open } = spec
  return {
    ...open,
    ...{ refusing, policy: 'upsert-only', suspend: false, serviceLimit: 60, settingsLimit: 60, usedAtBegin: 0 },
    ...{ echo: false, lagMs: undefined, perPage: undefined, recycleEvery: undefined, limiter: 'sliding-log' },
    ...{ fates: [], traps: [], patchFate: undefined, deleteFate: undefined, firstList: undefined, lacking: undefined },
    guards: wideGuards,
    rows: { acme: [kept, ...rows] },
    directories: ['corp'],
    groups: { corp: ['it', ...rows.map(({ group }) => group), ...created.map(({ group }) => group)] },
    versions: [{ atMs: 0, declared: { comment: 'refused', workspaces: [declared] } }],
    lives: [
      { atMs: luck.between(0, 5_000), folder: 'state', mode: 'daemon', noWait: false, skewMs: luck.between(-60_000, 60_000), drift: 0 },
    ],
    happenings: spec.journal === 'folder' && luck.is(0.5) ? [commandAfter(refusing, spec, luck)] : [],
  }
}

const commandAfter = ({ untilMs }: Refusing, { intervalMs }: Spec, luck: Chance): Happening => ({
  ...{ atMs: untilMs + luck.between(0, Math.floor(intervalMs / 2)), is: 'order', kind: luck.one(['apply', 'reconcile'] as const) },
  ...{ askers: 1, allows: 0, thinksMs: luck.between(100, 3_000), forMs: intervalMs },
})
