import type { OriginOptions } from '../http/origin.ts'
import type { Complete } from './complete.ts'
import type { ProgramEnvironment } from './environment.ts'
import { proxyOf } from './proxy.ts'

/** The options that are the same for every origin. */
export type Bounds = Complete<Omit<OriginOptions, 'connections' | 'deadlineMs' | 'ca' | 'clientCertificate'>>

/** 100,000 mappings are 22 MB (measured). */
const answerBytesMax = 32 * 1024 * 1024
/** Plane closes idle connections after 2 s (measured); a second less leaves room for a slow network. */
const idleMs = 1_000

export const boundsOf = (world: ProgramEnvironment): Bounds => ({
  bytesMax: answerBytesMax,
  idleMs,
  proxy: proxyOf(world),
  now: world.clock.now,
  userAgent: `plane-group-sync/${world.version}`,
})
