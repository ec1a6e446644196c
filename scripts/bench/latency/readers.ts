import { setTimeout as sleep } from 'node:timers/promises'
import { entra } from '../../../src/directories/entra/read.ts'
import { google } from '../../../src/directories/google/read.ts'
import { keycloak } from '../../../src/directories/keycloak/read.ts'
import { readLdap } from '../../../src/directories/ldap/read.ts'
import { readLdapMembers } from '../../../src/directories/ldap/readMembers.ts'
import type { LdapSettings } from '../../../src/directories/ldap/settings.ts'
import { okta } from '../../../src/directories/okta/read.ts'
import type { DirectoryReader, HttpEnvironment } from '../../../src/directories/overHttp/reader.ts'
import { scim } from '../../../src/directories/scim/read.ts'
import { connectOrigin } from '../../../src/http/origin.ts'
import { clientId, tenantId } from '../../../test/functional/standIns/entra.ts'
import { scimToken } from '../../../test/functional/standIns/scim.ts'
import { type Kind, oktaToken, suffix } from './world.ts'

const groupsMax = 50_000
const secret = async () => 'the-secret-of-the-reader'

/** As the program has it for each directory over HTTP. */
const around: HttpEnvironment = {
  connect: (url) => connectOrigin(url, { deadlineMs: 30_000, bytesMax: 64 * 1024 * 1024, idleMs: 2_000, connections: 8, now: Date.now }),
  now: Date.now,
  wall: Date.now,
  wait: (ms, signal) => sleep(ms, undefined, { signal }),
  random: Math.random,
}

/** A new reader of the stand-in at this address. The sizes of pages are the program's defaults; groups inside groups are not read. */
export const readers: Readonly<Record<Kind, (address: string) => DirectoryReader>> = {
  okta: (address) =>
    okta(
      {
        url: new URL(address),
        credential: { token: async () => oktaToken },
        groups: { types: ['OKTA_GROUP'], name: 'name' },
        people: { identity: 'email' },
        reserve: 0,
        limits: { pageSize: 200, groupsMax },
      },
      around,
    ),
  google: (address) => {
    const url = new URL(address)
    return google(
      {
        url,
        tokenUrl: new URL('/token', url),
        stsUrl: new URL('/v1/token', url),
        iamUrl: url,
        asked: { customer: 'my_customer' },
        account: { token: async () => 'static-token' },
        name: 'email',
        people: { identity: 'email', nested: false },
        limits: { pageSize: 200, groupsMax },
      },
      around,
    )
  },
  entra: (address) => {
    const url = new URL(address)
    return entra(
      {
        tenant: tenantId,
        graph: url,
        login: url,
        scope: 'https://graph.microsoft.com/.default',
        client: { id: clientId, secret, authentication: 'client_secret_post' },
        groups: { name: 'id', cloudDisplayName: false, types: 'security' },
        people: { identity: 'mail', nested: false },
        limits: { pageSize: 999, groupsMax, checkTotal: true },
      },
      around,
    )
  },
  keycloak: (address) =>
    keycloak(
      {
        url: new URL(address),
        realm: 't',
        client: { id: 'reader', secret },
        groups: { name: 'path', slashes: 'plain', members: true },
        people: { identity: 'username', nested: false },
        limits: { pageSize: 100, groupsMax },
      },
      around,
    ),
  scim: (address) =>
    scim(
      {
        url: new URL(address),
        credential: { token: async () => scimToken },
        allowPlaintext: false,
        groups: { name: 'displayName' },
        people: { identity: 'email', nested: false },
        limits: { pageSize: 100, groupsMax },
      },
      around,
    ),
  ldap: (address) => {
    const settings: LdapSettings = {
      addresses: [address],
      bind: { dn: `cn=reader,${suffix}`, password: secret },
      groups: { base: `ou=groups,${suffix}`, scope: 'sub', filter: '(objectClass=groupOfNames)', name: 'cn', members: 'member' },
      people: { base: `ou=people,${suffix}`, filter: '(objectClass=person)', identity: 'mail', nested: false },
      pageSize: 500,
      timeoutMs: 30_000,
      groupsMax,
      membersMax: 1_000_000,
      referrals: 'fail',
    }
    return {
      read: (signal) => readLdap(settings, around, signal),
      members: (groups, asOfMs, signal) => readLdapMembers(settings, groups, asOfMs, around, signal),
    }
  },
}
