import { type Codec, number, object, optional, string } from './codec.ts'

/**
 * Where an entry of a plan comes from. `file`: the declaration was edited. `plane`: it was changed in Plane, between the readings `afterMs` and `atMs` (epoch
 * ms) if that is known. `directory`: what the directory says of a group has changed. `date`: a rule starts or ends. `service`: Plane has stored another role or name
 * than was sent.
 */
export type Cause = {
  readonly kind: 'file' | 'plane' | 'directory' | 'date' | 'service'
  readonly afterMs?: number
  readonly atMs?: number
}

export const storedCause: Codec<Cause> = object<Cause>({ kind: string(), afterMs: optional(number()), atMs: optional(number()) })
