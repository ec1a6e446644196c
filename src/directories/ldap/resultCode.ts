import { accountTrouble } from './accountTrouble.ts'
import { dnCure } from './dn.ts'

/** The request that a server refused. */
type Refused = {
  readonly code: number
  /** The text of the server. */
  readonly text: string
  readonly step: 'open' | 'search'
  /** What was searched: it decides which settings a cure names. */
  readonly of: 'groups' | 'people' | 'members'
  readonly account: string
  readonly isPaged?: boolean | undefined
  readonly isEncrypted?: boolean | undefined
  /** The certificate that is shown for the bind, if there is one. */
  readonly certificate?: string | undefined
  /** The error of the password policy that came with the answer to the bind. */
  readonly policyError?: number | undefined
}

/** `elsewhere`: another server of the directory may answer. */
type Words = { readonly why: string; readonly cure: string; readonly elsewhere?: boolean }

const serversLog = "look for the reason in the server's log"
const nameAnAccount = 'name an account in bind: the server does not answer everyone'

/**
 * What a result of a server means, and what to do about it. Result codes: RFC 4511 §4.1.9 and appendix A. Active Directory adds its own number to the
 * text, as `data 52e`; 389-ds, FreeIPA and OpenLDAP say of an account in the text, or by the control of password policies, why it may not bind.
 */
export function wordsOfResult(refused: Refused): Words {
  const { code, text, step, account, certificate, policyError } = refused
  if (aboutAccounts.has(code) && account !== 'anonymous') {
    const trouble = accountTrouble({ text, policyError })
    if (trouble !== undefined) return { why: trouble.why, cure: withCertificate(trouble.cure(account), certificate) }
  }
  if (account === 'anonymous' && (notAnonymous.has(code) || (code === 53 && (step === 'open' || /authenti|anonym/i.test(text)))))
    return code === 1
      ? {
          why: 'the server cannot do this now',
          cure: 'Active Directory answers like this without a bind: name an account in bind',
        }
      : { why: 'the server wants to know who asks', cure: nameAnAccount }
  if (wantsEncryption(refused)) return encryption(refused)
  return step === 'open'
    ? (ofBind(refused) ?? { ...ofAny(refused), ...(aboutSearches.has(code) ? { cure: serversLog } : {}) })
    : ofAny(refused)
}

/** 19: 389-ds says so of a locked account, 53: of a disabled one, 50: OpenLDAP of one whose password must be changed. */
const aboutAccounts: ReadonlySet<number> = new Set([19, 49, 50, 53])
/** A bind has neither a filter nor pages, so a setting of a search cures none of them. */
const aboutSearches: ReadonlySet<number> = new Set([3, 4, 11, 12, 16, 17, 18, 21])
/** 48: anonymous binds are switched off. */
const notAnonymous: ReadonlySet<number> = new Set([1, 48, 49, 50])

const withCertificate = (cure: string, certificate: string | undefined): string =>
  certificate === undefined ? cure : `${cure}; its certificate is ${certificate}`

/** Results that mean something else for a bind, or for the proof of identity after it, than for a search. */
function ofBind({ code, text, account, certificate }: Refused): Words | undefined {
  switch (code) {
    case 2:
      return {
        why: 'the server does not know this request',
        cure: 'if startTls is set, the server may not support it: use ldaps://',
      }
    case 7:
      return certificate === undefined
        ? {
            why: 'the server does not accept a bind with a name and a password',
            cure: 'switch on simple binds in the server, or use a certificate (bind.external)',
          }
        : {
            why: 'the server does not know this kind of bind',
            cure: 'let the server ask for a certificate in TLS (OpenLDAP: TLSVerifyClient demand), and offer SASL EXTERNAL',
          }
    case 32:
      return account === 'anonymous' ? undefined : { why: 'there is no such account', cure: 'check bind.dn' }
    case 34:
      return account === 'anonymous' ? undefined : { why: 'bind.dn is not a DN', cure: dnCure }
    case 48:
    case 49:
      if (certificate !== undefined)
        return {
          why: 'the server knows no account for the certificate',
          cure: `map the certificate ${certificate} to an account in the server`,
        }
      if (code === 48)
        return {
          why: 'this account cannot bind with a password',
          cure: `check bind.dn, and that ${account} has a password that the server can check`,
        }
      return {
        why: 'the name or the password is wrong',
        cure: /\bdata [0-9a-f]+\b/i.test(text) ? wrongCure : `check bind.dn and the password; ${hiddenCause}`,
      }
    case 50:
      return { why: 'the account may not do this', cure: `let ${account} bind, and ask who it is (Who am I?)` }
    case 53:
      return {
        why: 'the server is not willing to do this',
        cure: `check in the server whether ${account} is disabled or locked; ${serversLog}`,
      }
    case 19:
      return {
        why: 'a rule of the server forbids this bind',
        cure: `check in the server whether ${account} is locked; ${serversLog}`,
      }
    default:
      return undefined
  }
}

