import type { DeclaredRule, DeclaredWorkspace } from './declared.ts'
import { edited } from './editVersions.ts'
import { basicSpec } from './generate.ts'
import { withFirstList, withLackingLists, withLostDeletes } from './generateAnswers.ts'
import { withApprovals } from './generateApprovals.ts'
import { withClocks } from './generateClocks.ts'
import { withEnds } from './generateEnds.ts'
import { withFences } from './generateFences.ts'
import { withGroupIds } from './generateGroups.ts'
import { withLimits } from './generateLimits.ts'
import { withOrders } from './generateOrders.ts'
import { withOurs } from './generateOurs.ts'
import { withPeople } from './generatePeople.ts'
import { withProjects } from './generateProjects.ts'
import { withRefusing } from './generateRefusing.ts'
import { withWords } from './generateWords.ts'
import type { Spec } from './spec.ts'
import { withTwoStarts } from './twoWriters.ts'

/** Kinds of faults that are added to some worlds. Each draws from its own stream, so the rest of a world is the same without them. */
const additions = {
  projects: withProjects,
  notFound: withLostDeletes,
  firstList: withFirstList,
  lacking: withLackingLists,
  clocks: withClocks,
  groupIds: withGroupIds,
  twoStarts: withTwoStarts,
  words: withWords,
  fences: withFences,
  approvals: withApprovals,
  orders: withOrders,
  refusing: withRefusing,
  limits: withLimits,
  ours: withOurs,
  ends: withEnds,
  people: withPeople,
} as const satisfies Record<string, (spec: Spec) => Spec>
export type Addition = keyof typeof additions
export const additionNames = Object.keys(additions) as readonly Addition[]

/** The world of a seed. */
export function specOf(seed: number, without: readonly Addition[] = []): Spec {
  const wanted = additionNames.filter((name) => !without.includes(name))
  return writable(wanted.reduce((spec, name) => additions[name](spec), basicSpec(seed)))
}

/** The world without rules that a declaration cannot have. */
export function writable(world: Spec): Spec {
  const spec = edited(world, withoutUnwritable)
  const { fences } = spec
  if (fences?.ending === undefined) return spec
  return { ...spec, fences: { ...fences, ending: { ...fences.ending, workspaces: fences.ending.workspaces.map(withoutUnwritable) } } }
}

/** Without exact rules for names with control characters: a declaration with such a rule is invalid. Patterns and mappings may have these names. */
function withoutUnwritable(one: DeclaredWorkspace): DeclaredWorkspace {
  const writable = (rules: readonly DeclaredRule[]) => rules.filter((rule) => !('group' in rule) || !/\p{Cc}/u.test(rule.group))
  return {
    ...one,
    ...(one.workspaceRoles === undefined ? {} : { workspaceRoles: writable(one.workspaceRoles) }),
    ...(one.projectRoles === undefined ? {} : { projectRoles: writable(one.projectRoles) }),
  }
}
