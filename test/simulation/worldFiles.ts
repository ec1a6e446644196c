import type { LoadedSettings } from '../../src/settings/load.ts'
import { type Settings, settingsSchema } from '../../src/settings/schema.ts'
import { minExisting } from './audit/measure.ts'
import { declarationText, teamText } from './declarationText.ts'
import type { Declared, DeclaredRule } from './declared.ts'
import type { Spec } from './spec.ts'

/** A file of the declaration. */
export type File = { readonly file: string; readonly bytes: Buffer }

/** The file without limits, or the only file, comes first. */
export function filesOf({ fences, ours }: Spec, declared: Declared, isBroken: boolean): readonly [File, ...File[]] {
  const open = Buffer.from(isBroken ? 'version: 1\nworkspaces: [broken\n' : declarationText(declared))
  if (ours !== undefined) return partsOf(declared, ours.files)
  const teams = declared.workspaces.flatMap(({ teams: files = [] }) => files)
  return [
    { file: fences?.file ?? 'groups.yaml', bytes: open },
    ...teams.map((one) => ({ file: one.file, bytes: Buffer.from(teamText(one, declared.comment)) })),
  ]
}

/** The declaration in so many files. Each file names all lists, and a rule may be in another file after an edit. */
function partsOf({ workspaces, comment }: Declared, files: number): readonly [File, ...File[]] {
  const parts = Array.from({ length: files }, (_, index): File => {
    const isHere = (_rule: DeclaredRule, at: number) => at % files === index
    const mine = workspaces.map(({ workspaceRoles, projectRoles, ...one }) => ({
      ...{ ...one, unmanaged: index === 0 ? one.unmanaged : [] },
      ...(workspaceRoles === undefined ? {} : { workspaceRoles: workspaceRoles.filter(isHere) }),
      ...(projectRoles === undefined ? {} : { projectRoles: projectRoles.filter(isHere) }),
    }))
    return { file: `groups-${index}.yaml`, bytes: Buffer.from(declarationText({ workspaces: mine, comment })) }
  })
  return parts as readonly File[] as readonly [File, ...File[]]
}

/** The fences of the settings. */
function fencesIn({ fences }: Spec) {
  if (fences === undefined) return {}
  const teams = fences.of.map(({ owner, ...fence }) => [`teams/${owner}/**`, { owner: `team-${owner}`, ...fence }] as const)
  return { fences: { [fences.file]: 'everything', ...Object.fromEntries(teams) } }
}

const wideSum = 10_000

/**
 * The settings of the program in a world.
 *
 * @param share of each limit that has one; absent: the shares that the auditor knows
 */
export function loadedSettings(spec: Spec, share?: string): LoadedSettings {
  const { guards } = spec
  const shrink = { share: share ?? '50%', minExisting: 3 }
  const all = share ?? (guards.hasNoShares === true ? '100%' : undefined)
  const sums = (each: number, creates = each) => ({ creates, raises: each, lowers: each, deletes: each })
  const settings: Settings = settingsSchema.parse({
    version: 1,
    service: {
      baseUrl: 'https://plane.example.com',
      credential: { apiKey: { env: 'KEY' } },
      limit: { requests: spec.settingsLimit, window: '60s', reserve: spec.reserve },
      unknownOutcomeWait: `${spec.deltaMs}ms`,
    },
    workspaces: Object.fromEntries(Object.keys(spec.rows).map((name) => [name, {}])),
    declaration: 'groups.yaml',
    ...fencesIn(spec),
    ...(spec.fences === undefined ? {} : { waivers: { files: [spec.fences.file] } }),
    directories: Object.fromEntries(spec.directories.map((name) => [name, { kind: 'file', path: `${name}.yaml`, shrink }])),
    policy: spec.policy,
    suspend: spec.suspend,
    guards: {
      raises: { count: guards.raises, share: all ?? '30%', minExisting: minExisting.raises },
      lowers: { count: guards.lowers, share: all ?? '30%', minExisting: minExisting.lowers },
      deletes: { count: guards.deletes, share: all ?? '20%', minExisting: minExisting.deletes },
      creates: { count: guards.creates },
      run: sums(guards.run ?? wideSum),
      day: sums(guards.day, guards.dayCreates ?? wideSum),
      ...(spec.people === undefined ? {} : { people: spec.people.limits }),
    },
    journal: spec.journal === 'none' ? 'none' : { folder: 'state', bytesMax: 20_000, filesMax: 3 },
    http: 'none',
  })
  return {
    valid: true,
    settings,
    path: (relative) => relative,
    hash: 'settings',
    file: 'config.yaml',
    intervalMs: spec.intervalMs,
    bytes: new Uint8Array(),
    document() {
      throw new Error('these settings have no file')
    },
  }
}
