import { chanceFrom } from '../../src/sandbox/chance.ts'

/** Random numbers for one part of a world. The draws of one part do not change those of another. */
export type Chance = {
  readonly draw: () => number
  readonly below: (n: number) => number
  readonly between: (from: number, to: number) => number
  readonly is: (share: number) => boolean
  readonly one: <T>(of: readonly T[]) => T
  readonly some: <T>(of: readonly T[], share: number) => T[]
}

/** @param stream the name of the part */
export function chance(seed: number, stream: string): Chance {
  let mixed = seed >>> 0
  for (const character of stream) mixed = Math.imul(mixed ^ character.charCodeAt(0), 0x9e3779b1) >>> 0
  const { draw } = chanceFrom(mixed)
  const below = (n: number) => Math.floor(draw() * n)
  return {
    draw,
    below,
    between: (from, to) => from + below(to - from + 1),
    is: (share) => draw() < share,
    one: (of) => of[below(of.length)] as never,
    some: (of, share) => of.filter(() => draw() < share),
  }
}
