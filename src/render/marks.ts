import type { Mark } from './entry.ts'
import type { HoldSection } from './sections.ts'

/* The marks of holds, each for one section. */

export const waitingMark: Mark = { symbol: '!', style: 'magenta' }
export const heldMark: Mark = { symbol: '?', style: 'yellow' }
export const undeclaredMark: Mark = { symbol: '·', style: 'yellow' }

export const sectionMarks: Readonly<Record<HoldSection, Mark>> = {
  waiting: waitingMark,
  held: heldMark,
  kept: heldMark,
  dangling: heldMark,
  undeclared: undeclaredMark,
}
