import { whole } from '../../src/core/fields.ts'
import { read } from '../../src/journal/stored/unknown.ts'

type Memory = { readonly open: number; readonly later: number; readonly optional?: string }
type Both = { readonly open: number; readonly later: number; readonly optional: string | undefined }

/** Objects that are written field by field, with a field missing. TypeScript must refuse each of them. Only `npm run types` checks this file. */
export function leftOut({ open, later, ...rest }: Memory, { open: opened, ...more }: Memory): readonly object[] {
  return [
    // @ts-expect-error an optional field
    whole({ open, later }, rest),
    // @ts-expect-error two fields
    whole({ open: opened }, more),
    // @ts-expect-error on the way back
    read({ open: opened }, more, () => undefined),
  ]
}

/** All fields are named here, so `rest` is empty, and TypeScript accepts it. */
export const written = ({ open, later, optional, ...rest }: Memory): Both => whole({ open, later, optional }, rest)
