import type { DirectoryReaders } from '../directories/deadline.ts'
import type { EntraSettings } from '../directories/entra/read.ts'
import type { DirectoryClient } from '../directories/overHttp/token.ts'
import { complete } from './complete.ts'
import type { DirectoryEnvironment, SettingsOf } from './directoryEnvironment.ts'
import { httpEnvironment, loadedLater, oauthClientFrom } from './overHttp.ts'

export const entraDirectory = (said: SettingsOf<'entra'>, environment: DirectoryEnvironment): DirectoryReaders =>
  loadedLater(
    async () =>
      (await import('../directories/entra/read.ts')).entra(settingsFrom(said, environment), httpEnvironment(environment, said.timeout)),
    said.people !== undefined,
  )

function settingsFrom(said: SettingsOf<'entra'>, environment: DirectoryEnvironment): EntraSettings {
  const { tenant, cloud, graphUrl, loginUrl, allowPlaintext, caFile, client, groups, people, checkTotal, pageSize, groupsMax } = said
  const { graph, login } = clouds[cloud]
  return complete<EntraSettings>({
    tenant,
    graph: new URL(graphUrl ?? graph),
    login: new URL(loginUrl ?? login),
    scope: `${graph}/.default`,
    allowPlaintext,
    caFile: caFile === undefined ? undefined : environment.path(caFile),
    client: clientFrom(client, environment),
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
function clientFrom(said: SettingsOf<'entra'>['client'], environment: DirectoryEnvironment): DirectoryClient {
  const client = oauthClientFrom(said, environment, { rsaAlgorithm: 'PS256', type: 'JWT' })
  return 'secret' in client ? { ...client, authentication: 'client_secret_post' } : client
}

/**
 * The hosts of Microsoft's clouds. Tokens: learn.microsoft.com/entra/identity-platform/authentication-national-cloud. Graph:
 * learn.microsoft.com/graph/deployments; a tenant of Microsoft 365 GCC is in the global cloud, GCC High in `usgov`, DoD in `usgov-dod`.
 */
export const clouds = {
  global: { login: 'https://login.microsoftonline.com', graph: 'https://graph.microsoft.com' },
  usgov: { login: 'https://login.microsoftonline.us', graph: 'https://graph.microsoft.us' },
  'usgov-dod': { login: 'https://login.microsoftonline.us', graph: 'https://dod-graph.microsoft.us' },
  china: { login: 'https://login.partner.microsoftonline.cn', graph: 'https://microsoftgraph.chinacloudapi.cn' },
} as const
