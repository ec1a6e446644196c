import { PasswordPolicyError } from 'ldapts'

/** Why a server does not let an account bind, although it was asked in the right way. */
type Words = { readonly why: string; readonly cure: (account: string) => string }

const expiredPassword: Words = {
  why: 'the password has expired',
  cure: (account) =>
    `set a new password for ${account}, and write it where bind.password finds it; a service account is best given a password that does not expire`,
}
const mustChange: Words = {
  why: 'the password must be changed first',
  cure: (account) => `set a password for ${account} that need not be changed at the next logon, and write it where bind.password finds it`,
}
const locked: Words = {
  why: 'the account is locked',
  cure: (account) => `unlock ${account}, and find out who tries a wrong password: otherwise it will be locked again`,
}
const disabled: Words = { why: 'the account is disabled', cure: (account) => `enable ${account}, or name another account in bind.dn` }
const expired: Words = {
  why: 'the account has expired',
  cure: (account) => `renew ${account}: give it a later date of expiry, or none`,
}
const noSuchAccount: Words = {
  why: 'there is no such account',
  cure: () => 'check bind.dn: the whole DN; in Active Directory name@domain or DOMAIN\\name will do, too',
}
const wrong: Words = { why: 'the name or the password is wrong', cure: () => 'check bind.dn and the password' }

/**
 * Active Directory writes a number of Windows into the text of result 49, as `data 52e`. The numbers are hexadecimal:
 * https://learn.microsoft.com/windows/win32/debug/system-error-codes--1300-1699- and -1700-3999-
 */
const byWindowsNumber: Readonly<Record<string, Words>> = {
  '5': {
    why: 'the server denies this account access',
    cure: (account) => `let ${account} log on to this domain controller over the network`,
  },
  '57': { why: 'the server cannot read the name of the account', cure: noSuchAccount.cure },
  '51f': {
    why: 'no domain controller of the domain of this account can be reached',
    cure: () => 'check the domain in bind.dn, and the trust between the domains',
  },
  '525': noSuchAccount,
  '52e': wrong,
  '52f': {
    why: 'a restriction of the account forbids this logon',
    cure: (account) =>
      `look which one: the group Protected Users, an authentication policy, "smart card is required" or an empty password; take it from ${account}, or name another account`,
  },
  '530': {
    why: 'the account may not log on at this time',
    cure: (account) => `allow all hours for ${account} (Account, Logon Hours)`,
  },
  '531': {
    why: 'the account may not log on from this machine',
    cure: (account) => `let ${account} log on to all computers, or to the domain controllers, too (Account, Log On To)`,
  },
  '532': expiredPassword,
  '533': disabled,
  '534': {
    why: 'the account lacks the right for this kind of logon',
    cure: (account) => `give ${account} the right "Access this computer from the network" on the domain controllers`,
  },
  '568': {
    why: 'the account is in too many groups: its token has no room for more',
    cure: (account) => `take ${account} out of groups, those inside groups, too; or name another account`,
  },
  '569': {
    why: 'the account lacks the right for this kind of logon',
    cure: (account) => `give ${account} the right "Access this computer from the network" on the domain controllers`,
  },
  '6fb': {
    why: 'the domain of the account does not trust the domain of this server',
    cure: () => 'check the trust between the domains, or name an account of the domain of this server',
  },
  '6fd': {
    why: 'the trust between the domain of this server and that of the account is broken',
    cure: () => 'repair the trust between the domains, or name an account of the domain of this server',
  },
  '701': expired,
  '773': mustChange,
  '775': locked,
  '80090346': {
    why: 'the server demands a bind that belongs to its TLS (channel binding), and this one does not',
    cure: () => 'use ldaps:// or startTls with bind.password: a simple bind needs no channel binding',
  },
}

/** https://datatracker.ietf.org/doc/html/draft-behera-ldap-password-policy, §6.2. The server was asked for it in the bind. */
const byPolicyError: ReadonlyMap<number, Words> = new Map([
  [PasswordPolicyError.PasswordExpired, expiredPassword],
  [PasswordPolicyError.AccountLocked, locked],
  [PasswordPolicyError.ChangeAfterReset, mustChange],
])

/** The texts of servers. 389-ds: `bind.c`, `pw_mgmt.c`; FreeIPA: `ipa-pwd-extop`, `ipa-lockout`; OpenLDAP: `ppolicy.c`. */
const byText: readonly (readonly [RegExp, Words])[] = [
  [
    /operations are restricted to bind|password (?:must|needs to) be (?:changed|reset)|must change (?:the|your|its)? ?password/i,
    mustChange,
  ],
  [/password (?:has |is )?expired/i, expiredPassword],
  [/password retry limit|too many failed|permanently locked|account (?:is |has been )?(?:temporarily |permanently )?locked/i, locked],
  [/account (?:is |has been )?(?:inactivated|disabled|deactivated|administratively disabled)/i, disabled],
  [/account (?:has |is )?expired|principal\) is expired/i, expired],
]

/** What the server says of the account, beside the number of the result. */
type Said = { readonly text: string; readonly policyError?: number | undefined }

/** Undefined if the server does not say what is wrong with the account. */
export function accountTrouble({ text, policyError }: Said): Words | undefined {
  const byPolicy = policyError === undefined ? undefined : byPolicyError.get(policyError)
  if (byPolicy !== undefined) return byPolicy
  const [, number = ''] = /\bdata ([0-9a-f]{1,8})\b/i.exec(text) ?? []
  const windows = number.toLowerCase()
  if (Object.hasOwn(byWindowsNumber, windows)) return byWindowsNumber[windows]
  return byText.find(([form]) => form.test(text))?.[1]
}
