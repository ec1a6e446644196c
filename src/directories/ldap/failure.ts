import { ResultCodeError } from 'ldapts'
import { messageOf } from '../../core/errorText.ts'
import { OperationalError } from '../../core/operationalError.ts'
import { errnoOf } from '../../files/errno.ts'
import { clientCertificateAlert, connectionTrouble } from '../../http/connectionTrouble.ts'
import { dnCure } from './dn.ts'

/**
 * Why a reading failed, in words for the operator.
 * `elsewhere`: the cause lies in this one server, so another address of the directory may work.
 */
export class LdapFailure extends OperationalError {
  override readonly name = 'LdapFailure'
  readonly elsewhere: boolean
  constructor(why: string, more: { readonly cure?: string | undefined; readonly elsewhere?: boolean; readonly cause?: unknown } = {}) {
    super('LdapFailure', why, more)
    this.elsewhere = more.elsewhere ?? false
  }
}

/** The step that failed. In the message `what` stands between the address and the reason: `groups below "ou=groups"`. */
export type Doing = {
  readonly step: 'open' | 'search'
  readonly address: string
  readonly what: string
  readonly account: string
  readonly timeoutMs: number
  /** The settings that name the searched place: `groups` (the default) or `people`. */
  readonly of?: 'groups' | 'people'
  /** Whether the search asks for pages; absent where nothing is searched. */
  readonly isPaged?: boolean
  /** Whether the settings name the trusted certificates. It matters only while a connection is opened. */
  readonly hasCaFile?: boolean
  /** The certificate that is shown to the server for the bind, if there is one. */
  readonly certificate?: string | undefined
}

/** The failure for an answer that this program itself refuses. */
export const failing = (doing: Doing, why: string, cure?: string): LdapFailure =>
  new LdapFailure(`${doing.address}: ${doing.what}: ${why}`, { cure })

/** Turns an error of ldapts, of Node or of the server into one sentence with the place, and a cure if there is one. */
export function failureOf(error: unknown, doing: Doing): LdapFailure {
  if (error instanceof LdapFailure) return error
  if (error instanceof ResultCodeError) return refusedByServer(error, doing)
  const message = messageOf(error)
  const code = errnoOf(error) ?? ''
  const place = doing.step === 'open' ? doing.address : `${doing.address}: ${doing.what}`
  const make = (why: string, cure?: string) => new LdapFailure(`${place}: ${why}`, { cure, elsewhere: doing.step === 'open', cause: error })

  const alert = doing.certificate === undefined ? undefined : clientCertificateAlert(error)
  if (alert !== undefined) return make(`the server refuses the certificate of bind.external (${alert})`, certificateCure(doing.certificate))
  const trouble = connectionTrouble(code, hostOf(doing.address), doing.hasCaFile === true ? 'caFile' : 'system')
  if (trouble?.kind === 'otherName')
    return make(`${trouble.why}: ${bounded(message)}`, 'use a name of the certificate in addresses, or set serverName to one')
  if (trouble?.kind === 'tls')
    return make(`${trouble.why}: ${bounded(message)}`, 'check that the port speaks TLS: ldaps:// is usually 636, ldap:// with startTls 389')
  if (trouble !== undefined) return make(trouble.why, trouble.cure)
  if (/timed out|timeout/i.test(message)) {
    return make(`no answer within ${doing.timeoutMs / 1000} s`, 'check the server and the network, or raise timeout')
  }
  if (/^Connection closed|^Socket error|not established|ECONNRESET|EPIPE/.test(message) || code) {
    // A server that does not accept the certificate may only close the connection.
    return make(
      `the connection ended before the answer was complete${code ? ` (${code})` : ''}`,
      doing.certificate !== undefined && doing.step === 'open'
        ? certificateCure(doing.certificate)
        : doing.step === 'open'
          ? `check that the port is the one for ${doing.address.replace(/:.*/, '://')}`
          : "look for the reason in the server's log",
    )
  }
  return make(bounded(message), "check that the port speaks LDAP, and look for the reason in the server's log")
}

const certificateCure = (certificate = ''): string =>
  `check that the server accepts the certificate ${certificate}: that it trusts its CA, and that the certificate has not expired; the reason is in the server's log`

