import type { MappingChange } from '../core/change.ts'
import type { ClaimLoss } from '../core/desired.ts'
import type { Claimed, Explanation } from '../core/explain/explanation.ts'
import type { NearRule, WhyNot } from '../core/explain/nearRules.ts'
import type { KeyOutcome } from '../core/explain/outcome.ts'
import type { HeldWrite, Hold } from '../core/hold.ts'
import type { GroupName, Target } from '../core/mapping.ts'
import { listed, listedFirst, momentText } from '../core/quantity.ts'
import type { WorkspaceAbout } from '../core/report.ts'
import { lineText, type Provenance, type Rule } from '../core/rule.ts'
import { nameInLine, oneLine, visible } from '../core/safeName.ts'
import { lackText } from '../core/unknownTo.ts'
import { groupText, nameText, placeOf, roleBefore } from './change.ts'
import { clause, holdSentence } from './hold.ts'

/** What the answer is made from. `everywhere`: what the plan does at the mapping to all projects, if the key is of one project. */
type Answered = {
  readonly explained: Explanation
  readonly outcome: KeyOutcome
  readonly everywhere?: KeyOutcome
  readonly about: Pick<WorkspaceAbout, 'workspace' | 'policy'>
}

/**
 * The answer: which role the group has on the target, or will get, and why; or that it has none, and why not. It is one sentence. A second one says what
 * comes near, or that a mapping to all projects counts, too.
 */
export function answerText(answered: Answered): string {
  const { explained, outcome } = answered
  const [first] = explained.near
  const isOpen = explained.claims.length === 0 && explained.unmanaged === undefined && outcome.changes.length === 0
  const isUndeclared = outcome.holds.every(({ reason }) => reason.kind === 'undeclared')
  const isNear = first !== undefined && first.whyNot.kind !== 'otherTarget' && first.whyNot.kind !== 'otherWorkspace'
  const near = isNear && isOpen && isUndeclared ? nearAnswer(first, explained.group) : ''
  return [ownAnswer(answered), near, everywhereAnswer(answered)].filter((sentence) => sentence !== '').join(' ')
}

const nearAnswer = (near: NearRule, group: GroupName): string => `${atText(near.rule.because)} comes nearest: ${whyNotText(near, group)}.`

/** What the people of the group have in the project all the same. */
function everywhereAnswer({ explained, everywhere }: Answered): string {
  const [mapping] = explained.everywhere
  if (mapping === undefined) return ''
  const [unchanged] = everywhere?.unchanged ?? []
  const then =
    unchanged !== undefined
      ? `: ${atText(unchanged.because)} gives it`
      : (everywhere?.changes ?? []).length > 0
        ? ', and this changes with the next apply or cycle'
        : ''
  return `By its mapping to all projects it has ${roleBefore(mapping.role)} there${then}.`
}

function ownAnswer({ explained, outcome, about }: Answered): string {
  const { group, label, target, mappings, mappingsUnread, unmanaged, isManaged, claims } = explained
  const [who, where] = [groupText({ group, label }), inText(target)]
  const change = outcome.changes.find((each) => !isDuplicate(each))
  if (change !== undefined) return changeAnswer(change, explained, about)
  const hold = outcome.holds.find((each) => !isDuplicate(each.change))
  if (hold !== undefined) return holdAnswer(hold, explained, about)
  const [unchanged] = outcome.unchanged
  if (unchanged !== undefined) return `${who} has ${roleBefore(unchanged.role)} ${where}: ${atText(unchanged.because)} gives it.`
  const [mapping] = mappings
  if (mapping !== undefined) {
    const has = `${who} has ${roleBefore(mapping.role)} ${where}`
    if (unmanaged !== undefined) return `${has}, and nothing changes it: ${atText(unmanaged)} lists it under "unmanaged".`
    return isManaged ? `${has}.` : `${has}, and the declaration does not manage this mapping.`
  }
  if (mappingsUnread !== undefined)
    return `It is not known whether ${who} has a role ${where}: the mappings were not read whole, and ${claims.length === 0 ? noneText(explained) : `${atText(claims[0]?.wanted.because)} names it`}.`
  if (unmanaged !== undefined) return `${noRole(explained)}, and gets none: ${atText(unmanaged)} lists it under "unmanaged".`
  const [claim] = claims
  return `${noRole(explained)}: ${claim === undefined ? noneText(explained) : claimAnswer(claim)}.`
}

const noneText = ({ unusedFile }: Explanation): string =>
  unusedFile === undefined ? 'no rule gives it one' : `no rule that can be read gives it one, and ${atText(unusedFile)} cannot be used`
/** A mapping to all projects gives a role that is not the group's own here. */
const noRole = ({ group, label, target, everywhere }: Explanation): string =>
  `${groupText({ group, label })} has no role ${everywhere.length === 0 ? '' : 'of its own '}${inText(target)}`

const isDuplicate = (change: Hold['change']): boolean => change?.action === 'delete' && change.why === 'duplicate'

/** When a change of the plan is written. */
const next = 'with the next apply or cycle'

