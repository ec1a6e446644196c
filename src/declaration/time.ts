import type { Rule } from '../core/rule.ts'

/** The time in which a rule applies: from `startMs` until just before `endMs`, epoch ms. Without dates both are infinite. */
export const startMs = ({ startsMs }: Pick<Rule, 'startsMs'>): number => startsMs ?? Number.NEGATIVE_INFINITY
export const endMs = ({ expiresMs }: Pick<Rule, 'expiresMs'>): number => expiresMs ?? Number.POSITIVE_INFINITY

/** Infinities may be among the numbers, and their difference is no number. */
export const compareNumbers = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0)
