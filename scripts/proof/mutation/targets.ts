/** What decides whether something is written, how often and how fast; each of its mutants must be noticed by a test, or have a reason. */
export const targets: readonly string[] = [
  'src/core/**/*.ts',
  'src/render/**/*.ts',
  'src/plane/{errors,transient,write}.ts',
  'src/plane/rate/{answered,budget,budgetState,circuit,fairQueue,foreignUsage,permission,rateHeaders,retry,retryBudget,stall}.ts',
  'src/directories/ldap/{entry,members,page,read,referrals,search,values}.ts',
]

/** Of all mutants the share that tests must notice, in every file. */
export const shareMin = 0.9
