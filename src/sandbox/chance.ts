/** Random numbers that are the same for the same seed, for identifiers, tokens and the probability of faults. */
export type Chance = {
  readonly draw: () => number
  readonly uuid: () => string
  readonly token: () => string
  /** From now on `uuid` and `token` give none of these texts, and may give again those of the call before. */
  readonly skip: (taken: Iterable<string>) => void
  /** From now on the numbers are the same as from the start. */
  readonly rewind: () => void
}

/**
 * Random numbers from a seed. They are not for secrets outside a sandbox: the seed reveals every token. The generator is mulberry32 (public domain,
 * T. Ettinger).
 */
export function chanceFrom(seed: number): Chance {
  let position = seed >>> 0
  const draw = () => {
    position = (position + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(position ^ (position >>> 15), position | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  let taken: ReadonlySet<string> = new Set()
  const untaken = (make: () => string) => () => {
    for (;;) {
      const made = make()
      if (!taken.has(made)) return made
    }
  }
  const hex = (digits: number) => Array.from({ length: digits }, () => Math.floor(draw() * 16).toString(16)).join('')
  return {
    draw,
    uuid: untaken(() => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`),
    token: untaken(() => hex(40)),
    skip: (texts) => void (taken = new Set(texts)),
    rewind: () => void (position = seed >>> 0),
  }
}
