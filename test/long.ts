import { describe, test } from 'vitest'

/** Whether this is `npm run test:long`. Its files also have tests that take less than a second; `npm test` runs only these. */
export const isLong = process.env.PLANE_GROUP_SYNC_LONG !== undefined

export const longTest = test.runIf(isLong)
export const describeLong = describe.runIf(isLong)
