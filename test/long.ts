import { describe, test } from 'vitest'

/** Whether this is `npm run test:long`. Its files also have tests that take less than a second; `npm test` runs only these. */
export const isLong = process.env.PLANE_GROUP_SYNC_LONG !== undefined

/** The runs of a property, of which `npm test` tries a tenth. */
export const runs = (usual: number): number => (isLong ? usual : Math.ceil(usual / 10))

export const longTest = test.runIf(isLong)
export const describeLong = describe.runIf(isLong)
