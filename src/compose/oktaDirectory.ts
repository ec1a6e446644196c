import type { DirectoryReaders } from '../directories/deadline.ts'
import type { OktaSettings } from '../directories/okta/read.ts'
import { complete } from './complete.ts'
import type { DirectoryEnvironment, SettingsOf } from './directoryEnvironment.ts'
import { httpEnvironment, loadedLater, oauthClientFrom } from './overHttp.ts'

export const oktaDirectory = (said: SettingsOf<'okta'>, environment: DirectoryEnvironment): DirectoryReaders =>
  loadedLater(
    async () =>
      (await import('../directories/okta/read.ts')).okta(settingsFrom(said, environment), httpEnvironment(environment, said.timeout)),
    said.people !== undefined,
  )

function settingsFrom(said: SettingsOf<'okta'>, environment: DirectoryEnvironment): OktaSettings {
  const { url, caFile, groups, people, reserve, pageSize, groupsMax } = said
  return complete<OktaSettings>({
    url: new URL(url),
    caFile: caFile === undefined ? undefined : environment.path(caFile),
    credential: credentialFrom(said, environment),
    groups: { types: groups.types, name: groups.name },
    people,
    reserve,
    limits: { pageSize, groupsMax },
  })
}

function credentialFrom({ client, token }: SettingsOf<'okta'>, environment: DirectoryEnvironment): OktaSettings['credential'] {
  if (client !== undefined) return { client: oauthClientFrom(client, environment) }
  if (token !== undefined) return { token: () => environment.world.secret(token) }
  throw new TypeError('the schema of the settings lets a directory pass that has neither a client nor a token')
}
