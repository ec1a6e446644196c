import { entraState } from '../../src/directories/entra/members.ts'
import { googleState } from '../../src/directories/google/members.ts'
import { keycloakState } from '../../src/directories/keycloak/members.ts'
import { ldapStates, noPeople } from '../../src/directories/ldap/accounts.ts'
import { oktaState } from '../../src/directories/okta/members.ts'
import { scimState } from '../../src/directories/scim/answers.ts'

/** Which accounts are people who can sign in, for docs/directories.md. */
export const accountStates = (): string =>
  [
    '| directory | attribute of the account | nobody can sign in with |',
    '| --- | --- | --- |',
    ...[...ldapStates, ...overHttp].map(({ of, attribute, ended, source }) => `| ${of} | [\`${attribute}\`](${source}) | ${ended} |`),
    '',
    `In LDAP entries with one of these object classes are no people, whatever \`people.filter\` says: ${listed(Object.keys(noPeople))}.`,
    '',
    '| directory | not read | it says | what follows, or the filter without such people |',
    '| --- | --- | --- | --- |',
    ...unread.map(({ of, attributes, says, so }) => `| ${of} | ${listed(attributes)} | ${says} | ${so} |`),
  ].join('\n')

const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')

const overHttp = [keycloakState, entraState, oktaState, googleState, scimState]

/** What is not read. `so`: why the person counts, or a filter for `people.filter` that leaves such people out. */
export type UnreadRow = { readonly of: string; readonly attributes: readonly string[]; readonly says: string; readonly so: string }

export const unread: readonly UnreadRow[] = [
  {
    of: 'all',
    attributes: [
      'pwdReset',
      'pwdLastSet',
      'pwdChangedTime',
      'krbPasswordExpiration',
      'passwordExpirationTime',
      'shadowLastChange',
      'shadowMax',
    ],
    says: 'the password has expired, or must be changed',
    so: 'counts: the person chooses a new one',
  },
  {
    of: 'all',
    attributes: ['lockoutTime', 'msDS-User-Account-Control-Computed', 'accountUnlockTime', 'lockedByIntruder'],
    says: 'locked after wrong passwords; so does `pwdAccountLockedTime` with another time',
    so: 'counts. Without those whom in 389-ds only an administrator unlocks: `(!(accountUnlockTime=19700101000000Z))`',
  },
  {
    of: 'OpenLDAP, OpenDJ',
    attributes: ['pwdStartTime', 'ds-pwp-account-activation-time'],
    says: 'the account begins later',
    so: 'counts: it begins without an administrator',
  },
  {
    of: '389-ds, OpenLDAP, OpenDJ',
    attributes: ['lastLoginTime', 'pwdLastSuccess', 'ds-pwp-last-login-time', 'shadowInactive'],
    says: 'locked, since it was not used for a time that a policy says',
    so: 'counts: policies are not read. Without those who did not sign in since a day of your choice: `(lastLoginTime>=20260101000000Z)`',
  },
  {
    of: 'Samba 3, Univention',
    attributes: ['sambaAcctFlags', 'sambaKickoffTime'],
    says: 'no more logins at Windows',
    so: '`(!(sambaAcctFlags=*D*))`',
  },
  {
    of: 'Sun, ForgeRock',
    attributes: ['inetUserStatus'],
    says: '`Inactive` or `Deleted`',
    so: '`(&(!(inetUserStatus=Inactive))(!(inetUserStatus=Deleted)))`',
  },
  { of: 'Oracle OID', attributes: ['orclIsEnabled'], says: '`DISABLED`', so: '`(!(orclIsEnabled=DISABLED))`' },
  { of: 'Open Directory', attributes: ['authAuthority'], says: '`;DisabledUser;`', so: '`(!(authAuthority=*;DisabledUser;*))`' },
  { of: 'Zimbra', attributes: ['zimbraAccountStatus'], says: 'another word than `active`', so: '`(zimbraAccountStatus=active)`' },
  {
    of: 'Keycloak',
    attributes: ['requiredActions', 'emailVerified'],
    says: 'something is to be done at the next login; so is a lock after wrong passwords, which is not in the list',
    so: 'counts',
  },
  {
    of: 'Entra ID',
    attributes: ['externalUserState'],
    says: 'a guest has not accepted the invitation',
    so: 'counts: no administrator is needed',
  },
  {
    of: 'Google',
    attributes: ['suspended', 'archived'],
    says: 'the same as `status` of the member',
    so: 'not needed; they are on the user, which needs another scope',
  },
  { of: 'a file', attributes: ['members'], says: 'only who is a member', so: 'all count: leave out who cannot sign in' },
]