function changeAnswer(change: MappingChange, { group, label, target, wanted }: Explanation, { policy }: Answered['about']): string {
  const [who, where] = [groupText({ group, label }), inText(target)]
  const rule = atText(change.because ?? wanted?.because)
  switch (change.action) {
    case 'create':
      return `${who} gets ${nameText(change.role)} ${where} ${next}: ${rule} gives it.`
    case 'patch':
      return `${who} has ${roleBefore(change.before)} ${where}, and gets ${nameText(change.role)} ${next}: ${rule} gives it.`
    case 'rename':
      return change.group === group
        ? `${who} gets ${nameText(change.role)} ${where} ${next}: ${rule} gives it, and the mapping of ${nameText(change.fromGroup)} is renamed.`
        : `${who} loses ${roleBefore(change.before)} ${where} ${next}: ${rule} renames the mapping to ${nameText(change.group)}.`
    case 'delete':
      return `${who} loses ${roleBefore(change.before)} ${where} ${next}: ${deleteText(change.why, rule, policy)}.`
    default:
      return change satisfies never
  }
}

function deleteText(why: Extract<MappingChange, { action: 'delete' }>['why'], rule: string, policy: string): string {
  switch (why) {
    case 'removed':
      return `${rule} lists it under "removed"`
    case 'expired':
      return `the rule ${rule} has ended`
    case 'duplicate':
      return 'the group has the mapping twice'
    case 'undeclared':
      return policy === 'exclusive'
        ? 'no rule declares it, and the policy exclusive deletes what no rule declares'
        : 'no rule declares it any more, and it is ours'
    default:
      return why satisfies never
  }
}

function holdAnswer(hold: Hold, explained: Explanation, { workspace }: Answered['about']): string {
  const { group, label, target, wanted } = explained
  const [who, where] = [groupText({ group, label }), inText(target)]
  const { change, reason } = hold
  const rule = atText(hold.because ?? wanted?.because)
  const sentence = oneLine(clause(holdSentence(hold, workspace)), sentenceMax)
  const why = reason.kind === 'approval' ? `it waits for approval (${sentence})` : sentence
  if (change?.action === 'rename' && change.group !== group)
    return `${who} keeps ${roleBefore(change.before)} ${where}, and ${rule} renames the mapping to ${nameText(change.group)}: ${why}.`
  const would = wouldOf(hold)
  switch (would?.action) {
    case undefined:
      return `${noRole(explained)}: ${why}.`
    case 'create':
      return `${noRole(explained)} yet: ${rule} gives ${nameText(would.role)}, but ${why}.`
    case 'patch':
      return `${who} has ${roleBefore(would.before)} ${where}: ${rule} gives ${nameText(would.role)}, but ${why}.`
    case 'delete':
      return reason.kind === 'undeclared'
        ? `${who} has ${roleBefore(would.before)} ${where}: ${why}.`
        : `${who} has ${roleBefore(would.before)} ${where}, and should lose it: ${why}.`
    case 'keep':
    case 'unknown':
      return `${who} keeps ${roleBefore(would.before)} ${where}: ${why}.`
    default:
      return would satisfies never
  }
}

/** What would be written without the hold. */
function wouldOf({ change, would }: Hold): HeldWrite | undefined {
  if (change === undefined || change.action === 'settings') return would
  if (change.action === 'delete') return { action: 'delete', before: change.before }
  return change.action === 'patch' ? change : { action: 'create', role: change.role }
}

/** Why an entry gives the key no role, if Plane has no mapping there. */
function claimAnswer(claim: Claimed): string {
  const { wanted } = claim
  const rule = atText(wanted.because)
  if (wanted.kind === 'absent') return wanted.why === 'removed' ? `${rule} lists it under "removed"` : `the rule ${rule} has ended`
  if (wanted.kind === 'role') return `${rule} gives ${nameText(wanted.role)}`
  const sentence = holdSentence({ reason: wanted.reason, because: wanted.because })
  const gives = wanted.would?.kind === 'role' ? ` gives ${nameText(wanted.would.role)}, but` : ':'
  return `${rule}${gives} ${oneLine(clause(sentence), sentenceMax)}`
}

const sentenceMax = 500

/** `teams/web.yaml:6` */
export const atText = (because: Provenance | undefined): string =>
  because === undefined ? 'the declaration' : visible(lineText(because.at))

/** `in the workspace`, `in ENG`, `in all projects` */
const inText = (target: Target): string => (target.kind === 'workspace' ? 'in the workspace' : `in ${placeOf(target)}`)

/** What an entry says: `glob eng-* → member`, `removed`. */
export function claimText({ rule, wanted, captured }: Claimed): string {
  if (rule === undefined) return 'listed under "removed"'
  const role = rule.role.kind === 'fixed' ? rule.role.role : captured && rule.role.map.get(captured[rule.role.capture] ?? '')
  const given = wanted.kind === 'role' ? wanted.role : role
  return `${selectorText(rule)} → ${given === undefined ? 'no role of its map' : nameText(given)}`
}

