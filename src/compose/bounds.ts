import { type Complete, complete } from '../core/optionalFields.ts'
import { secretCharactersMin } from '../core/secretText.ts'
import type { OriginOptions } from '../http/origin.ts'
import { proxiesIn } from '../settings/proxies.ts'
import type { ProgramEnvironment } from './environment.ts'

/** The options that are the same for every origin. */
export type OriginBounds = Complete<Omit<OriginOptions, 'connections' | 'deadlineMs' | 'ca' | 'clientCertificate'>>

/** 100,000 mappings are 22 MB (measured). */
const answerBytesMax = 32 * 1024 * 1024
/** Plane closes idle connections after 2 s (measured); a second less leaves room for a slow network. */
const idleMs = 1_000

export const boundsOf = (world: ProgramEnvironment): OriginBounds => ({
  bytesMax: answerBytesMax,
  idleMs,
  proxy: proxyOf(world),
  now: world.clock.now,
  userAgent: `plane-group-sync/${world.version}`,
})

/** The proxy that the environment names. A password in its address counts as a secret. */
export function proxyOf({ env, secretSeen }: Pick<ProgramEnvironment, 'env' | 'secretSeen'>): OriginOptions['proxy'] {
  const { http, https, except } = proxiesIn(env)
  if (http === undefined && https === undefined) return undefined
  for (const address of [http?.value, https?.value]) {
    const { password = '' } = (address === undefined ? undefined : URL.parse(address)) ?? {}
    const secret = decodedOr(password)
    if (secret.trim().length >= secretCharactersMin) secretSeen(secret)
  }
  return complete<NonNullable<OriginOptions['proxy']>>({ http: http?.value, https: https?.value, except: except?.value })
}

/** A password in an address may be percent-encoded, or only look so. */
function decodedOr(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
