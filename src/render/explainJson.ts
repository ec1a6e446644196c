import { ruleResult } from '../core/desired.ts'
import type { AskedDirectory, Claimed } from '../core/explain/explanation.ts'
import type { KeyEvent } from '../core/explain/keyEvents.ts'
import type { KeyOutcome } from '../core/explain/outcome.ts'
import { ownId } from '../core/group.ts'
import type { Mapping } from '../core/mapping.ts'
import { defined } from '../core/optionalFields.ts'
import { isoTime } from '../core/quantity.ts'
import type { RoleSettings } from '../core/roles.ts'
import type { ExplainDocument } from '../documents/explain.ts'
import { documentBecause, documentChange, documentOutcome, documentSettings, documentTarget } from './documentParts.ts'
import { documentText } from './documentText.ts'
import { answerText, claimText, lossText, nearRuleText, standingText, whyNotText } from './explainSentence.ts'
import { type ExplainView, outcomesOf } from './explainText.ts'
import { holdOf, unchangedOf } from './json.ts'
import { laterDocument } from './later.ts'

/** What is said of one key, as a JSON document. */
export function explainJson(view: ExplainView): string {
  const { about, explained, events } = view
  const { own, everywhere } = outcomesOf(view)
  const { key, target, group, claims, near, unmanaged, isManaged, directories, mappings } = explained
  const document: ExplainDocument = {
    format: 'plane-group-sync/explain',
    version: 1,
    ...{ workspace: about.workspace, slug: about.slug, host: about.host },
    ...{ policy: about.policy, suspend: about.suspend, credential: about.credential },
    key,
    target: documentTarget(target),
    group,
    ...defined({ label: explained.label }),
    answer: answerText({ explained, outcome: own, about, ...defined({ everywhere }) }),
    claims: claims.map(claimDocument),
    near: near.map((each) => ({
      because: documentBecause(each.rule.because),
      says: nearRuleText(each),
      why: each.whyNot.kind,
      sentence: whyNotText(each, group),
    })),
    managed: isManaged,
    directories: directories.map(directoryDocument),
    unasked: view.unasked,
    mappings: mappings.map((mapping) => mappingDocument(mapping, view)),
    ...outcomeDocument(own, view),
    ...defined({
      unmanaged: unmanaged && documentBecause(unmanaged),
      mappingsUnread: explained.mappingsUnread,
      everywhere: everywhere && {
        mappings: explained.everywhere.map(({ id, role }) => ({ mapping: id, role })),
        ...outcomeDocument(everywhere, view),
      },
      groupSync: about.groupSync && documentSettings(about.groupSync),
      events: events?.map((event) => eventDocument(event, about.roles)),
    }),
  }
  return documentText(document)
}

const claimDocument = (claim: Claimed): ExplainDocument['claims'][number] => {
  const result = ruleResult(claim.wanted)
  return {
    because: documentBecause(claim.wanted.because),
    says: claimText(claim),
    decides: claim.decides,
    ...defined({
      role: result?.kind === 'role' ? result.role : undefined,
      lost: claim.lost,
      sentence: claim.lost === undefined ? (claim.decides ? undefined : standingText(claim)) : lossText[claim.lost],
      captured: claim.captured,
    }),
  }
}

const directoryDocument = ({ name, status, why, atMs, groups }: AskedDirectory): ExplainDocument['directories'][number] => ({
  name,
  status,
  ...defined({ at: isoTime(atMs), why }),
  groups: groups.map((group) => ({ place: group.place, ...defined({ id: ownId(group), label: group.label, size: group.size }) })),
})

function mappingDocument({ id, role }: Mapping, { origins }: ExplainView): ExplainDocument['mappings'][number] {
  const { how, isOurs, adoptedMs } = origins?.get(id) ?? {}
  return {
    mapping: id,
    role,
    ...defined({ origin: how, ours: isOurs, oursFrom: adoptedMs === undefined ? undefined : isoTime(adoptedMs) }),
  }
}

const outcomeDocument = ({ changes, holds, unchanged, later }: KeyOutcome, { about }: ExplainView) => ({
  changes: changes.map((change) => documentChange(change, about.roles)),
  holds: holds.map((hold) => holdOf(hold, about)),
  unchanged: unchanged.map(unchangedOf),
  later: later.map((row) => laterDocument(row, about)),
})

function eventDocument(event: KeyEvent, roles: RoleSettings): NonNullable<ExplainDocument['events']>[number] {
  const head = { event: event.kind, run: event.run, ...defined({ at: isoTime(event.atMs), command: event.command }) }
  switch (event.kind) {
    case 'write':
      return {
        ...head,
        change: documentChange(event.change, roles),
        ...defined({ outcome: event.outcome && documentOutcome(event.outcome) }),
      }
    case 'ownership':
      return { ...head, origin: event.ownership?.how ?? null }
    case 'seen':
      return { ...head, role: event.role, ...defined({ isFirst: event.isFirst }) }
    case 'approval':
      return { ...head, by: event.by, account: event.account, reason: event.reason, ...defined({ until: isoTime(event.untilMs) }) }
    default:
      return event satisfies never
  }
}
