import type { Change, ChangeId } from '../core/change.ts'
import type { ApprovalWhy } from '../core/hold.ts'
import type { CountedEffect, PeopleOver } from '../core/peopleEffect.ts'
import { count, counted } from '../core/quantity.ts'

/** `sentence`: the reason of a hold, without a full stop. `cure`: what to do next. Raw text; each rendering escapes it its own way. */
export type HoldText = { readonly sentence: string; readonly cure: string }

/**
 * A change that concerns more people than a limit allows. The sentence has all numbers of people, each once: a row needs no others beside it.
 *
 * @param change the people of its group, and the effect on them, as far as they are known
 */
export function explainPeople({ over, people, atLeast, limit, pass, setting }: PeopleOver, change: Change | undefined): HoldText {
  const { people: total, effect } = change === undefined || change.action === 'settings' ? {} : change
  const verb = `would ${verbOf(over, effect?.kind === 'counted' ? effect : undefined)}`
  const upTo = people === undefined ? 'for any number of people' : `for up to ${counted(people, 'person', 'people')}`
  return {
    sentence: `${numberOf(people, atLeast, total)} ${verb}; ${setting} allows ${count(limit)}`,
    cure: `to approve it ${upTo}: --allow ${pass}`,
  }
}

function numberOf(people: number | undefined, atLeast: number | undefined, total: number | undefined): string {
  if (people === undefined && atLeast !== undefined && atLeast > 0) return `at least ${numberOf(atLeast, undefined, total)}`
  if (people === undefined)
    return total === undefined ? 'an unknown number of people' : `an unknown number of its ${counted(total, 'person', 'people')}`
  return total === undefined || total === people
    ? counted(people, 'person', 'people')
    : `${count(people)} of ${counted(total, 'person', 'people')}`
}

function verbOf(over: PeopleOver['over'], effect: CountedEffect | undefined): string {
  switch (over) {
    case 'raise':
      return either(['newly get it', effect?.newly], ['get a higher role', effect?.raised])
    case 'lose':
      return either(['lose it', effect?.lost], ['keep a lower role', effect?.lowered])
    case 'gainProtected':
      return 'newly get a protected role'
    default:
      return over satisfies never
  }
}

type Part = readonly [verb: string, people: number | undefined]

/** `lose it`, `lose it or keep a lower role`, `lose it (1) or keep a lower role (2)` */
function either(one: Part, other: Part): string {
  const some = [one, other].filter(([, people]) => people !== 0)
  const shown = some.length > 0 ? some : [one, other]
  return shown
    .map(([verb, people]) => (people === undefined || people === 0 || shown.length === 1 ? verb : `${verb} (${count(people)})`))
    .join(' or ')
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
