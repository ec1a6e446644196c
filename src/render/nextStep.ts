import { isAsSent } from '../core/outcome.ts'
import { listed, roughText } from '../core/quantity.ts'
import type { Applied, WorkspaceAbout } from '../core/report.ts'
import { visible } from '../core/safeName.ts'
import { clause } from './hold.ts'
import { sectionsOf, setsOf } from './sections.ts'
import type { AppliedView } from './view.ts'

/**
 * The next step of a person after an apply; empty if there is none.
 *
 * @param isWhole whether all changes that were approved are written
 */
export function nextText(view: AppliedView, isWhole: boolean): string {
  const next = stepText(view, isWhole)
  const { results, holds, left } = view.applied
  const isPart = holds.length + left.length > 0 || !results.every(({ outcome }) => isAsSent(outcome))
  const isStale = view.isSaved === true && isPart && results.some(({ outcome }) => isAsSent(outcome))
  return isStale && next !== '' && next !== groupSyncOff ? `${next} ${staleText}` : next
}

/** What is written is no change any more, so the file has another fingerprint than the next plan. */
const staleText = 'The saved plan is stale now, since a part of it is written: save a new plan, or apply without a file.'

function stepText({ applied, about, judged, directories, goesOn = false }: AppliedView, isWhole: boolean): string {
  if (goesOn) return ''
  if (applied.stopped !== undefined) return afterStop(applied.stopped, applied, about)
  const { waiting, held: open, kept } = sectionsOf(judged.plan)
  const failed = applied.left.length > 0 || applied.results.some(({ outcome }) => !isAsSent(outcome))
  if (!isWhole && (failed || waiting.length === 0)) return missingText
  const held = [...open, ...kept]
  const unread = directories.filter(({ status }) => status !== 'complete').map(({ name }) => name)
  const isUnread = held.some(({ reason }) => reason.kind === 'readingIncomplete')
  if (waiting.length > 0) {
    const what = setsOf(waiting).length === 0 ? 'change' : 'change or set of changes'
    const how =
      about.doors === 'any' ? 'add its --allow to the next apply' : 'write its words in a file, which the command of its row prints'
    return `Next: for each ${what} that needs approval, either ${how}, or edit the declaration or the settings as its row says.`
  }
  if (unread.length > 0)
    return `Next: ${visible(listed(unread))} could not be read whole. Repair that, then apply again; changes that depend on it are held until then.`
  if (isUnread) return 'Next: a list could not be read whole. Apply again; changes that depend on it are held until then.'
  if (held.length > 0) return 'Next: each held row says what ends its hold. Then apply again; the daemon does so by itself.'
  if (about.groupSync?.enabled === false) return groupSyncOff
  return ''
}

const missingText = 'Next: do what the rows above say, then apply again; it reads afresh and writes only what is still missing.'

const groupSyncOff =
  'Next: switch on group sync in the settings of this workspace in Plane, or declare groupSync: { enabled: true }. Until then the mappings take no effect.'

/**
 * What the journal's failure means for the changes of an apply. If no change is left, the journal took all intents, and did not take the result of
 * the last change.
 */
export const journalText = ({ left }: Pick<Applied, 'left'>): string =>
  left.length === 0
    ? 'no change is left to send, and only the last result is not in the journal'
    : 'a change that is not in the journal is not sent'

/** The longest wait that the service asked for, and a minute at the least. */
function slowedFor({ results }: Pick<Applied, 'results'>): string {
  const longestMs = results.reduce((ms, { outcome }) => ('retryAfterMs' in outcome ? Math.max(ms, outcome.retryAfterMs ?? 0) : ms), 0)
  return longestMs <= 60_000 ? 'a minute' : roughText(longestMs)
}

export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

function afterStop(stopped: NonNullable<Applied['stopped']>, applied: Applied, about: WorkspaceAbout): string {
  switch (stopped) {
    case 'credential':
      return `Next: the service does not accept the credential ${visible(about.credential)}. Check its key, its rights and its workspace, then apply again.`
    case 'throttled':
      return `Next: the service asked to wait. Apply again in ${slowedFor(applied)}; the daemon does so by itself.`
    case 'unreachable':
      return `Next: ${visible(about.host)} did not answer. Make sure that it answers, then apply again; nothing is written twice.`
    case 'notAsSent':
      return `Next: ${visible(about.host)} stores mappings otherwise than they were sent. See its answers above. Correct the cause, then apply again.`
    case 'refused':
      return `Next: ${visible(about.host)} failed in the same way several times in a row, so the rest was not tried. Do what the failed rows say, then apply again.`
    case 'signal':
      return 'Next: stopped on request. Apply again: it reads afresh and plans only what is missing.'
    case 'journal':
      return `Next: ${visible(clause(applied.why ?? 'the journal cannot be written'))}. ${capital(journalText(applied))}. Make the journal writable, then apply again.`
    case 'outdated':
      return 'Next: the machine was suspended, so all readings are too old. Apply again: it reads afresh and plans only what is missing.'
    default:
      return stopped satisfies never
  }
}
