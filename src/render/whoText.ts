import { listText } from '../core/existing.ts'
import { type Finding } from '../core/finding.ts'
import { type Hold } from '../core/hold.ts'
import { type GroupName, type Key, type List } from '../core/mapping.ts'
import { type HighestRole, type PersonMapping, type PersonRole } from '../core/people/personRoles.ts'
import { count, counted, listed, listedFirst } from '../core/quantity.ts'
import { type WorkspaceAbout } from '../core/report.ts'
import { direction } from '../core/roles.ts'
import { type Provenance } from '../core/rule.ts'
import { nameInLine, oneLine, visible } from '../core/safeName.ts'
import { type Canvas, canvasOf, type TextOptions } from './canvas.ts'
import { changeParts, groupText, heldParts, nameText, placeOf, symbols } from './change.ts'
import { type Mark, unchangedMark } from './entry.ts'
import { membershipsStayText, withoutEffectText } from './groupSync.ts'
import { placeOfWork } from './header.ts'
import { explainHold } from './hold.ts'
import { heldMark, waitingMark } from './marks.ts'
import { findingLines } from './notices.ts'
import { indented, layout, type Row } from './table.ts'
import { type FailedView } from './view.ts'
import { wrap } from './width.ts'

/** The roles of a person in one workspace. */
export type PersonView = {
  readonly about: WorkspaceAbout
  readonly groups: readonly GroupName[]
  /** Groups of which not all members are known, with the reason. */
  readonly unknown: ReadonlyMap<GroupName, string>
  /** Lists of mappings that were not read whole, with the reason. */
  readonly unread: ReadonlyMap<List, string>
  readonly labels: ReadonlyMap<GroupName, string>
  readonly findings: readonly Finding[]
  /** Why the directories can know no person by this text. */
  readonly hint?: string
  readonly roles: readonly PersonRole[]
  readonly rules: ReadonlyMap<Key, Provenance>
  /** Changes that wait, and concern a group of the person. */
  readonly held: readonly Hold[]
}

/** Whether the directories and the lists of Plane said all about the person. */
export const isKnownWhole = ({ unknown, unread }: Pick<PersonView, 'unknown' | 'unread'>): boolean =>
  unknown.size === 0 && unread.size === 0

const namesMax = 10
const sentenceMax = 2_000

