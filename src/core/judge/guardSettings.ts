import { type Amounts, amountNames } from '../amounts.ts'
import type { FlappingSettings } from '../memory/lastApplied.ts'
import { defined } from '../optionalFields.ts'
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
export type OwnLimits = { readonly [name in keyof Amounts]?: Own<Limit> | undefined } & { readonly people?: Own<PeopleLimits> | undefined }
type Own<T> = { readonly [key in keyof T]?: T[key] | undefined }

/** The limits of a workspace: its own ones stand in the place of those for all workspaces. */
export function guardsOf(guards: GuardSettings, own: OwnLimits | undefined): GuardSettings {
  if (own === undefined) return guards
  const limits = amountNames.map((name) => [name, { ...guards[name], ...defined(own[name] ?? {}) }])
  return { ...guards, ...Object.fromEntries(limits), people: { ...guards.people, ...defined(own.people ?? {}) }, own }
}

/** Where a limit stands in the settings. */
export function settingOf(
  { own }: Pick<GuardSettings, 'own'>,
  workspace: string,
  ...[name, key]: [keyof Amounts, keyof Limit] | ['people', keyof PeopleLimits]
): string {
  const ownLimit: Readonly<Record<string, unknown>> = own?.[name] ?? {}
  return `${ownLimit[key] === undefined ? '' : `workspaces.${workspace}.`}guards.${name}.${key}`
}
