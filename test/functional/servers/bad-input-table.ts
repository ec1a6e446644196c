import { type BadInput, settings } from '../bad-input-table.ts'
import { selfSigned } from '../selfSigned.ts'
import type { SlapdOptions } from './slapd.ts'

/** Each row uses an OpenLDAP server with 2,500 groups, a hundred of which are declared, unless the row says otherwise. */
export type BadDirectory = BadInput & {
  readonly slapd?: Partial<SlapdOptions>
  /** The server is killed when this page is requested. */
  readonly diesAtPage?: number
}

const groupsBase = 'ou=groups,dc=example,dc=org'

const directory = (address: string, more = '') =>
  settings(
    'corp: { kind: file, path: corp.yaml }',
    `corp:
    kind: ldap
    addresses: [${address}]
    bind: { dn: "cn=reader,dc=example,dc=org", password: { file: ldap-password } }
    groups: { base: "${groupsBase}" }
${more}`,
  )

const files = {
  ...directory('LDAP'),
  'groups.yaml': `version: 1
workspaces:
  acme:
    projectRoles:
      - { groupGlob: "g00*", project: ENG, role: member }
`,
  'ldap-password': 'PASSWORD\n',
}

export const badDirectories: readonly BadDirectory[] = [
  {
    what: 'LDAP: certificates of another CA',
    files: { ...files, ...directory('LDAPS', '    caFile: other-ca.pem\n'), 'other-ca.pem': selfSigned.cert },
    exit: 1,
    shows: `WARNING corp could not be read: ldaps://ldap.example.com: the certificate is refused: no trusted CA issued it, the
server sends a root that is not trusted (SELF_SIGNED_CERT_IN_CHAIN): add the CA that issued it (PEM) to caFile, which does
not contain it; if you do not know this CA, a proxy that reads TLS may stand between`,
  },
  {
    what: 'LDAP: a wrong password',
    files: { ...files, 'ldap-password': 'yesterdays-password' },
    exit: 1,
    shows: `WARNING corp could not be read: ldap://ldap.example.com: bind as "cn=reader,dc=example,dc=org": the name or the password
is wrong (result 49): check bind.dn and the password; many servers answer the same if the account is locked, disabled or
expired: check its state in the server, too`,
  },
  {
    what: 'LDAP: an account without the right to read groups; the server answers with success',
    slapd: { access: `access to dn.children="${groupsBase}" by anonymous auth by * none\naccess to * by * read` },
    files,
    exit: 1,
    shows: `WARNING corp could not be read whole: the read succeeded but found no group, which proves nothing; check that the
account may read groups, and that the place where they are looked for exists`,
  },
  {
    what: 'LDAP: an account that may not even see the base',
    slapd: { access: `access to dn.subtree="${groupsBase}" by * none\naccess to * by * read` },
    files,
    exit: 1,
    shows: `WARNING corp could not be read: ldap://ldap.example.com: groups below "ou=groups,dc=example,dc=org": there is no such
entry, or the account may not see it (result 32): check groups.base, and that cn=reader,dc=example,dc=org may read it`,
  },
  {
    what: 'LDAP: a size limit of 500 that also counts across pages',
    slapd: { limits: 'size.soft=500 size.hard=500 size.prtotal=500' },
    files,
    exit: 1,
    shows: `WARNING corp could not be read: ldap://ldap.example.com: groups below "ou=groups,dc=example,dc=org": the server's size
limit was reached, so the rest is unknown (result 4), on page 2 after 500 groups: lift it on the server for this account
(OpenLDAP: limits dn.exact="cn=reader,dc=example,dc=org" size.soft=500 size.hard=soft size.prtotal=unlimited)`,
  },
  {
    what: 'LDAP: a server that stops in the middle of page three',
    diesAtPage: 3,
    files,
    exit: 1,
    shows: `WARNING corp could not be read: ldap://ldap.example.com: groups below "ou=groups,dc=example,dc=org": the connection
ended before the answer was complete, on page 3 after 1,000 groups: look for the reason in the server's log`,
  },
]
