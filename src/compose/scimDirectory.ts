import type { DirectoryReaders } from '../directories/deadline.ts'
import type { ScimCredential, ScimSettings } from '../directories/scim/read.ts'
import { complete } from './complete.ts'
import type { DirectoryEnvironment, SettingsOf } from './directoryEnvironment.ts'
import { httpEnvironment, loadedLater, oauthClientFrom } from './overHttp.ts'

export const scimDirectory = (said: SettingsOf<'scim'>, environment: DirectoryEnvironment): DirectoryReaders =>
  loadedLater(
    async () =>
      (await import('../directories/scim/read.ts')).scim(settingsFrom(said, environment), httpEnvironment(environment, said.timeout)),
    said.people !== undefined,
  )

function settingsFrom(said: SettingsOf<'scim'>, environment: DirectoryEnvironment): ScimSettings {
  const { url, allowPlaintext, caFile, groups, people, pageSize, groupsMax } = said
  return complete<ScimSettings>({
    url: new URL(url),
    credential: credentialFrom(said, environment),
    allowPlaintext,
    caFile: caFile === undefined ? undefined : environment.path(caFile),
    groups: complete<ScimSettings['groups']>({ name: groups.name, filter: groups.filter }),
    people,
    limits: { pageSize, groupsMax },
  })
}

function credentialFrom(
  { token, client, issuer, tokenUrl, scopes = [] }: SettingsOf<'scim'>,
  environment: DirectoryEnvironment,
): ScimCredential {
  if (token !== undefined) return { token: () => environment.world.secret(token) }
  const address = issuer ?? tokenUrl
  if (client === undefined || address === undefined)
    throw new TypeError('the schema of the settings lets a directory pass that has nothing to get a token')
  const server = issuer === undefined ? { tokenAddress: new URL(address) } : { issuer: new URL(address) }
  return { client: oauthClientFrom(client, environment), server, scopes }
}
