import { type Bounds, compareWith, type GroupSize, isExact, isUnknown, mostOf } from '../core/bounds.ts'
import type { Change } from '../core/change.ts'
import { type Doors, doorText } from '../core/doors.ts'
import { type ApprovalWhy, type LimitName, type LimitOver, passOf } from '../core/hold.ts'
import { passInSet } from '../core/judge/people.ts'
import type { CountedEffect, PeopleOver } from '../core/peopleEffect.ts'
import { boundsText, boundsWord, count, counted, sizeText } from '../core/quantity.ts'

/** `sentence`: the reason of a hold, without a full stop. `cure`: what to do next. Raw text; each rendering escapes it its own way. */
export type HoldText = { readonly sentence: string; readonly cure: string }

/**
 * A change that concerns more people than a limit allows, or perhaps more. The sentence has all numbers of people, each once: a row needs no others
 * beside it.
 *
 * @param change the people of its group, and the effect on them, as far as they are known
 */
export function explainPeople(over: PeopleOver, change: Change | undefined, doors: Doors): HoldText {
  const { people, together, limit, pass, setting } = over
  const { size, effect } = change === undefined || change.action === 'settings' ? {} : change
  const known = effect?.kind === 'counted' ? effect : undefined
  const verb = `would ${verbOf(over.over, known)}`
  const cure = `to approve it for ${people.most === undefined ? 'any number of people' : `up to ${counted(people.most, 'person', 'people')}`}: ${doorText(pass, doors)}`
  const withOthers = together === undefined ? '' : `, with others ${boundsWord(together)}`
  const comparison = compareWith(limit, together ?? people)
  if (comparison === 'above' || isExact(people))
    return { sentence: `${numberOf(people, size)} ${verb}${withOthers}; ${setting} allows ${count(limit)}`, cure }
  const why = known === undefined ? 'no directory said who is in the group' : (known.why ?? 'not all members of the group are known')
  // Where nothing is known, it is not known either that the role is protected.
  const subject =
    isUnknown(people) && over.over === 'gainProtected' ? numberOf(people, undefined) : `${numberOf(people, size)} ${verb}${withOthers}`
  return {
    sentence: `${subject}, perhaps more than the ${count(limit)} that ${setting} allows: ${why}`,
    cure: `${cure} · or remove this reason`,
  }
}

/** `12 people`, `12 of 30 people`, `2 to 5 people` */
const numberOf = (people: Bounds, size: GroupSize | undefined): string =>
  size === undefined || size.of === 'members' || !isExact(size) || size.most === people.most || isUnknown(people)
    ? boundsText(people, 'person', 'people')
    : `${boundsWord(people)} of ${sizeText(size)}`

function verbOf(over: PeopleOver['over'], effect: CountedEffect | undefined): string {
  switch (over) {
    case 'raise':
      return either(['newly get it', effect?.newly], ['get a higher role', effect?.raised])
    case 'lose': {
      const exact = effect === undefined ? undefined : [effect.lose, effect.lost, effect.lowered]
      const [lose = 0, lost = 0, lowered = 0] = exact?.every(isExact) === true ? exact.map(({ least }) => least) : []
      const last = lost + lowered
      if (lose <= last) return either(['lose it', effect?.lost], ['keep a lower role', effect?.lowered])
      return `lose it or keep a lower role, ${last === 0 ? 'all' : `${count(lose - last)} of them`} only if the plan's grants are not written`
    }
    case 'gainProtected':
      return 'newly get a protected role'
    default:
      return over satisfies never
  }
}

type Part = readonly [verb: string, people: Bounds | undefined]

/** `lose it`, `lose it or keep a lower role`, `lose it (1) or keep a lower role (2)` */
function either(first: Part, second: Part): string {
  const parts = [first, second].filter(([, people]) => people === undefined || mostOf(people) > 0)
  const shown = parts.length > 0 ? parts : [first, second]
  return shown
    .map(([verb, people]) =>
      people === undefined || mostOf(people) === 0 || shown.length === 1 ? verb : `${verb} (${boundsWord(people)})`,
    )
    .join(' or ')
}

/** What to check before changes that exceed a limit are approved. */
const limitCures: Readonly<Record<LimitName, string>> = {
  people: 'if a group has more people than it should, correct it in its directory',
  lastAdministrator: 'name another group that keeps an administrator role',
  emptiesList: 'if lines or a file are gone by mistake, restore them',
  fileGone: 'if a file is gone by mistake, put it back',
  creates: 'if a pattern or a directory gives more groups than it should, correct it',
  raises: 'if a file gives more than it should, correct it',
  lowers: 'if lines or a file were changed by mistake, restore them',
  deletes: 'if lines or a file are gone by mistake, restore them',
  run: 'the next cycles write the rest, as far as the limits allow',
  day: 'they are written when 24 hours have passed since the earlier ones',
  beside: 'first decide about the other changes that wait',
}

/** The title of changes that wait together. It begins with a word of the program, so that it does not look like a row. */
export const limitText = (name: LimitName, sentence: string): string => `limit ${name}: ${sentence}`

/** What to do before, or instead of, an approval. */
export const limitCure = (name: LimitName, setting: string): string =>
  `${limitCures[name]}${isSetting(setting) ? ` · or, if the limit is wrong, change ${setting}` : ''}`

const isSetting = (setting: string): boolean => setting.includes('guards.')

/** A change that will wait with others at its date. Each of them has a row, so the sentence is short. */
export function explainLimitLater({ name, count: total, limit, setting, sentence }: LimitOver): HoldText {
  const kind = name === 'run' || name === 'day' ? setting.split('.').at(-1) : name
  const why = isSetting(setting) ? `${count(total)} ${kind} on that day, and ${setting} allows ${count(limit)}` : sentence
  return { sentence: `will wait for approval: ${why}`, cure: 'approve the set when it waits, or correct the dates' }
}

/** `what`: `these 12 changes (40 people)`. */
export const approveSet = (pass: string, what: string, doors: Doors): string => `to approve exactly ${what}: ${doorText(pass, doors)}`

/** One of the changes that wait together. */
export const explainLimit = (over: LimitOver, doors: Doors): HoldText => ({
  sentence: over.sentence,
  cure: `${limitCure(over.name, over.setting)} · ${approveSet(passOf(over), 'the changes of this set', doors)}`,
})

/** The cure of a change that waits. @param over the limit for which it waits with others */
export function approveOne(change: Change | undefined, doors: Doors, over?: LimitOver): string {
  if (change === undefined) return `to approve it: ${doorText(undefined, doors)}`
  return `to approve this change: ${doorText(over?.name === 'people' ? passInSet(change, over) : change.id, doors)}`
}

/** A change that waits for approval. `approve`: how it gets it. */
export function explainApproval(why: ApprovalWhy, approve: string, change: Change | undefined): HoldText {
  switch (why) {
    case 'protectedRole':
      return { sentence: 'protected role', cure: `${approve} · or ${allowInFile(change)}` }
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

/** `allowProtected` beside a pattern is an error of the declaration. */
const allowInFile = (change: Change | undefined): string =>
  change?.because?.pattern === undefined ? 'in the file: allowProtected: true' : 'write an exact rule with allowProtected: true'
