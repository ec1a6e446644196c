import type { Mark } from './entry.ts'

/* The marks of holds, each for one section. */

export const waitingMark: Mark = { symbol: '!', style: 'magenta' }
export const heldMark: Mark = { symbol: '?', style: 'yellow' }
export const undeclaredMark: Mark = { symbol: '·', style: 'yellow' }
