/** What is the same in every world. */
export const key = 'pgs-sim-key-3f9d'
export const projects = ['ENG', 'OPS']
/** As they are drawn. */
export const roles = ['guest', 'member', 'member', 'contributor', 'admin']
export const windowMs = 60_000
/** Lists lag by this at most. */
export const lagMaxMs = 20_000