const wrongCure =
  'check bind.dn and the password; if the number after "data" is not 52e, look it up (hexadecimal) in the system error codes of Windows'
const hiddenCause = 'many servers answer the same if the account is locked, disabled or expired: check its state in the server, too'

/** 389-ds says 53 `Minimum SSF not met.`, OpenLDAP 13 `confidentiality required` or `stronger confidentiality required`. */
const wantsEncryption = ({ code, text }: Refused): boolean =>
  code === 8 || code === 13 || (code === 53 && /\btls\b|\bssl\b|encrypt|secure|\bssf\b|confidential/i.test(text))

const encryption = ({ isEncrypted }: Refused): Words =>
  isEncrypted === true
    ? {
        why: 'the server requires stronger encryption, or a stronger bind',
        cure: 'TLS is in use: lower what the server demands beside it (OpenLDAP: security ssf; 389-ds: nsslapd-minssf), or use a certificate (bind.external)',
      }
    : { why: 'the server requires encryption', cure: 'use ldaps:// or startTls: true' }

function ofAny({ code, text, step, of, account, isPaged }: Refused): Words {
  const settings = of === 'people' ? 'people' : 'groups'
  const limits = `lift it on the server for this account (OpenLDAP: limits ${account === 'anonymous' ? account : `dn.exact="${account}"`} size.soft=500 size.hard=soft size.prtotal=unlimited)`
  switch (code) {
    case 1:
      return { why: 'the server cannot do this now', cure: serversLog }
    case 2:
      return {
        why: 'the server does not know this request',
        cure: of === 'members' ? serversLog : `check ${settings}.filter, and ${serversLog}`,
      }
    case 3:
      return {
        why: "the server's time limit was reached",
        cure: of === 'members' ? raiseLimit : `narrow ${settings}.filter, index its attributes, or raise the limit on the server`,
      }
    case 4:
      return {
        why: "the server's size limit was reached, so the rest is unknown",
        cure: isPaged === false && of !== 'members' ? `set pageSize, for example 500; or ${limits}` : limits,
      }
    case 7:
      return { why: 'the server does not know this kind of bind', cure: serversLog }
    case 9:
    case 10:
      return {
        why: 'another server holds this part of the directory',
        cure: `give the address of the server that holds ${settings}.base`,
      }
    case 11:
      return {
        why: "the server's administrative limit was reached",
        cure: of === 'members' ? raiseLimit : `raise the server's look-through limit for this account, or narrow ${settings}.filter`,
      }
    case 12:
      return {
        why: 'the server cannot page, or the account may not',
        cure: `set pageSize: 0; or give ${account} the right to use the control 1.2.840.113556.1.4.319 (OpenDJ: an ACI with targetcontrol)`,
      }
    case 16:
    case 17:
    case 18:
    case 21:
      return {
        why: 'the server cannot use an attribute or a value of the filter',
        cure:
          of === 'members'
            ? serversLog
            : `check ${settings}.filter: its attributes must be in the schema of the server, and its values must fit them`,
      }
    case 32:
      return of === 'members'
        ? {
            why: 'there is no such entry, or the account may not see it',
            cure: `check that the group still exists, and that ${account} may read it`,
          }
        : { why: 'there is no such entry, or the account may not see it', cure: `check ${settings}.base, and that ${account} may read it` }
    case 34:
      return { why: 'this is not a DN', cure: dnCure }
    case 48:
    case 49:
      return {
        why: 'the server does not believe the bind of this connection any more',
        cure: `check the state of ${account} in the server`,
      }
    case 50:
      return {
        why: 'the account may not do this',
        cure: /unindexed/i.test(text) ? unindexed(of, account) : `give ${account} the right to read ${rightTo(of)}`,
      }
    case 51:
    case 52:
      return { why: 'the server is busy or going down', cure: serversLog, elsewhere: step === 'open' }
    case 53:
      return {
        why: 'the server is not willing to do this',
        cure: /index/i.test(text)
          ? unindexed(of, account)
          : `check whether the password of ${account} must be changed, or searches are switched off; ${serversLog}`,
      }
    default:
      return code < 0
        ? {
            why: 'LDAP has no such result',
            cure: "check that the address is that of an LDAP server, and look for the reason in the server's log",
          }
        : { why: 'the server refused', cure: serversLog }
  }
}

const raiseLimit = 'raise the limit on the server for this account'

const rightTo = (of: Refused['of']): string =>
  ({
    groups: 'and search groups.base',
    people: 'and search people.base',
    members: 'this group and its members',
  })[of]

const unindexed = (of: Refused['of'], account: string): string => {
  const right = `let ${account} search without an index (OpenDJ: the privilege unindexed-search)`
  return of === 'members' ? right : `index the attributes of ${of}.filter in the server, or ${right}`
}