const hostOf = (address: string): string => URL.parse(address)?.hostname ?? address

/** Result codes of RFC 4511 §4.1.9 and appendix A. Active Directory adds its own code to the text, as `data 52e`. */
function refusedByServer(error: ResultCodeError, doing: Doing): LdapFailure {
  const detail = bounded(error.message.replace(/ ?Code: 0x-?[0-9a-f]+$/, ''))
  const refused = (why: string, cure?: string, elsewhere = false) =>
    new LdapFailure(`${doing.address}: ${doing.what}: ${why} (result ${error.code}${detail && `: ${detail}`})`, {
      cure,
      elsewhere,
      cause: error,
    })
  const { of = 'groups' } = doing
  const limits = `lift it on the server for this account (OpenLDAP: limits dn.exact="${doing.account}" size.soft=500 size.hard=soft size.prtotal=unlimited)`
  switch (error.code) {
    case 1:
      return refused(
        'the server cannot do this now',
        doing.account === 'anonymous'
          ? 'Active Directory answers like this without a bind: name an account in bind'
          : "look for the reason in the server's log",
      )
    case 2:
      return refused(
        'the server does not know this request',
        doing.step === 'open' ? 'if startTls is set, the server may not support it: use ldaps://' : undefined,
      )
    case 3:
      return refused("the server's time limit was reached", `narrow ${of}.filter, index its attributes, or raise the limit on the server`)
    case 4:
      return refused(
        "the server's size limit was reached, so the rest is unknown",
        doing.isPaged === false ? `set pageSize, for example 500; or ${limits}` : limits,
      )
    case 11:
      return refused(
        "the server's administrative limit was reached",
        `raise the server's look-through limit for this account, or narrow ${of}.filter`,
      )
    case 7:
      return refused(
        'the server does not know this kind of bind',
        doing.certificate === undefined
          ? undefined
          : 'let the server ask for a certificate in TLS (OpenLDAP: TLSVerifyClient demand), and offer SASL EXTERNAL',
      )
    case 8:
    case 13:
      return refused('the server requires encryption', 'use ldaps:// or startTls: true')
    case 10:
      return refused('another server holds this part of the directory', `give the address of the server that holds ${of}.base`)
    case 12:
      return refused(
        'the server cannot page, or the account may not',
        `set pageSize: 0; or give ${doing.account} the right to use the control 1.2.840.113556.1.4.319 (OpenDJ: an ACI with targetcontrol)`,
      )
    case 32:
      return refused('there is no such entry, or the account may not see it', `check ${of}.base, and that ${doing.account} may read it`)
    case 34:
      return refused('this is not a DN', dnCure)
    case 48:
    case 49:
      if (doing.certificate !== undefined)
        return refused(
          accountTrouble(detail) ?? 'the server knows no account for the certificate',
          `map the certificate ${doing.certificate} to an account in the server`,
        )
      return refused(accountTrouble(detail) ?? 'the name or the password is wrong', 'check bind.dn and the password')
    case 50:
      return refused('the account may not do this', `give ${doing.account} the right to read and search ${of}.base`)
    case 51:
    case 52:
      return refused('the server is busy or going down', "look for the reason in the server's log", doing.step === 'open')
    default:
      if (error.code < 0)
        return refused(
          'LDAP has no such result',
          "check that the address is that of an LDAP server, and look for the reason in the server's log",
        )
      return refused('the server refused', "look for the reason in the server's log")
  }
}

/** https://ldapwiki.com/wiki/Common%20Active%20Directory%20Bind%20Errors */
function accountTrouble(detail: string): string | undefined {
  const data = /\bdata ([0-9a-f]{3})\b/.exec(detail)?.[1] ?? ''
  const known: Readonly<Record<string, string>> = {
    '525': 'there is no such account',
    '530': 'the account may not log on at this time',
    '531': 'the account may not log on from this machine',
    '532': 'the password has expired',
    '533': 'the account is disabled',
    '701': 'the account has expired',
    '773': 'the password must be changed first',
    '775': 'the account is locked',
  }
  return known[data]
}

/** Text from outside, for a message: short, in quotation marks, control characters escaped. */
export const quoted = (text: string): string => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
const bounded = (text: string): string => quoted(text).slice(1, -1)
