import type { ChangeId } from '../core/change.ts'
import type { ApprovalWhy } from '../core/hold.ts'
import type { PeopleOver } from '../core/peopleEffect.ts'
import { counted } from '../core/quantity.ts'

/** `sentence`: the reason of a hold, without a full stop. `cure`: what to do next. Raw text; each rendering escapes it its own way. */
export type HoldText = { readonly sentence: string; readonly cure: string }

/** A change that concerns more people than a limit allows. */
export function explainPeople({ over, people, limit, pass, setting }: PeopleOver): HoldText {
  const number = people === undefined ? 'an unknown number of people' : counted(people, 'person', 'people')
  const verb = {
    lose: 'would lose it or keep a lower role',
    raise: 'would newly get it or a higher role',
    gainProtected: 'would newly get a protected role',
  }
  const upTo = people === undefined ? 'for any number of people' : `for up to ${counted(people, 'person', 'people')}`
  return { sentence: `${number} ${verb[over]}; ${setting} allows ${limit}`, cure: `to approve it ${upTo}: --allow ${pass}` }
}

/** The cure of a change that waits. */
export const approveOne = (id: ChangeId | undefined): string =>
  id === undefined ? 'to approve it: --allow with its ID' : `to approve this change: --allow ${id}`

/** A change that waits for approval. `approve`: how it gets it. */
export function explainApproval(why: ApprovalWhy, approve: string): HoldText {
  switch (why) {
    case 'protectedRole':
      return { sentence: 'protected role', cure: `${approve} · or in the file: allowProtected: true` }
    case 'protectedGroup':
      return { sentence: 'protected group', cure: `${approve} · or take it out of guards.protectedGroups` }
    case 'groupSync':
      return { sentence: 'settings of the whole workspace always need approval', cure: approve }
    case 'allProjectsProtected':
      return { sentence: 'protected role in all projects', cure: `${approve} · or name the projects` }
    default:
      return why satisfies never
  }
}
