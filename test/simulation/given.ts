/** Values that are the same in every world. */
export const key = 'pgs-sim-key-3f9d'
/** The key after a rotation. */
export const nextKey = 'pgs-sim-key-81c4'
export const projects = ['ENG', 'OPS']
/** All values that a world can draw. */
export const roles = ['guest', 'member', 'member', 'contributor', 'admin']
/** Limits that the plans of a world hardly exceed. */
export const wideGuards = { creates: 200, raises: 50, lowers: 50, deletes: 10, day: 200 }
export const windowMs = 60_000
/** The longest time by which a list lags. */
export const lagMaxMs = 20_000
