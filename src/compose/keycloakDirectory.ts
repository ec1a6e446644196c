import type { DirectoryReaders } from '../directories/deadline.ts'
import type { KeycloakSettings } from '../directories/keycloak/read.ts'
import { complete } from './complete.ts'
import type { DirectoryEnvironment, SettingsOf } from './directoryEnvironment.ts'
import { httpEnvironment, loadedLater, oauthClientFrom } from './overHttp.ts'

export const keycloakDirectory = (said: SettingsOf<'keycloak'>, environment: DirectoryEnvironment): DirectoryReaders =>
  loadedLater(
    async () =>
      (await import('../directories/keycloak/read.ts')).keycloak(
        settingsFrom(said, environment),
        httpEnvironment(environment, said.timeout),
      ),
    said.people !== undefined,
  )

function settingsFrom(said: SettingsOf<'keycloak'>, environment: DirectoryEnvironment): KeycloakSettings {
  const { url, realm, issuer, allowPlaintext, caFile, client, groups, people, pageSize, groupsMax } = said
  return complete<KeycloakSettings>({
    url: new URL(url),
    realm,
    issuer: issuer === undefined ? undefined : new URL(issuer),
    allowPlaintext,
    caFile: caFile === undefined ? undefined : environment.path(caFile),
    client: oauthClientFrom(client, environment),
    groups: complete<KeycloakSettings['groups']>({
      roles: groups.from === 'groups' ? undefined : groups.from,
      name: groups.name,
      slashes: groups.slashes,
      under: groups.under,
      members: groups.members,
    }),
    people,
    limits: { pageSize, groupsMax },
  })
}
