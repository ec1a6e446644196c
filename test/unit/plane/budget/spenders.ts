import { chanceFrom } from '../../../../src/sandbox/chance.ts'
import { minute, startMs } from './world.ts'

/** The requests of another program: `perMinute` for 30 minutes, from two minutes before the start. */
const spanMs = 30 * minute
const fromMs = startMs - 2 * minute

export const steady = (perMinute: number): readonly number[] =>
  Array.from({ length: (perMinute * spanMs) / minute }, (_, nth) => fromMs + Math.floor((nth * minute) / perMinute))

/** Requests at random times, each independent of the others. */
export function irregular(perMinute: number, seed: number): readonly number[] {
  const { draw } = chanceFrom(seed)
  return Array.from({ length: (perMinute * spanMs) / minute }, () => fromMs + Math.floor(draw() * spanMs)).toSorted((a, b) => a - b)
}

/** Requests in the first six seconds of each minute. */
export function bursts(perMinute: number, seed: number): readonly number[] {
  const { draw } = chanceFrom(seed)
  const burst = (nth: number) => Array.from({ length: perMinute }, () => fromMs + nth * minute + Math.floor(draw() * 6_000))
  return Array.from({ length: spanMs / minute }, (_, nth) => burst(nth))
    .flat()
    .toSorted((a, b) => a - b)
}

/** Requests of another program that begin `agoMs` before the start, one every `everyMs`. */
export const past = (requests: number, agoMs: number, everyMs = 10): readonly number[] =>
  Array.from({ length: requests }, (_, nth) => startMs - agoMs + nth * everyMs)
