import { defined } from '../core/optionalFields.ts'
import { durationText } from '../core/quantity.ts'
import type { Reading } from '../core/reading.ts'
import type { Directory } from '../cycle/directoryReadings.ts'
import type { Deadline, DirectoryReaders } from '../directories/deadline.ts'
import { groupFile } from '../directories/file.ts'
import { unlessAborted } from '../http/origin.ts'
import type { DirectorySettings } from '../settings/directories/directory.ts'
import type { LoadedSettings } from '../settings/load.ts'
import type { OriginBounds } from './bounds.ts'
import type { ProgramEnvironment } from './environment.ts'
import { entraDirectory, googleDirectory, keycloakDirectory, oktaDirectory, scimDirectory } from './httpDirectories.ts'
import { ldapDirectory } from './ldapDirectory.ts'
import type { DirectoryEnvironment } from './overHttp.ts'

/** The time limit for a file of groups, which has at most a megabyte. Only a disk that does not answer takes so long. */
const fileDeadlineMs = 60_000

/** A reader for one directory of the settings. It lives as long as the composed program, so that a token is used in several readings. */
export function directoryFrom(
  name: string,
  settings: DirectorySettings,
  { path }: LoadedSettings,
  world: ProgramEnvironment,
  bounds: OriginBounds,
): Directory {
  const { kind, shrink, expect } = settings
  const deadline =
    settings.kind === 'file' ? { ms: fileDeadlineMs } : { ms: settings.readingTimeout, setting: `directories.${name}.readingTimeout` }
  const { now } = world.clock
  const { read, members } = readersOf(settings, { name, path, world, bounds })
  return {
    kind,
    shrink,
    ...defined({ expect: expect && defined(expect) }),
    read: withReadingDeadline(read, deadline, now),
    ...(members && {
      members: (groups, asOfMs, signal) =>
        withReadingDeadline((until, left) => members(groups, asOfMs, until, left), deadline, now)(signal),
    }),
  }
}

/** The only place, beside the union in the settings' schema, that knows all kinds. */
function readersOf(settings: DirectorySettings, environment: DirectoryEnvironment): DirectoryReaders {
  switch (settings.kind) {
    case 'file':
      return groupFile(environment.path(settings.path), environment.world.clock.now)
    case 'ldap':
      return ldapDirectory(settings, environment)
    case 'keycloak':
      return keycloakDirectory(settings, environment)
    case 'okta':
      return oktaDirectory(settings, environment)
    case 'google':
      return googleDirectory(settings, environment)
    case 'entra':
      return entraDirectory(settings, environment)
    case 'scim':
      return scimDirectory(settings, environment)
    default:
      return settings satisfies never
  }
}

/** `setting`: the name of the limit in the settings; absent if no setting has it. */
type ReadingDeadline = { readonly ms: number; readonly setting?: string }

/**
 * Limits the time of a whole reading, whatever it waits for: a server that sends page after page, or a disk that does not answer. A reading that
 * takes longer fails, and what was read is dropped. The reader knows the time that is left, so that it does not begin a wait that is longer.
 */
export function withReadingDeadline<R extends Reading<unknown>>(
  read: (signal: AbortSignal, deadline: Deadline) => Promise<R>,
  { ms, setting }: ReadingDeadline,
  now: () => number,
): (signal: AbortSignal) => Promise<R | Extract<Reading<never>, { status: 'failed' }>> {
  return async (signal) => {
    const atMs = now()
    const failed = (why: string, cure?: string): Extract<Reading<never>, { status: 'failed' }> => ({
      status: 'failed',
      why,
      ...(cure === undefined ? {} : { cure }),
      atMs,
      tookMs: now() - atMs,
    })
    const deadline = AbortSignal.timeout(ms)
    const until = AbortSignal.any([signal, deadline])
    try {
      const reading = await unlessAborted(read(until, { leftMs: () => atMs + ms - now(), setting }), until)
      // If the reading notices the deadline first, its result says only that it was given up. The result below names the limit instead.
      if (reading.status !== 'failed' || !deadline.aborted) return reading
    } catch (error) {
      if (!until.aborted) throw error
    }
    if (signal.aborted) return failed('given up while it was read')
    const cure = setting === undefined ? 'check the disk' : `find out why it is slow, or raise ${setting}`
    return failed(`it was not read to its end within ${durationText(ms)}`, cure)
  }
}
