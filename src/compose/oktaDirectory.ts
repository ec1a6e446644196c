import type { ReadGroups } from '../directories/deadline.ts'
import type { OktaSettings } from '../directories/okta/read.ts'
import type { DirectoryReader } from '../directories/overHttp/reader.ts'
import { complete } from './complete.ts'
import type { DirectorySurroundings, SettingsOf } from './directorySurroundings.ts'
import { httpEnvironment, oauthClientFrom } from './overHttp.ts'

/** The code is loaded at the first reading, so that commands that read no directory start sooner. */
export function oktaDirectory(said: SettingsOf<'okta'>, surroundings: DirectorySurroundings): ReadGroups {
  let reader: Promise<DirectoryReader> | undefined
  const open = async () =>
    (await import('../directories/okta/read.ts')).okta(settingsFrom(said, surroundings), httpEnvironment(surroundings, said.timeout))
  return async (signal, deadline) => {
    reader ??= open()
    return (await reader).read(signal, deadline)
  }
}

function settingsFrom(said: SettingsOf<'okta'>, surroundings: DirectorySurroundings): OktaSettings {
  const { url, caFile, groups, reserve, pageSize, groupsMax } = said
  return complete<OktaSettings>({
    url: new URL(url),
    caFile: caFile === undefined ? undefined : surroundings.path(caFile),
    credential: credentialFrom(said, surroundings),
    groups: { types: groups.types, name: groups.name },
    reserve,
    limits: { pageSize, groupsMax },
  })
}

function credentialFrom({ client, token }: SettingsOf<'okta'>, surroundings: DirectorySurroundings): OktaSettings['credential'] {
  if (client !== undefined) return { client: oauthClientFrom(client, surroundings) }
  if (token !== undefined) return { token: () => surroundings.world.secret(token) }
  throw new TypeError('the schema of the settings lets a directory pass that has neither a client nor a token')
}
