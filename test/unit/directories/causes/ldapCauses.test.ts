import { PasswordPolicyError, StatusCodeParser } from 'ldapts'
import { describe, expect, test } from 'vitest'
import { type Doing, failureOf } from '../../../../src/directories/ldap/failure.ts'

/**
 * What a person reads when an LDAP server refuses a request: each result, each text by which servers say more, each sort of request. ldap.md has all
 * sentences and cures. Read its diff: does the cure fit the request that failed, and the cause?
 */

const account = 'cn=reader,dc=example,dc=org'
const person = 'uid=alice,ou=people,dc=example,dc=org'
const common = { account, timeoutMs: 5_000, hasCaFile: true } as const
const doings = {
  'bind (ldaps)': { ...common, step: 'open', address: 'ldaps://h', what: `bind as "${account}"` },
  'bind without TLS': { ...common, step: 'open', address: 'ldap://h', what: `bind as "${account}"` },
  'anonymous bind': { ...common, step: 'open', address: 'ldaps://h', what: 'bind as "anonymous"', account: 'anonymous' },
  'bind by a certificate': {
    ...common,
    step: 'open',
    address: 'ldaps://h',
    what: `bind as "${account}"`,
    certificate: '"CN=reader", valid until 2027-01-01T00:00:00.000Z, of reader.pem',
  },
  groups: { ...common, step: 'search', address: 'ldaps://h', what: 'groups below "ou=g"', isPaged: true },
  people: { ...common, step: 'search', address: 'ldaps://h', what: 'people below "ou=p"', isPaged: true, of: 'people' },
  members: { ...common, step: 'search', address: 'ldaps://h', what: 'members of "cn=devs"', isPaged: false, of: 'members' },
} as const satisfies Readonly<Record<string, Doing>>
type Sort = keyof typeof doings
const sorts = Object.keys(doings) as readonly Sort[]

const results = [1, 2, 3, 4, 7, 8, 10, 11, 12, 13, 17, 18, 19, 21, 32, 34, 48, 49, 50, 51, 52, 53, 80, 118]
const windows = (data: string) => `80090308: LdapErr: DSID-0C090449, comment: AcceptSecurityContext error, data ${data}, v4563`

type Refusal = { readonly called: string; readonly code: number; readonly text: string; readonly policyError?: number }
const ad: readonly Refusal[] = [
  ...[
    '5',
    '57',
    '51f',
    '525',
    '52e',
    '52f',
    '530',
    '531',
    '532',
    '533',
    '534',
    '568',
    '569',
    '6fb',
    '6fd',
    '701',
    '773',
    '775',
    '80090346',
    'abc',
  ],
].map((data) => ({ called: `49, Active Directory: data ${data}`, code: 49, text: windows(data) }))
const texts: readonly Refusal[] = [
  { called: '49, 389-ds', code: 49, text: 'password expired!' },
  { called: '19, 389-ds', code: 19, text: 'Exceed password retry limit. Please try later.' },
  { called: '19, 389-ds', code: 19, text: 'Exceed password retry limit. Contact system administrator to reset.' },
  { called: '53, 389-ds', code: 53, text: 'Account inactivated. Contact system administrator.' },
  { called: '53, 389-ds', code: 53, text: 'Minimum SSF not met.' },
  { called: '53, FreeIPA', code: 53, text: 'Account (Kerberos principal) is expired' },
  { called: '53, FreeIPA', code: 53, text: 'Too many failed logins.\n' },
  { called: '53, FreeIPA', code: 53, text: 'Entry permanently locked.\n' },
  { called: '50, OpenLDAP', code: 50, text: 'Operations are restricted to bind/unbind/abandon/StartTLS/modify password' },
  { called: '53, OpenLDAP', code: 53, text: 'authentication required' },
  { called: '13, OpenLDAP', code: 13, text: 'confidentiality required' },
  { called: '50, OpenDJ', code: 50, text: 'You do not have sufficient privileges to perform an unindexed search' },
]
const policies: readonly Refusal[] = Object.entries(PasswordPolicyError).map(([name, policyError]) => ({
  called: `49, control: ${name}`,
  code: 49,
  text: '',
  policyError,
}))
const refusals: readonly Refusal[] = [...results.map((code) => ({ called: `${code}`, code, text: '' })), ...ad, ...texts, ...policies]