/** The roles of a person, today and after the plan, workspace by workspace. Ends with a line break. */
export function whoText(person: string, views: readonly (PersonView | FailedView)[], options: TextOptions): string {
  const canvas = canvasOf(options, 0)
  const known = views.flatMap((view) => ('failed' in view ? [] : [view]))
  const blocks = [
    wrap(firstSentence(nameInLine(person), known), canvas.width),
    ...views.map((view) => ('failed' in view ? failedLines(view, canvas) : workspaceLines(view, canvas))),
    ...(known.length === 0 ? [] : [wrap('Roles that are given by hand in Plane are not seen.', canvas.width)]),
  ]
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function firstSentence(person: string, views: readonly PersonView[]): string {
  const groups = [...new Set(views.flatMap((view) => view.groups))].toSorted()
  if (groups.length > 0) {
    const labels = new Map(views.flatMap((view) => [...view.labels]))
    const first = groups.slice(0, namesMax).map((group) => groupText({ group, label: labels.get(group) }))
    return `${person} is a member of ${counted(groups.length, 'group')} ${haveText(
      groups,
      views.flatMap(({ roles }) => roles),
    )}: ${listedFirst(first, groups.length)}.`
  }
  const isKnown = views.every(isKnownWhole)
  const none = isKnown
    ? `No group that has a role, or would get one, has ${person} as a member.`
    : `No group has ${person} among its known members.`
  const hint = views.find((view) => view.hint !== undefined)?.hint
  return hint === undefined
    ? none
    : `${none} Perhaps the person has another name there: ${hint} (people.identity in the settings of a directory).`
}

function failedLines({ about, failed, cure }: FailedView, { width, paint }: Canvas): readonly string[] {
  const lines = wrap(`Failed, the roles are not known: ${oneLine(failed, sentenceMax)}`, width)
  return [
    paint('bold', placeOfWork(about)),
    ...lines.map((line) => paint('alarm', line)),
    ...(cure === undefined ? [] : indented(oneLine(cure, sentenceMax), width)),
  ]
}

function workspaceLines(view: PersonView, canvas: Canvas): readonly string[] {
  const { width, paint } = canvas
  const { about, roles, held } = view
  const none = roles.length > 0 ? [] : isKnownWhole(view) ? ['  no role'] : ['  the roles are not known']
  return [
    paint('bold', placeOfWork(about)),
    ...unknownLines(view, canvas),
    ...none,
    ...layout(rowsOf(view), width, paint),
    ...layout(
      held.map((hold) => heldRow(hold, about)),
      width,
      paint,
    ),
    ...wrap(effectText(roles, about), width).map((line) => paint('yellow', line)),
    ...findingLines(view.findings, canvas),
  ]
}

/** Each list that was not read whole, and each group whose members are not known, with the reason. */
function unknownLines({ unknown, unread, roles }: PersonView, { width, paint }: Canvas): readonly string[] {
  const others = roles.length === 0 ? 'it is not known whether this person has a role' : 'this person may also have other roles'
  const alarm = (text: string) => wrap(text, width).map((line) => paint('alarm', line))
  const reasons = [...unknown.values()]
  const left = reasons.length - namesMax
  const shown = [...reasons.slice(0, namesMax), ...(left > 0 ? [`and ${count(left)} more`] : [])]
  return [
    ...[...unread].flatMap(([list, why]) => [
      ...alarm(`Not all of ${listText(list)} are known, so ${others}.`),
      ...indented(oneLine(why, sentenceMax), width),
    ]),
    ...(unknown.size === 0 ? [] : alarm(`Not all members of ${counted(unknown.size, 'group')} are known, so ${others}.`)),
    ...shown.flatMap((why) => indented(oneLine(why, sentenceMax), width)),
  ]
}

/** Projects with the same roles by the same groups share a row. Projects in which the role changes come first. */
function rowsOf(view: PersonView): readonly Row[] {
  const { roles } = view
  const alike = [...Map.groupBy(roles, alikeText).values()]
  const [changed, unchanged] = [
    alike.filter(([first]) => first !== undefined && changes(first)),
    alike.filter(([first]) => first === undefined || !changes(first)),
  ]
  return [...changed, ...unchanged].flatMap(([first, ...others]) => (first === undefined ? [] : [rowOf([first, ...others], view)]))
}

const alikeText = ({ target, before, after, mappings }: PersonRole): string =>
  JSON.stringify([
    target.kind,
    roleText(before),
    roleText(after),
    mappings.map((mapping) => [mapping.group, mapping.target.kind, roleText(mapping.before), roleText(mapping.after)]),
  ])

const changes = ({ before, after }: Pick<PersonRole, 'before' | 'after'>): boolean => roleText(before) !== roleText(after)

function rowOf(alike: readonly [PersonRole, ...PersonRole[]], view: PersonView): Row {
  const [first] = alike
  const { target } = first
  const where = alike.map((role) => placeOf(role.target))
  const byGroup = Map.groupBy(
    alike.flatMap((role) => role.mappings.filter((mapping) => decides(mapping, role))),
    (mapping) => `${mapping.target.kind} ${mapping.group}`,
  )
  return {
    ...markOf(first, view.about.roles),
    lead: [{ text: where.length === 1 ? (where[0] ?? '') : counted(where.length, 'project') }, { text: changeText(first) }, { text: '' }],
    tail: [],
    below: [
      ...[...byGroup.values()].map((ofGroup) => mappingsText(ofGroup, target.kind === 'project', view)),
      ...(where.length === 1 ? [] : [`in ${where.join(', ')}`]),
    ],
  }
}

type RoleOrder = WorkspaceAbout['roles']

/** The mark of a change that has the same effect: a create, a raise, a lowering, a delete, or another role of unknown or equal rank. */
function markOf({ before, after }: PersonRole, order: RoleOrder): Mark {
  if (roleText(before) === roleText(after)) return unchangedMark
  if (before === undefined) return symbols.create
  if (after === undefined) return symbols.delete
  if (before.kind === 'unclear' || after.kind === 'unclear') return symbols.other
  const towards = direction(before.role, after.role, order)
  return symbols[towards === 'raise' || towards === 'lower' ? towards : 'other']
}

/** Whether the mapping gives the highest role, today or after the plan. A lower role of another group decides nothing. */
const decides = (mapping: PersonMapping, { before, after }: PersonRole): boolean =>
  (mapping.before !== undefined && isWithin(mapping.before, before)) || (mapping.after !== undefined && isWithin(mapping.after, after))

const isWithin = (role: HighestRole, highest: HighestRole): boolean => highest?.kind === 'unclear' || roleText(role) === roleText(highest)

/** `by engineering: member · teams/eng.yaml:3` */
function mappingsText(mappings: readonly PersonMapping[], isProject: boolean, { rules, labels }: PersonView): string {
  const [first] = mappings as [PersonMapping]
  const general = isProject && first.target.kind === 'allProjects' ? ' in all projects' : ''
  const places = [...new Set(mappings.flatMap(({ key }) => rules.get(key) ?? []).map(({ at }) => visible(`${at.file}:${at.line}`)))]
  const place = places.length === 0 ? '' : ` · ${listedFirst(places.slice(0, 1), places.length)}`
  return `by ${groupText({ group: first.group, label: labels.get(first.group) })}: ${changeText(first)}${general}${place}`
}

/** `member`; `guest → member` if the plan changes the role. */
const changeText = (role: Pick<PersonRole, 'before' | 'after'>): string =>
  changes(role) ? `${roleText(role.before)} → ${roleText(role.after)}` : roleText(role.before)

function heldRow(hold: Hold, about: PersonView['about']): Row {
  const { sentence, cure } = explainHold(hold, about)
  const { target, who, before, role } = hold.change === undefined ? heldParts(hold) : changeParts(hold.change)
  return {
    ...(hold.reason.kind === 'approval' ? waitingMark : heldMark),
    lead: [{ text: target }, { text: who }, { text: before === undefined ? role : `${before} ${role}` }],
    tail: [{ text: `waits: ${oneLine(sentence, 500)}` }, { text: '' }],
    below: [oneLine(cure, sentenceMax)],
  }
}

/** `member`, `no role`, `guest and lead, in no order` */
function roleText(role: HighestRole): string {
  if (role === undefined) return 'no role'
  return role.kind === 'role' ? nameText(role.role) : `${listed(role.roles.map(nameText))}, in no order`
}

/** `with a role`, if all groups have one today. */
function haveText(groups: readonly GroupName[], roles: readonly PersonRole[]): string {
  const have = new Set(roles.flatMap(({ mappings }) => mappings.flatMap(({ group, before }) => (before === undefined ? [] : [group]))))
  if (groups.every((group) => have.has(group))) return 'with a role'
  return have.size === 0 ? 'that would get a role' : 'that have a role, or would get one'
}

/** Why the person does not have these roles, or keeps access after the plan, by the settings of group sync; empty if neither is so. */
function effectText(roles: readonly PersonRole[], { groupSync, roles: order }: Pick<WorkspaceAbout, 'groupSync' | 'roles'>): string {
  if (roles.length === 0) return ''
  const never = withoutEffectText(groupSync)
  if (never !== '' || groupSync?.autoRemove !== false) return never
  return roles.some(({ before, after }) => takesAway(before, after, order)) ? membershipsStayText : ''
}

function takesAway(before: HighestRole, after: HighestRole, order: WorkspaceAbout['roles']): boolean {
  if (before === undefined || after === undefined) return before !== undefined
  return before.kind === 'role' && after.kind === 'role' && direction(before.role, after.role, order) === 'lower'
}
