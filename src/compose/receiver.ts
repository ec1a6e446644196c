import { complete } from '../core/optionalFields.ts'
import { readCertificates } from '../files/read.ts'
import { NoAnswer, type OriginOptions } from '../http/origin.ts'
import { retryAfter } from '../http/rateHeaders.ts'
import { SecretError } from '../secrets/read.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { certificatesName, type ReceiverSettings, whyNoReceiver } from '../settings/notify.ts'
import { boundsOf } from './bounds.ts'
import type { ProgramEnvironment } from './environment.ts'

/** How one sending of a message ended. `why` is a clause for the log, without anything of the address. */
export type Delivery =
  | { readonly kind: 'delivered' }
  /** It may be sent again, after at least `afterMs` if the receiver has said so. */
  | { readonly kind: 'later'; readonly why: string; readonly afterMs?: number }
  | { readonly kind: 'refused'; readonly why: string }

/** One request, from connecting to the status. */
const deadlineMs = 10_000

/**
 * Sends a message to a receiver of `notify`. The address is read for each message, so a rotated one needs no restart. It is a secret: a message into
 * the channel needs nothing else. So nothing that this function returns or throws has any part of it, and no request is logged. A redirect is not followed.
 *
 * @throws the reason of the signal
 */
export async function deliver(
  { url: reference, caFile }: Pick<ReceiverSettings, 'url' | 'caFile'>,
  body: string,
  { path }: Pick<LoadedSettings, 'path'>,
  world: ProgramEnvironment,
  signal: AbortSignal,
): Promise<Delivery> {
  const url = await addressOf(reference, world)
  if ('kind' in url) return url
  const ca = caFile === undefined ? undefined : await readCertificates(path(caFile))
  if (typeof ca === 'object')
    return { kind: 'later', why: `the certificates of ${certificatesName(caFile ?? '', path)} cannot be read: ${ca.why}` }
  const target = url.pathname + url.search
  // Also in the form in which it is sent.
  for (const form of [url.href, target]) if (form.length >= 12) world.secretSeen(form)
  const options = complete<OriginOptions>({ ...boundsOf(world), connections: 1, deadlineMs, ca, clientCertificate: undefined })
  const origin = world.connect(new URL(url.origin), options)
  try {
    const request = { method: 'POST', path: target, headers: { 'content-type': 'application/json' }, body, ignoresBody: true } as const
    const answer = await origin.request(request, signal)
    return deliveryOf(answer.status, retryAfter(answer, world.clock.wall()))
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof NoAnswer) return { kind: 'later', why: noAnswerText[error.code] }
    throw error
  } finally {
    await origin.close()
  }
}

/** Why nothing can be sent to a receiver now; undefined if its address can be read, and is one of HTTPS. */
export async function whyUndeliverable({ url }: Pick<ReceiverSettings, 'url'>, world: ProgramEnvironment): Promise<string | undefined> {
  const address = await addressOf(url, world)
  return 'kind' in address ? address.why : undefined
}

type Undelivered = Exclude<Delivery, { kind: 'delivered' }>

async function addressOf(reference: ReceiverSettings['url'], world: ProgramEnvironment): Promise<URL | Undelivered> {
  try {
    const address = await world.secret(reference)
    const wrong = whyNoReceiver(address)
    return wrong === undefined ? new URL(address.trim()) : { kind: 'refused', why: wrong }
  } catch (error) {
    if (!(error instanceof SecretError)) throw error
    return { kind: 'later', why: error.message }
  }
}

function deliveryOf(status: number, afterMs: number | undefined): Delivery {
  if (status >= 200 && status < 300) return { kind: 'delivered' }
  const why = `the receiver answered ${status}`
  if (status >= 300 && status < 400) return { kind: 'refused', why: `${why}, a redirect, which is not followed` }
  if (status !== 408 && status !== 429 && status < 500) return { kind: 'refused', why }
  return { kind: 'later', why, ...(afterMs === undefined ? {} : { afterMs }) }
}

/** The sentences of `NoAnswer` have the address. */
const noAnswerText: Readonly<Record<NoAnswer['code'], string>> = {
  unreachable: 'the receiver cannot be reached: its name is not known, or nothing answers there',
  tls: 'the connection is not safe: the certificate of the receiver is not trusted (caFile), is of another name, or has ended',
  deadline: `the receiver did not answer within ${deadlineMs / 1000} s`,
  cut: 'the connection ended before the answer',
  tooLarge: 'the answer is too large',
  aborted: 'the program was asked to stop',
}
