import { type Amounts, amountNames } from '../amounts.ts'
import { defined } from '../fields.ts'
import type { FlappingSettings } from '../memory/lastApplied.ts'
import type { PeopleLimits } from '../peopleEffect.ts'

/** The limits of the guards. `own`: those that stand in the settings of this workspace, for the names in messages. */
export type GuardSettings = {
  readonly creates: { readonly count: number }
  readonly raises: Limit
  readonly lowers: Limit
  readonly deletes: Limit
  /** Summed over all workspaces and slices of one run, and over the 24 hours before now. */
  readonly run: Amounts
  readonly day: Amounts
  readonly flapping: FlappingSettings
  readonly protectedGroups: readonly string[]
  readonly people?: PeopleLimits
  readonly own?: OwnLimits
}
/** Passes if n ≤ `count` and n ≤ max(`minExisting`, `share` × owned). */
export type Limit = { readonly count: number; readonly share: number; readonly minExisting: number }

/** The limits that one workspace has for itself. */
type OwnLimits = { readonly [name in keyof Amounts]?: { readonly [key in keyof Limit]?: Limit[key] | undefined } | undefined }

/** The limits of a workspace: its own ones stand in the place of those for all workspaces. */
export function guardsOf(guards: GuardSettings, own: OwnLimits | undefined): GuardSettings {
  if (own === undefined) return guards
  const limits = amountNames.map((name) => [name, { ...guards[name], ...defined(own[name] ?? {}) }])
  return { ...guards, ...Object.fromEntries(limits), own }
}

/** Where a limit stands in the settings. */
export const settingOf = ({ own }: Pick<GuardSettings, 'own'>, workspace: string, name: keyof Amounts, key: keyof Limit): string =>
  `${own?.[name]?.[key] === undefined ? '' : `workspaces.${workspace}.`}guards.${name}.${key}`
