import { defined } from '../core/fields.ts'
import type { Directory } from '../cycle/directoryReadings.ts'
import type { DirectoryReaders } from '../directories/deadline.ts'
import { groupFile } from '../directories/file.ts'
import type { DirectorySettings } from '../settings/directories/directory.ts'
import type { LoadedSettings } from '../settings/load.ts'
import type { Bounds } from './bounds.ts'
import type { DirectoryEnvironment } from './directoryEnvironment.ts'
import { entraDirectory } from './entraDirectory.ts'
import type { ProgramEnvironment } from './environment.ts'
import { googleDirectory } from './googleDirectory.ts'
import { keycloakDirectory } from './keycloakDirectory.ts'
import { ldapDirectory } from './ldapDirectory.ts'
import { oktaDirectory } from './oktaDirectory.ts'
import { withReadingDeadline } from './readingDeadline.ts'
import { scimDirectory } from './scimDirectory.ts'

/** The time limit for a file of groups, which has at most a megabyte. Only a disk that does not answer takes so long. */
const fileDeadlineMs = 60_000

/** A reader for one directory of the settings. It lives as long as the composed program, so that a token is used in several readings. */
export function directoryFrom(
  name: string,
  settings: DirectorySettings,
  { path }: LoadedSettings,
  world: ProgramEnvironment,
  bounds: Bounds,
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
      members: (groups, signal) => withReadingDeadline((until, left) => members(groups, until, left), deadline, now)(signal),
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
