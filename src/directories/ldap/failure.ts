import { ResultCodeError } from 'ldapts'
import { type DoubtName, doubt } from '../../core/doubt.ts'
import { messageOf } from '../../core/errorText.ts'
import { OperationalError } from '../../core/operationalError.ts'
import { errnoOf } from '../../files/errno.ts'
import { type ConnectionTrouble, connectionTrouble } from '../../http/connectionTrouble.ts'
import { clientCertificateAlert, nodeErrorOf } from '../../http/tlsTrouble.ts'
import { notShown } from '../memberText.ts'
import { wordsOfResult } from './resultCode.ts'

/**
 * Why a reading failed, in words for the operator.
 * `elsewhere`: the cause lies in this one server, so another address of the directory may work. `isLate`: this one request was not answered in time.
 */
export class LdapFailure extends OperationalError {
  override readonly name = 'LdapFailure'
  readonly elsewhere: boolean
  readonly isLate: boolean
  constructor(why: string, more: Particulars = {}) {
    super('LdapFailure', why, more)
    this.elsewhere = more.elsewhere ?? false
    this.isLate = more.isLate ?? false
  }
}

type Particulars = {
  readonly cure?: string | undefined
  readonly elsewhere?: boolean
  readonly isLate?: boolean
  readonly cause?: unknown
}

/** The step that failed. In the message `what` stands between the address and the reason: `groups below "ou=groups"`. */
export type Doing = {
  readonly step: 'open' | 'search'
  readonly address: string
  readonly what: string
  readonly account: string
  readonly timeoutMs: number
  /** What is searched: groups (the default), people, or the members of one group. The texts of a server about people are not shown. */
  readonly of?: 'groups' | 'people' | 'members'
  /** Whether the search asks for pages; absent where nothing is searched. */
  readonly isPaged?: boolean
  /** Whether the settings name the trusted certificates. It matters only while a connection is opened. */
  readonly hasCaFile?: boolean
  /** The certificate that is shown to the server for the bind, if there is one. */
  readonly certificate?: string | undefined
  /** Whether an address of `ldap://` is upgraded to TLS. */
  readonly startTls?: boolean
  /** The error of the password policy that came with the answer to the bind (`PasswordPolicyError` of ldapts). */
  readonly policyError?: number | undefined
}

/** The setting with the place that is searched. */
export const baseOf = ({ of }: Doing): string => (of === 'people' ? 'people.base' : 'groups.base')

/** The failure for an answer that this program itself refuses, although it is one. */
export const failing = (doing: Doing, check: DoubtName, why: string, cure: string): LdapFailure =>
  new LdapFailure(doubt(check, `${doing.address}: ${doing.what}: ${why}`), { cure })

/** Turns an error of ldapts, of Node or of the server into one sentence with the place, and a cure if there is one. */
export function failureOf(error: unknown, doing: Doing): LdapFailure {
  if (error instanceof LdapFailure) return error
  if (error instanceof ResultCodeError) return refusedByServer(error, doing)
  const message = messageOf(error)
  const code = errnoOf(error) ?? ''
  const place = doing.step === 'open' ? doing.address : `${doing.address}: ${doing.what}`
  const make = (why: string, cure?: string, isLate = false) =>
    new LdapFailure(`${place}: ${why}`, { cure, elsewhere: doing.step === 'open', isLate, cause: error })

  const alert = doing.certificate === undefined ? undefined : clientCertificateAlert(error)
  if (alert !== undefined) return make(`the server refuses the certificate of bind.external (${alert})`, certificateCure(doing.certificate))
  const trouble = connectionTrouble(
    error instanceof Error ? nodeErrorOf(error, code) : { code, message },
    hostOf(doing.address),
    doing.hasCaFile === true ? 'caFile' : 'system',
  )
  if (trouble !== undefined) return make(trouble.why, cureOf(trouble))
  if (/timed out|timeout/i.test(message)) {
    return make(`no answer within ${doing.timeoutMs / 1000} s`, 'check the server and the network, or raise timeout', true)
  }
  if (/^Connection closed|^Socket error|not established|ECONNRESET|EPIPE/.test(message) || code) {
    // A server that does not accept the certificate may only close the connection.
    return make(
      `the connection ended before the answer was complete${code ? ` (${code})` : ''}`,
      doing.certificate !== undefined && doing.step === 'open'
        ? certificateCure(doing.certificate)
        : doing.step === 'open'
          ? `check that the port is the one for ${doing.address.replace(/:.*/, '://')}; ${doing.address.startsWith('ldaps:') || doing.startTls === true ? noTlsCure : serversLog}`
          : "look for the reason in the server's log",
    )
  }
  return make(bounded(message), "check that the port speaks LDAP, and look for the reason in the server's log")
}

/** LDAP has a setting for a server with another name, and another port for TLS. */
function cureOf({ kind, cure }: ConnectionTrouble): string {
  if (kind === 'otherName') return 'use a name of the certificate in addresses, or set serverName to one'
  if (kind === 'plainText') return 'check that the port speaks TLS: ldaps:// is usually 636, ldap:// with startTls 389'
  return cure
}

const noTlsCure =
  'a server that has no certificate, or that demands one of this program (bind.external), ends a connection like this, too; the reason is in its log'
const serversLog = "look for the reason in the server's log"

const certificateCure = (certificate = ''): string =>
  `check that the server accepts the certificate ${certificate}: that it trusts its CA, and that the certificate has not expired; the reason is in the server's log`

const hostOf = (address: string): string => URL.parse(address)?.hostname ?? address

function refusedByServer(error: ResultCodeError, doing: Doing): LdapFailure {
  const text = error.message.replace(/ ?Code: 0x-?[0-9a-f]+$/, '')
  const { of = 'groups', address, startTls = false } = doing
  const isEncrypted = startTls || address.startsWith('ldaps:')
  const { why, cure, elsewhere = false } = wordsOfResult({ ...doing, code: error.code, text, of, isEncrypted })
  const detail = doing.step === 'open' || of === 'groups' ? bounded(text) : withoutPeople(text)
  return new LdapFailure(`${address}: ${doing.what}: ${why} (result ${error.code}${detail && `: ${detail}`})`, {
    cure,
    elsewhere,
    cause: error,
  })
}

/** What is sure to name nobody of the text about people: the numbers of Active Directory. */
function withoutPeople(text: string): string {
  const [numbers] = /^[0-9A-F]{8}: [A-Z][A-Za-z]{2,15}: DSID-[0-9A-F]{4,12}\b/.exec(text) ?? []
  return text === '' ? '' : [...(numbers === undefined ? [] : [numbers]), notShown].join('; ')
}

/** Text from outside, for a message: short, in quotation marks, control characters escaped. */
export const quoted = (text: string): string => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
const bounded = (text: string): string => quoted(text).slice(1, -1)
