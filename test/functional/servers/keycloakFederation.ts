import { type Admin, secret } from './keycloakRealm.ts'
import type { Slapd } from './slapd.ts'

/** A component of Keycloak has lists of texts as its settings. */
const listed = (config: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(config).map(([name, value]) => [name, [value]]))

const mapper = (claim: string, full: boolean) => ({
  name: claim,
  protocol: 'openid-connect',
  protocolMapper: 'oidc-group-membership-mapper',
  config: { 'claim.name': claim, 'full.path': `${full}`, 'access.token.claim': 'true' },
})

export const federatedRealm = 'federated'

/**
 * Makes a realm of Keycloak that takes its users and groups from an LDAP server: groups inside groups become subgroups. The users log in with their
 * password in LDAP, by the client `login`. All of them are imported. The account of the client `view-users` has the role of this name.
 */
export async function federate(admin: Admin, slapd: Slapd, usersBase: string): Promise<void> {
  const realm = federatedRealm
  await admin('POST', '', {
    realm,
    enabled: true,
    sslRequired: 'none',
    clients: [
      {
        clientId: 'login',
        publicClient: true,
        directAccessGrantsEnabled: true,
        protocolMappers: [mapper('groups', true), mapper('bare', false)],
      },
      { clientId: 'view-users', secret, publicClient: false, serviceAccountsEnabled: true, standardFlowEnabled: false },
    ],
    users: [
      {
        username: 'service-account-view-users',
        enabled: true,
        serviceAccountClientId: 'view-users',
        clientRoles: { 'realm-management': ['view-users'] },
      },
    ],
  })
  const { json } = await admin('GET', `/${realm}`)
  const { id: parentId } = json as { readonly id: string }
  const { id: provider } = await admin('POST', `/${realm}/components`, {
    name: 'ldap',
    providerId: 'ldap',
    providerType: 'org.keycloak.storage.UserStorageProvider',
    parentId,
    config: listed({
      enabled: 'true',
      vendor: 'other',
      connectionUrl: slapd.ldap,
      authType: 'simple',
      bindDn: slapd.reader.dn,
      bindCredential: slapd.reader.password,
      editMode: 'READ_ONLY',
      importEnabled: 'true',
      usersDn: usersBase,
      usernameLDAPAttribute: 'uid',
      rdnLDAPAttribute: 'uid',
      uuidLDAPAttribute: 'entryUUID',
      userObjectClasses: 'inetOrgPerson',
      searchScope: '1',
      pagination: 'true',
      cachePolicy: 'NO_CACHE',
    }),
  })
  const { id: groupMapper } = await admin('POST', `/${realm}/components`, {
    name: 'groups',
    providerId: 'group-ldap-mapper',
    providerType: 'org.keycloak.storage.ldap.mappers.LDAPStorageMapper',
    parentId: provider,
    config: listed({
      'groups.dn': slapd.groupsBase,
      'group.name.ldap.attribute': 'cn',
      'group.object.classes': 'groupOfNames',
      'preserve.group.inheritance': 'true',
      'membership.ldap.attribute': 'member',
      'membership.attribute.type': 'DN',
      'membership.user.ldap.attribute': 'uid',
      mode: 'READ_ONLY',
      'user.roles.retrieve.strategy': 'LOAD_GROUPS_BY_MEMBER_ATTRIBUTE',
      'groups.path': '/',
    }),
  })
  await admin('POST', `/${realm}/user-storage/${provider}/mappers/${groupMapper}/sync?direction=fedToKeycloak`)
  await admin('POST', `/${realm}/user-storage/${provider}/sync?action=triggerFullSync`)
}
