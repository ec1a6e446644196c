import type { Reading } from '../../../src/core/reading.ts'

/** A reading at which a check fails. `says`: a part of its message that no other check has. */
export type Seen = { readonly says: RegExp; readonly read: () => Promise<string> }

/** The message of a reading that is not believed, with its cure. @throws if the reading is complete */
export function said(reading: Reading<unknown>): string {
  if (reading.status === 'complete') throw new Error('the reading is complete')
  return reading.status === 'partial' ? reading.missing : `${reading.why}: ${reading.cure ?? ''}`
}

export const seen = (says: RegExp, read: () => Promise<Reading<unknown>>): Seen => ({ says, read: async () => said(await read()) })
