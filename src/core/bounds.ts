/**
 * A number of which perhaps only bounds are known. It is exact if both are equal. `most`: absent if nothing bounds it from above. `why`: why it is not exact,
 * if no text beside it says so.
 */
export type Bounds = { readonly least: number; readonly most?: number | undefined; readonly why?: string | undefined }

/** How many a group has: people who can sign in, or members of any kind. */
export type GroupSize = Bounds & { readonly of: 'people' | 'members' }

export const exactly = (n: number): Bounds => ({ least: n, most: n })

export const isExact = ({ least, most }: Bounds): boolean => least === most

/** Whether nothing is known of it. */
export const isUnknown = ({ least, most }: Bounds): boolean => least === 0 && most === undefined

/** The largest number that it may be. */
export const mostOf = ({ most = Number.POSITIVE_INFINITY }: Bounds): number => most

export const sumOf = (numbers: readonly Bounds[]): Bounds =>
  numbers.reduce<Bounds>(
    (sum, { least, most }) => ({
      least: sum.least + least,
      ...(sum.most === undefined || most === undefined ? {} : { most: sum.most + most }),
    }),
    exactly(0),
  )

/** Whether so many are certainly within a limit, certainly above it, or perhaps. */
export function compareWith(limit: number, { least, most }: Bounds): 'within' | 'above' | 'unsure' {
  if (most !== undefined && most <= limit) return 'within'
  return least > limit ? 'above' : 'unsure'
}
