import type { ReadGroups } from '../directories/deadline.ts'
import type { KeycloakSettings } from '../directories/keycloak/read.ts'
import type { DirectoryReader } from '../directories/overHttp/reader.ts'
import { complete } from './complete.ts'
import type { DirectorySurroundings, SettingsOf } from './directorySurroundings.ts'
import { httpEnvironment, oauthClientFrom } from './overHttp.ts'

/** The code is loaded at the first reading, so that commands that read no directory start sooner. */
export function keycloakDirectory(said: SettingsOf<'keycloak'>, surroundings: DirectorySurroundings): ReadGroups {
  let reader: Promise<DirectoryReader> | undefined
  const open = async () =>
    (await import('../directories/keycloak/read.ts')).keycloak(
      settingsFrom(said, surroundings),
      httpEnvironment(surroundings, said.timeout),
    )
  return async (signal, deadline) => {
    reader ??= open()
    return (await reader).read(signal, deadline)
  }
}

function settingsFrom(said: SettingsOf<'keycloak'>, surroundings: DirectorySurroundings): KeycloakSettings {
  const { url, realm, issuer, allowPlaintext, caFile, client, groups, pageSize, groupsMax } = said
  return complete<KeycloakSettings>({
    url: new URL(url),
    realm,
    issuer: issuer === undefined ? undefined : new URL(issuer),
    allowPlaintext,
    caFile: caFile === undefined ? undefined : surroundings.path(caFile),
    client: oauthClientFrom(client, surroundings),
    groups: complete<KeycloakSettings['groups']>({
      roles: groups.from === 'groups' ? undefined : groups.from,
      name: groups.name,
      slashes: groups.slashes,
      under: groups.under,
      members: groups.members,
    }),
    limits: { pageSize, groupsMax },
  })
}