type Row = { readonly sort: Sort; readonly refusal: Refusal; readonly why: string; readonly cure: string; readonly elsewhere: boolean }
const errorOf = ({ code, text }: Refusal) => StatusCodeParser.parse({ status: code, errorMessage: text } as never)
const rows: readonly Row[] = sorts.flatMap((sort) =>
  refusals
    .filter(({ policyError, called }) => sort.startsWith('bind') || (policyError === undefined && !called.includes('Active Directory')))
    .map((refusal) => {
      const { message, cure = '', elsewhere } = failureOf(errorOf(refusal), { ...doings[sort], policyError: refusal.policyError })
      return { sort, refusal, why: message, cure, elsewhere }
    }),
)
const called = ({ sort, refusal }: Row): string => `${sort}: ${refusal.called} ${refusal.text}`

describe('for each sort of request and each refusal', () => {
  test('there is a place, a number and a cure', () => {
    for (const row of rows) {
      expect(row.why, called(row)).toMatch(new RegExp(`^ldaps?://h: .*\\(result ${row.refusal.code}\\b`, 's'))
      expect(row.cure.length, called(row)).toBeGreaterThan(10)
      expect(`${row.why} ${row.cure}`, called(row)).not.toMatch(/undefined|null|\n/)
    }
  })

  test('only a busy server is a reason to ask the next one', () => {
    for (const row of rows) expect(row.elsewhere, called(row)).toBe(doings[row.sort].step === 'open' && [51, 52].includes(row.refusal.code))
  })

  test('"check the password" is said only where the server does not say what else is wrong', () => {
    for (const row of rows)
      if (/check bind\.dn and the password/.test(row.cure)) {
        expect(row.refusal.code, called(row)).toBe(49)
        expect(row.refusal.called, called(row)).toMatch(
          /^49$|data (?:52e|abc)$|control: (?!PasswordExpired|AccountLocked|ChangeAfterReset)/,
        )
      }
  })

  test('a right to read is given only for 32 and 50', () => {
    for (const row of rows) if (/\bright to read\b|may read it/.test(row.cure)) expect([32, 50], called(row)).toContain(row.refusal.code)
  })

  test('a cure names the settings of what was searched', () => {
    for (const row of rows) {
      if (row.sort === 'people') expect(row.cure, called(row)).not.toMatch(/groups\./)
      if (row.sort === 'groups' || row.sort === 'members') expect(row.cure, called(row)).not.toMatch(/people\./)
      if (row.sort === 'members') expect(row.cure, called(row)).not.toMatch(/filter/)
      if (row.sort.includes('bind')) expect(row.cure, called(row)).not.toMatch(/filter|pageSize/)
      if (doings[row.sort].step === 'search') expect(row.cure, called(row)).not.toMatch(/check bind\.dn/)
    }
  })

  test('who asks without a name is told to name an account, not to check a password', () => {
    for (const row of rows.filter(({ sort }) => sort === 'anonymous bind')) {
      expect(row.cure, called(row)).not.toMatch(/the password;|check bind\.dn|(?:enable|unlock|renew|for) anonymous/)
      if ([48, 49].includes(row.refusal.code) && row.refusal.text === '') expect(row.cure).toMatch(/^name an account in bind/)
    }
  })

  test('TLS is advised only to who does not use it', () => {
    for (const row of rows)
      if (/use ldaps:\/\/ or startTls/.test(row.cure) && !row.refusal.called.includes('80090346'))
        expect(row.sort, called(row)).toBe('bind without TLS')
  })

  test('the text about people is not shown, except the numbers of Active Directory', () => {
    for (const sort of ['people', 'members'] as const)
      for (const code of results) {
        const { message } = failureOf(errorOf({ called: '', code, text: `no ${person}` }), doings[sort])
        expect(message).not.toContain('alice')
        expect(message).toContain(`(result ${code}: text not shown: it may name people)`)
      }
    const text = `0000208D: NameErr: DSID-0310028B, problem 2001 (NO_OBJECT), data 0, best match of:\n\t'${person}'`
    const { message } = failureOf(errorOf({ called: '', code: 32, text }), doings.members)
    expect(message).toContain('(result 32: 0000208D: NameErr: DSID-0310028B; text not shown: it may name people)')
    expect(message).not.toContain('alice')
  })

  test('all sentences and cures are those that a person has read', async () => {
    const sections = sorts.map((sort) => {
      const lines = rows
        .filter((row) => row.sort === sort)
        .map(({ refusal, why, cure }) => {
          const shown = refusal.text === '' ? refusal.called : `${refusal.called}: ${refusal.text.trim()}`
          return `| ${shown} | ${why.replace(/^[^:]+:\/\/h: .*?": /, '').replace(/ \(result .*$/s, '')} | ${cure} |`
        })
      return [`## ${sort}`, '', '| result | sentence | cure |', '|---|---|---|', ...lines].join('\n')
    })
    await expect(`# Refusals of LDAP servers\n\nWritten by ldapCauses.test.ts.\n\n${sections.join('\n\n')}\n`).toMatchFileSnapshot(
      'ldap.md',
    )
  })
})
