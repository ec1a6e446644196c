import type { DirectoryReaders } from '../directories/deadline.ts'
import { clouds } from '../directories/entra/clouds.ts'
import type { EntraSettings } from '../directories/entra/read.ts'
import type { DirectoryClient } from '../directories/overHttp/client.ts'
import { complete } from './complete.ts'
import type { DirectorySurroundings, SettingsOf } from './directorySurroundings.ts'
import { httpEnvironment, loadedLater, oauthClientFrom } from './overHttp.ts'

export const entraDirectory = (said: SettingsOf<'entra'>, surroundings: DirectorySurroundings): DirectoryReaders =>
  loadedLater(
    async () =>
      (await import('../directories/entra/read.ts')).entra(settingsFrom(said, surroundings), httpEnvironment(surroundings, said.timeout)),
    said.people !== undefined,
  )

function settingsFrom(said: SettingsOf<'entra'>, surroundings: DirectorySurroundings): EntraSettings {
  const { tenant, cloud, graphUrl, loginUrl, allowPlaintext, caFile, client, groups, people, checkTotal, pageSize, groupsMax } = said
  const { graph, login } = clouds[cloud]
  return complete<EntraSettings>({
    tenant,
    graph: new URL(graphUrl ?? graph),
    login: new URL(loginUrl ?? login),
    scope: `${graph}/.default`,
    allowPlaintext,
    caFile: caFile === undefined ? undefined : surroundings.path(caFile),
    client: clientFrom(client, surroundings),
    groups: complete<EntraSettings['groups']>({
      name: groups.name,
      cloudDisplayName: groups.cloudDisplayName,
      types: groups.types,
      assigned: groups.assigned,
    }),
    people,
    limits: { checkTotal, pageSize, groupsMax },
  })
}

/**
 * The secret goes in the form, and a JWT is signed with `PS256` and has the `typ` of a JWT. Sources:
 * learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow, …/certificate-credentials.
 */
function clientFrom(said: SettingsOf<'entra'>['client'], surroundings: DirectorySurroundings): DirectoryClient {
  const client = oauthClientFrom(said, surroundings, { rsaAlgorithm: 'PS256', type: 'JWT' })
  return 'secret' in client ? { ...client, authentication: 'client_secret_post' } : client
}
