/** What is the same in every world. */
export const key = 'pgs-sim-key-3f9d'
export const projects = ['ENG', 'OPS']
export const windowMs = 60_000
