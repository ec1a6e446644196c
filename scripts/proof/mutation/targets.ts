/** The code that decides whether, how often and how fast something is written. Each of its mutants is noticed by a test or has a reason. */
export const targets: readonly string[] = [
  'src/core/**/*.ts',
  'src/render/**/*.ts',
  'src/plane/{errors,transient,write}.ts',
  'src/plane/rate/*.ts',
  'src/http/rateHeaders.ts',
  'src/cycle/{laterSlice,outcome,ownership,patternUses,planSettings,runTally}.ts',
  'src/declaration/{compileWaivers,fence,insideFence,repeated,waiversInsideFence}.ts',
  'src/directories/transcript.ts',
  'src/directories/ldap/{attribute,entry,page,read,search}.ts',
]

/** The least share of its mutants that tests must notice in each file. */
export const shareMin = 0.9
