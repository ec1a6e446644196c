/** Words of a declaration beyond plain rules. A fence allows each of them by its name. */
export const fenceWords = [
  'removed',
  'expires',
  'unmanaged',
  'previously',
  'unknownGroups',
  'unknownProjects',
  'from',
  'groupSync',
  'allowProtected',
  'waivers',
] as const
export type FenceWord = (typeof fenceWords)[number]
