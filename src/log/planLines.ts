import type { Change } from '../core/change.ts'
import { type Hold, type HoldReason } from '../core/hold.ts'
import { isKeptUnread } from '../core/holdEffects.ts'
import { targetText } from '../core/mapping.ts'
import { isAsSent, type Outcome } from '../core/outcome.ts'
import { boundsWord, holdUntilText, momentText } from '../core/quantity.ts'
import type { Result, WorkspaceAbout } from '../core/report.ts'
import { visible } from '../core/safeName.ts'
import { outcomeText } from '../render/applied.ts'
import { changeSentence, nameText, placeOf } from '../render/change.ts'
import { grantsText } from '../render/counts.ts'
import { explainHold } from '../render/hold.ts'
import { isUndeclaredProtected } from '../render/sections.ts'
import type { LogLine } from './line.ts'

/** Names of the holds and findings of a workspace that have been logged. They are not logged again while they stay. */
export type LoggedNames = ReadonlySet<string>

/** Lines for one workspace in one cycle; the plan shows all holds. */
const linesMax = 100

/** One line for each hold that the cycle before did not have; sets of changes have lines of their own. Holds of a reason that concerns many keys at once share one line. */
export function holdLines(
  holds: readonly Hold[],
  about: WorkspaceAbout,
  before: LoggedNames,
  nowMs: number,
): { readonly lines: readonly LogLine[]; readonly loggedNames: LoggedNames } {
  const holdsByName = Map.groupBy(holds, identity)
  // A shared line is logged again if its number has changed.
  const loggedNames = new Set([...holdsByName].map(([name, ofName]) => `${name} ${ofName.length}`))
  const fresh = [...holdsByName]
    .filter(([name, ofName]) => !before.has(`${name} ${ofName.length}`))
    .map(([, ofName]) => ofName as [Hold, ...Hold[]])
  const shown = fresh.slice(0, linesMax).map((ofName) => lineOf(ofName, about, nowMs))
  const rest = fresh.length - shown.length
  return { lines: rest === 0 ? shown : [...shown, restLine(rest, about)], loggedNames }
}

/** Holds with the same name share a line. A directory that fails holds every key, which is one fact for the reader. */
function identity({ key, change, reason }: Hold): string {
  if (sharesLine(reason)) return JSON.stringify(reason.kind === 'requires' ? [reason.kind] : reason)
  return JSON.stringify([key, change?.id, reason.kind])
}

function sharesLine(reason: HoldReason): boolean {
  switch (reason.kind) {
    case 'readingIncomplete':
    case 'patternsUnmatched':
    case 'clocksDiffer':
    case 'notStarted':
    case 'undeclared':
    case 'policy':
    case 'suspended':
    case 'fileInvalid':
    case 'notRecorded':
    case 'anotherWriter':
    case 'requires':
      return true
    case 'quarantined':
      return reason.since === 'startUp'
    case 'approval':
    case 'groupUnknown':
    case 'projectUnknown':
    case 'projectChanged':
    case 'perhapsRenamed':
    case 'groupChanged':
    case 'labelDiffers':
    case 'roleUnmapped':
    case 'ambiguous':
    case 'conflict':
    case 'outranked':
    case 'contested':
    case 'unsafeName':
    case 'roleEchoed':
    case 'nameEchoed':
    case 'flapping':
      return false
    default:
      return reason satisfies never
  }
}

function lineOf(holds: readonly [Hold, ...Hold[]], about: WorkspaceAbout, nowMs: number): LogLine {
  const [hold] = holds
  const { workspace } = about
  const { reason, untilMs } = hold
  const { sentence, cure } = explainHold(hold, about)
  const until = untilMs === undefined ? {} : { until: new Date(untilMs).toISOString() }
  const untilWords = untilMs === undefined ? '' : `; held ${holdUntilText(untilMs, nowMs)}`
  const words = visible(`${sentence}${untilWords}; ${cure}`)
  const common = { event: 'hold' as const, workspace, hold: reason.kind, ...until }
  if (sharesLine(reason)) {
    return {
      level: levelOf(reason),
      fields: { ...common, count: holds.length },
      message: `${workspace} ${sharedText(holds, about)}: ${words}`,
    }
  }
  const verb = reason.kind === 'approval' ? 'waits for approval' : 'holds'
  return {
    level: levelOf(reason),
    fields: { ...common, ...subjectFields(hold), sentence },
    message: `${workspace} ${verb} ${subject(hold, about)}: ${words}`,
  }
}

