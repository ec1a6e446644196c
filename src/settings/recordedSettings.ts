import { defined } from '../core/optionalFields.ts'
import { z } from '../yaml/zod.ts'
import { directorySchema } from './directories/directory.ts'
import type { LoadedSettings } from './load.ts'
import { name } from './scalars.ts'
import { settingsSchema } from './schema.ts'

const { service, workspaces } = settingsSchema.shape
const kinds = directorySchema.options.map(({ shape }) => shape.kind.value)

/**
 * The settings that decide what a plan is. What is not in this list is in no recording: of all addresses it has that of the service, and it has no account, filter,
 * path, or reference to a secret.
 */
export const recordedSettingsSchema = z.strictObject({
  service: service.pick({ baseUrl: true, limit: true, unknownOutcomeWait: true }),
  workspaces: z.record(name, workspaces.valueType.unwrap().omit({ credential: true })),
  ...settingsSchema.pick({ policy: true, suspend: true, fences: true, waivers: true, later: true, approvals: true }).shape,
  ...settingsSchema.pick({ unknownGroups: true, unknownProjects: true, roles: true, guards: true }).shape,
  directories: z.record(name, z.strictObject({ kind: z.enum(kinds) })),
  hasJournal: z.boolean(),
  intervalMs: z.int(),
})
export type RecordedSettings = z.output<typeof recordedSettingsSchema>

/** The part of the settings that a recording has. */
export function recordedSettings({ settings, intervalMs }: Pick<LoadedSettings, 'settings' | 'intervalMs'>): RecordedSettings {
  const { baseUrl, limit, unknownOutcomeWait } = settings.service
  const { policy, suspend, fences, waivers, later, approvals, unknownGroups, unknownProjects, roles, guards } = settings
  return {
    service: { baseUrl, limit, unknownOutcomeWait },
    workspaces: Object.fromEntries(
      Object.entries(settings.workspaces).map(([each, { slug, policy: own, suspend: stops, guards: limits }]) => [
        each,
        defined({ slug, policy: own, suspend: stops, guards: limits }),
      ]),
    ),
    ...{ policy, suspend, fences, waivers, later, approvals, unknownGroups, unknownProjects, roles, guards },
    directories: Object.fromEntries(Object.entries(settings.directories).map(([each, { kind }]) => [each, { kind }])),
    hasJournal: settings.journal !== 'none',
    intervalMs,
  }
}
