import { complete } from '../core/optionalFields.ts'
import type { DirectoryReaders } from '../directories/deadline.ts'
import type { EntraSettings } from '../directories/entra/read.ts'
import type { GoogleAccount, GoogleSettings } from '../directories/google/read.ts'
import type { KeycloakSettings } from '../directories/keycloak/read.ts'
import type { OktaSettings } from '../directories/okta/read.ts'
import type { DirectoryClient } from '../directories/overHttp/token.ts'
import type { ScimCredential, ScimSettings } from '../directories/scim/read.ts'
import { type DirectoryEnvironment, directoryOverHttp, oauthClientFrom, type SettingsOf } from './overHttp.ts'

export const keycloakDirectory = (settings: SettingsOf<'keycloak'>, environment: DirectoryEnvironment): DirectoryReaders =>
  directoryOverHttp(settings, environment, async (http) =>
    (await import('../directories/keycloak/read.ts')).keycloak(keycloakSettings(settings, environment), http),
  )

function keycloakSettings(settings: SettingsOf<'keycloak'>, environment: DirectoryEnvironment): KeycloakSettings {
  const { url, realm, issuer, allowPlaintext, caFile, client, groups, people, pageSize, members, groupsMax } = settings
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
    limits: { pageSize, membersPageSize: members.pageSize, groupsMax },
  })
}

export const oktaDirectory = (settings: SettingsOf<'okta'>, environment: DirectoryEnvironment): DirectoryReaders =>
  directoryOverHttp(settings, environment, async (http) =>
    (await import('../directories/okta/read.ts')).okta(oktaSettings(settings, environment), http),
  )

function oktaSettings(settings: SettingsOf<'okta'>, environment: DirectoryEnvironment): OktaSettings {
  const { url, caFile, groups, people, reserve, pageSize, groupsMax } = settings
  return complete<OktaSettings>({
    url: new URL(url),
    caFile: caFile === undefined ? undefined : environment.path(caFile),
    credential: oktaCredential(settings, environment),
    groups: { types: groups.types, name: groups.name },
    people,
    reserve,
    limits: { pageSize, groupsMax },
  })
}

function oktaCredential({ client, token }: SettingsOf<'okta'>, environment: DirectoryEnvironment): OktaSettings['credential'] {
  if (client !== undefined) return { client: oauthClientFrom(client, environment) }
  if (token !== undefined) return { token: () => environment.world.secret(token) }
  throw new TypeError('the schema of the settings lets a directory pass that has neither a client nor a token')
}

export const scimDirectory = (settings: SettingsOf<'scim'>, environment: DirectoryEnvironment): DirectoryReaders =>
  directoryOverHttp(settings, environment, async (http) =>
    (await import('../directories/scim/read.ts')).scim(scimSettings(settings, environment), http),
  )

function scimSettings(settings: SettingsOf<'scim'>, environment: DirectoryEnvironment): ScimSettings {
  const { url, allowPlaintext, caFile, groups, people, pageSize, members, groupsMax } = settings
  return complete<ScimSettings>({
    url: new URL(url),
    credential: scimCredential(settings, environment),
    allowPlaintext,
    caFile: caFile === undefined ? undefined : environment.path(caFile),
    groups: complete<ScimSettings['groups']>({ name: groups.name, filter: groups.filter }),
    people,
    limits: { pageSize, membersPageSize: members.pageSize ?? pageSize, groupsMax },
  })
}

function scimCredential(
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

export const entraDirectory = (settings: SettingsOf<'entra'>, environment: DirectoryEnvironment): DirectoryReaders =>
  directoryOverHttp(settings, environment, async (http) =>
    (await import('../directories/entra/read.ts')).entra(entraSettings(settings, environment), http),
  )

function entraSettings(settings: SettingsOf<'entra'>, environment: DirectoryEnvironment): EntraSettings {
  const { tenant, cloud, graphUrl, loginUrl, allowPlaintext, caFile, client, groups, people, checkTotal, pageSize, groupsMax } = settings
  const { graph, login } = clouds[cloud]
  return complete<EntraSettings>({
    tenant,
    graph: new URL(graphUrl ?? graph),
    login: new URL(loginUrl ?? login),
    scope: `${graph}/.default`,
    allowPlaintext,
    caFile: caFile === undefined ? undefined : environment.path(caFile),
    client: entraClient(client, environment),
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
function entraClient(settings: SettingsOf<'entra'>['client'], environment: DirectoryEnvironment): DirectoryClient {
  const client = oauthClientFrom(settings, environment, { rsaAlgorithm: 'PS256', type: 'JWT' })
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

export const googleDirectory = (settings: SettingsOf<'google'>, environment: DirectoryEnvironment): DirectoryReaders =>
  directoryOverHttp(settings, environment, async (http) =>
    (await import('../directories/google/read.ts')).google(googleSettings(settings, environment), http),
  )

function googleSettings(settings: SettingsOf<'google'>, environment: DirectoryEnvironment): GoogleSettings {
  const { url, tokenUrl, stsUrl, iamUrl, customer, domain, allowPlaintext, caFile, account, groups, people, pageSize, groupsMax } = settings
  return complete<GoogleSettings>({
    url: new URL(url),
    tokenUrl: new URL(tokenUrl),
    stsUrl: new URL(stsUrl),
    iamUrl: new URL(iamUrl),
    asked: domain === undefined ? { customer: customer ?? 'my_customer' } : { domain },
    account: accountFrom(account, environment),
    allowPlaintext,
    caFile: caFile === undefined ? undefined : environment.path(caFile),
    name: groups.name,
    people,
    limits: { pageSize, groupsMax },
  })
}

function accountFrom(
  { key, workloadIdentity, token, subject }: SettingsOf<'google'>['account'],
  { world }: DirectoryEnvironment,
): GoogleAccount {
  const whose = subject === undefined ? {} : { subject }
  if (key !== undefined) return { key: () => world.secret(key), ...whose }
  if (token !== undefined) return { token: () => world.secret(token) }
  if (workloadIdentity === undefined) throw new TypeError('the schema of the settings lets an account pass that has no credential')
  const { provider, serviceAccount, token: jwt } = workloadIdentity
  return { workloadIdentity: { provider, serviceAccount, jwt: () => world.secret(jwt) }, ...whose }
}
