import type { DeclaredRule } from './schema.ts'

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

/**
 * Whether a file inside a fence may have a key of a rule: `always`, as its `owner`, `projects` … say (`inside`), or only with the word of this name in `may`.
 * The groups, projects and roles that it names are those of the fence.
 */
export const ruleKeys = {
  group: 'always',
  groups: 'always',
  groupGlob: 'always',
  groupRegex: 'always',
  except: 'always',
  project: 'always',
  projects: 'always',
  allProjects: 'inside',
  role: 'always',
  starts: 'always',
  label: 'always',
  reason: 'always',
  owner: 'inside',
  from: 'may',
  previously: 'may',
  unknownGroups: 'may',
  unknownProjects: 'may',
  expires: 'may',
  allowProtected: 'may',
} as const satisfies { readonly [Key in keyof Required<DeclaredRule>]: 'always' | 'inside' | (Key extends FenceWord ? 'may' : never) }
type RuleKey = keyof typeof ruleKeys
export const ruleWords = Object.keys(ruleKeys).filter((key): key is RuleKey & FenceWord => ruleKeys[key as RuleKey] === 'may')
