import type { DirectoryReaders } from '../directories/deadline.ts'
import type { OktaSettings } from '../directories/okta/read.ts'
import { complete } from './complete.ts'
import type { DirectorySurroundings, SettingsOf } from './directorySurroundings.ts'
import { httpEnvironment, loadedLater, oauthClientFrom } from './overHttp.ts'

export const oktaDirectory = (said: SettingsOf<'okta'>, surroundings: DirectorySurroundings): DirectoryReaders =>
  loadedLater(
    async () =>
      (await import('../directories/okta/read.ts')).okta(settingsFrom(said, surroundings), httpEnvironment(surroundings, said.timeout)),
    said.people !== undefined,
  )

function settingsFrom(said: SettingsOf<'okta'>, surroundings: DirectorySurroundings): OktaSettings {
  const { url, caFile, groups, people, reserve, pageSize, groupsMax } = said
  return complete<OktaSettings>({
    url: new URL(url),
    caFile: caFile === undefined ? undefined : surroundings.path(caFile),
    credential: credentialFrom(said, surroundings),
    groups: { types: groups.types, name: groups.name },
    people,
    reserve,
    limits: { pageSize, groupsMax },
  })
}

function credentialFrom({ client, token }: SettingsOf<'okta'>, surroundings: DirectorySurroundings): OktaSettings['credential'] {
  if (client !== undefined) return { client: oauthClientFrom(client, surroundings) }
  if (token !== undefined) return { token: () => surroundings.world.secret(token) }
  throw new TypeError('the schema of the settings lets a directory pass that has neither a client nor a token')
}