/** The group of a rule, or its pattern. */
const selectorText = ({ groups }: Pick<Rule, 'groups'>): string =>
  groups.kind === 'exact' ? nameText(groups.name) : `${groups.pattern.syntax} ${oneLine(groups.pattern.source, 200)}`

/** `app = pay → PAY, PAYPLAT · level = rw → member`; empty if the pattern captures nothing. */
export function capturesText({ rule, captured }: Claimed): string {
  if (rule === undefined || captured === undefined) return ''
  return Object.entries(captured)
    .map(([name, value]) => {
      const projects = rule.target.kind === 'captured' && rule.target.capture === name ? rule.target.map.get(value) : undefined
      const role = rule.role.kind === 'captured' && rule.role.capture === name ? rule.role.map.get(value) : undefined
      const meaning = [...(projects ?? []), ...(role === undefined ? [] : [role])].map(nameText)
      return `${visible(name)} = ${nameText(value)}${meaning.length === 0 ? '' : ` → ${meaning.join(', ')}`}`
    })
    .join(' · ')
}

/** Why an entry does not decide. */
export const lossText: Readonly<Record<ClaimLoss, string>> = {
  notStarted: 'it starts later',
  ended: 'it has ended',
  fenced: 'a file without limits beats one inside a fence',
  removed: 'an entry under "removed" beats a rule',
  exact: 'an exact rule beats a pattern',
}

/** The state of an entry that does not lose: it says the same as the one that decides, or is one of those that contradict each other. */
export function standingText({ wanted, rule }: Claimed): string {
  switch (wanted.kind) {
    case 'role':
      return 'it counts, too'
    case 'absent':
      return wanted.why === 'removed' ? 'it counts, too' : 'it has ended'
    case 'unknown':
      return wanted.reason.kind === 'notStarted' && rule?.startsMs !== undefined
        ? `it starts at ${momentText(rule.startsMs)}`
        : oneLine(clause(holdSentence({ reason: wanted.reason, because: wanted.because })), sentenceMax)
    default:
      return wanted satisfies never
  }
}

/** `glob eng-* → member` */
export function nearRuleText({ rule }: NearRule): string {
  const role = rule.role.kind === 'fixed' ? nameText(rule.role.role) : `the role of "${visible(rule.role.capture)}"`
  return `${selectorText(rule)} → ${role}`
}

/** Why a rule that comes near does not count: `the glob says eng-*, the group is Eng-web: letter case counts`. */
export function whyNotText({ rule, whyNot }: NearRule, group: GroupName): string {
  const name = nameText(nameInLine(group))
  switch (whyNot.kind) {
    case 'unmanaged':
      return `${atText(whyNot.entry)} lists ${name} under "unmanaged"`
    case 'projectUnknown':
      return 'the credential sees no such project, and the rule skips it (unknownProjects: skip)'
    case 'except':
      return `its "except" leaves ${name} out`
    case 'outsideFence':
      return `${name} is outside of the fence of this file`
    case 'unknownGroup':
      if (whyNot.notRecorded === true) return `its ${patternWord(rule)} fits, but this recording does not have the group ${name}`
      return `its ${patternWord(rule)} fits, but ${unknownGroupText(whyNot, name)}`
    case 'formerName':
      return `it names ${nameText(whyNot.name)}, and has ${name} as the former name`
    case 'letterCase':
      return `the ${patternWord(rule)} says ${sourceOf(rule)}, the group is ${name}, and letter case counts`
    case 'similarName':
      return `it names ${nameText(whyNot.name)}, the group is ${name}${whyNot.difference === undefined ? '' : `: they differ only in ${whyNot.difference}`}`
    case 'otherTarget':
      return `it is for ${targetsText(whyNot)}`
    case 'otherWorkspace':
      return `it is for the workspace ${nameText(whyNot.workspace)}`
    default:
      return whyNot satisfies never
  }
}

function unknownGroupText({ asked, unread }: Extract<NearRule['whyNot'], { kind: 'unknownGroup' }>, name: string): string {
  const own = asked.length === 0 ? '' : lackText(asked.map(visible), `the group ${name}`)
  const perhaps =
    unread.length === 0 ? '' : `${listed(unread.map(visible))} could not be read whole, and may have ${own === '' ? name : 'it'}`
  const texts = [own, perhaps].filter((text) => text !== '')
  return texts.length === 0 ? `the settings have no directory that could know the group ${name}` : texts.join('; ')
}

const patternWord = ({ groups }: Rule): string => (groups.kind === 'pattern' ? groups.pattern.syntax : 'name')
const sourceOf = ({ groups }: Rule): string => (groups.kind === 'pattern' ? oneLine(groups.pattern.source, 200) : nameText(groups.name))

const targetsMax = 5
function targetsText({ targets }: Extract<WhyNot, { kind: 'otherTarget' }>): string {
  const names = targets.map((target) => (target.kind === 'workspace' ? 'the workspace itself' : placeOf(target)))
  return listedFirst(names.slice(0, targetsMax), names.length)
}