/** `1 held, 4 kept`: the same words as in the summary of the workspace. */
function sharedText(holds: readonly [Hold, ...Hold[]], { roles }: WorkspaceAbout): string {
  const kept = holds.filter(isKeptUnread).length
  const others = holds.length - kept
  const grants = holds.filter((hold) => isUndeclaredProtected(hold, roles)).length
  return [
    ...(others === 0 ? [] : [`${others} ${sharedLineVerbs[holds[0].reason.kind] ?? 'held'}${grantsText(grants)}`]),
    ...(kept === 0 ? [] : [`${kept} kept`]),
  ].join(', ')
}

const sharedLineVerbs: Readonly<Partial<Record<HoldReason['kind'], string>>> = { undeclared: 'undeclared' }

function levelOf({ kind }: HoldReason): 'info' | 'warn' {
  return kind === 'policy' || kind === 'suspended' || kind === 'requires' || kind === 'quarantined' || kind === 'notStarted'
    ? 'info'
    : 'warn'
}

function subjectFields({ change, key, group, target, because }: Hold): Readonly<Record<string, unknown>> {
  if (change !== undefined) return changeFields(change)
  return {
    key,
    ...(target === undefined ? {} : { target: targetText(target) }),
    ...(group === undefined ? {} : { group }),
    ...becauseFields(because),
  }
}

function subject({ change, key, group, target, because }: Hold, { roles }: WorkspaceAbout): string {
  if (change !== undefined) return changeSentence(change, roles)
  const place = because === undefined ? '' : ` (${visible(`${because.at.file}:${because.at.line}`)})`
  return `${target === undefined ? '' : `${placeOf(target)} `}${group === undefined ? visible(key) : nameText(group)}${place}`
}

const restLine = (rest: number, { workspace }: WorkspaceAbout): LogLine => ({
  level: 'warn',
  fields: { event: 'hold', workspace, count: rest },
  message: `${workspace} holds ${rest} more: plan --workspace ${workspace} shows them`,
})

/**
 * One line for one write, logged as soon as its outcome is known. All writes have the event `change`, so one search shows everything that changed or may
 * have. The memory has only the last failure of a change, so it may fail for longer than the line says.
 */
export function changeLine(
  { change, outcome, failedMs }: Result,
  about: Pick<WorkspaceAbout, 'workspace' | 'roles' | 'unknownOutcomeWaitMs'>,
  nowMs: number,
): LogLine {
  const outcomeClause = outcomeText(outcome, change, about, nowMs)
  const since = failedMs === undefined || outcome.kind === 'done' ? '' : `; it has failed since ${momentText(failedMs)}, or longer`
  const tail = outcomeClause === '' ? '' : ` · ${outcome.kind === 'done' ? '' : `${words[outcome.kind]}: `}${outcomeClause}${since}`
  return {
    level: changeLevelOf(outcome),
    fields: {
      event: 'change',
      workspace: about.workspace,
      ...changeFields(change),
      outcome: outcome.kind,
      ...(outcome.kind === 'refused' ? { status: outcome.status } : {}),
    },
    message: `${about.workspace} ${changeSentence(change, about.roles)}${tail}`,
  }
}

/** A change that the gate stopped has a line of its hold besides. */
function changeLevelOf(outcome: Outcome): LogLine['level'] {
  if (outcome.kind === 'refused') return 'error'
  return isAsSent(outcome) || (outcome.kind === 'notSent' && outcome.hold !== undefined) ? 'notice' : 'warn'
}

const words = { refused: 'refused', notSent: 'not sent', unknown: 'outcome unknown' } as const

/** The fields of a change, without nesting, so that the log can be searched by them. */
function changeFields(change: Change): Readonly<Record<string, unknown>> {
  return { id: change.id, action: change.action, ...actionFields(change), ...becauseFields(change.because) }
}

function actionFields(change: Change): Readonly<Record<string, unknown>> {
  if (change.action === 'settings') return { target: 'settings', before: change.before, after: change.after }
  const { size } = change
  const place = { target: targetText(change.target), group: change.group, ...(size === undefined ? {} : { [size.of]: boundsWord(size) }) }
  switch (change.action) {
    case 'create':
      return { ...place, after: change.role }
    case 'patch':
      return { ...place, before: change.before, after: change.role }
    case 'rename':
      return { ...place, fromGroup: change.fromGroup, before: change.before, after: change.role }
    case 'delete':
      return { ...place, before: change.before, why: change.why }
    default:
      return change satisfies never
  }
}

function becauseFields(because: Change['because']): Readonly<Record<string, unknown>> {
  if (because === undefined) return {}
  const { at, pattern: _, expiresMs: _end, ...words } = because
  return { rule: `${at.file}:${at.line}`, ...(words satisfies Readonly<Record<string, string>>) }
}
