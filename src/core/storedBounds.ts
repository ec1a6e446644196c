import type { Bounds, GroupSize } from './bounds.ts'
import { number, object, optional, string } from './codec.ts'

const bounds = { least: number(), most: optional(number()), why: optional(string()) } as const

export const storedBounds = object<Bounds>(bounds)
export const storedSize = object<GroupSize>({ of: string<GroupSize['of']>(), ...bounds })
