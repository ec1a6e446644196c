import type { AskedDirectory, Explanation } from '../core/explain/explanation.ts'
import type { KeyEvent } from '../core/explain/keyEvents.ts'
import type { MappingOrigin } from '../core/explain/origin.ts'
import { type KeyOutcome, outcomeAt } from '../core/explain/outcome.ts'
import { ownId } from '../core/group.ts'
import type { Judged } from '../core/judge/guards.ts'
import { keyOf, type Mapping, type MappingId } from '../core/mapping.ts'
import { defined } from '../core/optionalFields.ts'
import { count, durationText, holdUntilText, lastDayText, listedFirst, momentText, sizeText } from '../core/quantity.ts'
import type { DeclarationReport, WorkspaceAbout } from '../core/report.ts'
import type { Provenance } from '../core/rule.ts'
import { oneLine, visible } from '../core/safeName.ts'
import { giverText } from '../core/waiver.ts'
import { outcomeText, outcomeWords } from './applied.ts'
import { type Canvas, canvasOf, type TextOptions } from './canvas.ts'
import { changeKindOf, changeParts, nameText, roleBefore, symbols } from './change.ts'
import { answerText, atText, capturesText, claimText, lossText, nearRuleText, standingText, whyNotText } from './explainSentence.ts'
import { feltText, groupSyncText, withoutEffectText } from './groupSync.ts'
import { placeOfWork, suspendedText } from './header.ts'
import { explainHold } from './hold.ts'
import { invalidDeclarationText } from './invalidDeclaration.ts'
import { laterEntries } from './later.ts'
import type { RecordedView } from './view.ts'
import { padEnd, wrap } from './width.ts'

/** Everything that is said of one key. */
export type ExplainView = {
  readonly about: WorkspaceAbout
  readonly declaration: DeclarationReport
  readonly judged: Judged
  readonly explained: Explanation
  /** Where each mapping of the key comes from; absent without a journal. */
  readonly origins?: ReadonlyMap<MappingId, MappingOrigin>
  /** The last events of the key, the newest first; absent without a journal. */
  readonly events?: readonly KeyEvent[]
  readonly recorded?: RecordedView
  /** It is what the daemon has read last. */
  readonly byDaemon?: true
  /** The directories of the settings that no rule of the workspace asks. */
  readonly unasked: readonly string[]
  readonly nowMs: number
}

/** What the plan does at the key, and at the mapping of the group to all projects if the key is of one project. */
export function outcomesOf({ explained, judged: { plan }, about }: ExplainView) {
  const { group, key, target } = explained
  const everywhere = keyOf(about.workspace, { kind: 'allProjects' }, group)
  return { own: outcomeAt(key, plan), ...(target.kind === 'project' && { everywhere: outcomeAt(everywhere, plan) }) }
}

/** The answer in one sentence, then the facts, each with its name. Ends with a line break. */
export function explainText(view: ExplainView, options: TextOptions): string {
  const canvas = canvasOf(options, view.nowMs)
  const { about, explained, declaration, judged } = view
  const { own, everywhere } = outcomesOf(view)
  const alarm = invalidDeclarationText(declaration, [judged.plan])
  const facts: readonly Fact[] = [
    ['Rule', ruleTexts(explained)],
    ['Unmanaged', explained.unmanaged === undefined ? [] : [joined(atText(explained.unmanaged), aboutRule(explained.unmanaged))]],
    ['Captures', explained.claims.slice(0, 1).map(capturesText)],
    ['Other rules', claimTexts(explained)],
    ['Nearest', nearTexts(explained)],
    ['Group', groupTexts(view, own)],
    ['Project', projectTexts(explained)],
    ['In Plane', mappingTexts(view)],
    ['Change', changeTexts(view, own)],
    ['Held', holdTexts(view, own)],
    ['Later', laterTexts(view, own)],
    ['All projects', everywhere === undefined ? [] : everywhereTexts(explained, everywhere)],
    ['Settings', settingsTexts(view, own)],
    ['Journal', eventTexts(view)],
  ]
  const head = [
    ...wrap(answerText({ explained, outcome: own, about, ...defined({ everywhere }) }), canvas.width).map((line) =>
      canvas.paint('bold', line),
    ),
    ...wrap(`${placeOfWork(about)}${sourceText(view)}`, canvas.width).map((line) => canvas.paint('dim', line)),
    ...(alarm === '' ? [] : wrap(alarm, canvas.width).map((line) => canvas.paint('alarm', line))),
  ]
  return `${[...head, '', ...facts.flatMap((fact) => factLines(fact, canvas))].join('\n')}\n`
}

type Fact = readonly [name: string, texts: readonly string[]]
const nameColumns = 14

/** The name stands once, and each text begins in the same column. */
function factLines([name, texts]: Fact, { width, paint }: Canvas): readonly string[] {
  return texts
    .filter((text) => text !== '')
    .flatMap((text, index) =>
      wrap(text, width - nameColumns).map((line, row) => paint('dim', padEnd(index === 0 && row === 0 ? name : '', nameColumns)) + line),
    )
}

const joined = (...parts: readonly (string | undefined)[]): string => parts.filter((part) => part !== undefined && part !== '').join(' · ')

const restMax = 5
/** The first texts, and how many more there are. */
const firstOf = (texts: readonly string[]): readonly string[] =>
  texts.length <= restMax ? texts : [...texts.slice(0, restMax), `and ${count(texts.length - restMax)} more`]

function ruleTexts({ claims, wanted }: Explanation): readonly string[] {
  const [first] = claims
  if (first === undefined) return [wanted === undefined ? 'none' : atText(wanted.because)]
  const { because } = first.wanted
  const other = wanted !== undefined && atText(wanted.because) !== atText(because) ? [`decided at ${atText(wanted.because)}`] : []
  const { startsMs, expiresMs } = first.rule ?? {}
  const starts = startsMs === undefined ? undefined : `from ${momentText(startsMs)}`
  return [joined(atText(because), claimText(first), aboutRule({ ...because, ...defined({ expiresMs }) }), starts), ...other]
}

const aboutRule = ({ owner, reason, expiresMs }: Provenance): string =>
  joined(
    owner === undefined ? '' : `owner ${oneLine(owner, 60)}`,
    reason === undefined ? '' : `"${oneLine(reason, 200)}"`,
    expiresMs === undefined ? '' : lastDayText(expiresMs),
  )

const claimTexts = ({ claims }: Explanation): readonly string[] =>
  firstOf(
    claims
      .slice(1)
      .map((claim) =>
        joined(atText(claim.wanted.because), claimText(claim), claim.lost === undefined ? standingText(claim) : lossText[claim.lost]),
      ),
  )

function nearTexts({ claims, near, group, wanted, unmanaged, unmatched }: Explanation): readonly string[] {
  const texts = near.slice(0, nearMax).map((each) => joined(atText(each.rule.because), nearRuleText(each), whyNotText(each, group)))
  const none = claims.length === 0 && texts.length === 0 && unmanaged === undefined && wanted === undefined ? ['no rule comes near'] : []
  return [
    ...texts,
    ...none,
    ...(unmatched === undefined ? [] : [`not all patterns were compared with the groups: ${oneLine(unmatched, 300)}`]),
  ]
}
const nearMax = 3

function groupTexts(view: ExplainView, { holds }: KeyOutcome): readonly string[] {
  const { explained, unasked } = view
  const { directories, nearGroup } = explained
  const others =
    unasked.length === 0
      ? []
      : [`not asked, since no rule of the workspace does: ${listedFirst(unasked.slice(0, restMax).map(visible), unasked.length)}`]
  const meant = nearGroup === undefined || holds.length > 0 ? [] : [`did you mean ${nameText(nearGroup)}?`]
  const texts = [...directories.flatMap((directory) => directoryTexts(directory, view)), ...others, ...meant]
  return texts.length === 0 ? ['the settings have no directory'] : texts
}

const sourceText = ({ recorded, byDaemon }: ExplainView): string => {
  if (recorded !== undefined) return `, from a recording of ${momentText(recorded.takenMs)}`
  return byDaemon === true ? ', as the daemon has read it; --fresh asks now' : ''
}

function directoryTexts(
  { name, status, why, atMs, groups }: AskedDirectory,
  { explained: { notRecorded }, recorded, nowMs }: ExplainView,
): readonly string[] {
  const reading = `${visible(name)}: ${status}, ${durationText(nowMs - atMs)} ago${why === undefined ? '' : `: ${oneLine(why, 300)}`}`
  if (groups.length === 0)
    return [
      joined(
        reading,
        status === 'failed'
          ? undefined
          : notRecorded === true
            ? 'this recording does not have the group'
            : 'it has no group with this name',
      ),
    ]
  return firstOf(
    groups.map((group) => {
      const id = ownId(group)
      const called = group.label === undefined ? undefined : `called ${nameText(oneLine(group.label, 100))}`
      return joined(
        reading,
        // A recording has a number in place of a DN.
        recorded === undefined ? oneLine(group.place, 300) : undefined,
        called,
        id === undefined ? undefined : `id ${oneLine(id, 100)}`,
        sizeText(group.size),
      )
    }),
  )
}

const projectTexts = ({ noProject, target }: Explanation): readonly string[] =>
  noProject === undefined || target.kind !== 'project'
    ? []
    : [
        `the credential sees no project ${nameText(target.project)}${noProject.near === undefined ? '' : `; did you mean ${nameText(noProject.near)}?`}`,
      ]

function mappingTexts({ explained, origins, judged }: ExplainView): readonly string[] {
  const { mappings, mappingsUnread } = explained
  const unread = mappingsUnread === undefined ? [] : [`the mappings were not read whole: ${oneLine(mappingsUnread, 300)}`]
  if (mappings.length === 0) return unread.length > 0 ? unread : ['no mapping']
  const deletes = new Map(
    judged.plan.changes.flatMap((change) => (change.action === 'delete' ? [[change.mapping, change.why] as const] : [])),
  )
  return [
    ...mappings.map((mapping) =>
      joined(`mapping ${visible(mapping.id)}`, roleBefore(mapping.role), originText(mapping, origins), twice(mapping, deletes)),
    ),
    ...unread,
  ]
}

const twice = ({ id }: Mapping, deletes: ReadonlyMap<MappingId, string>): string =>
  deletes.get(id) === 'duplicate' ? 'the group has it twice: this one is deleted' : ''

/** Where a mapping comes from, in the words of the policy `sync`. */
function originText({ id }: Mapping, origins: ExplainView['origins']): string {
  const origin = origins?.get(id)
  if (origin === undefined) return origins === undefined ? 'without a journal it is not known who made it' : ''
  switch (origin.how) {
    case 'made':
      return 'made by this program, so it is ours'
    case 'adopted':
      return 'adopted by an exact rule, so it is ours'
    case 'named':
      return `not ours yet${origin.adoptedMs === undefined ? '' : `; ours from ${momentText(origin.adoptedMs)} if the exact rule stays`}`
    case 'intended':
      return 'this program tried to make it, and the answer was lost'
    case 'others':
      return 'not ours, as far as the journal knows'
    default:
      return origin.how satisfies never
  }
}

function changeTexts({ about }: ExplainView, { changes, holds }: KeyOutcome): readonly string[] {
  if (changes.length === 0) return holds.length === 0 ? ['none'] : []
  return changes.map((change) => {
    const { who, before, role, fact, effect } = changeParts(change)
    const { symbol } = symbols[changeKindOf(change, about.roles)]
    const roles = [before, role].filter((part) => part !== undefined).join(' ')
    return joined(`${symbol} ${change.action === 'rename' ? `${who} ${roles}` : roles}`, fact, effect, `ID ${change.id}`)
  })
}

function holdTexts({ about, nowMs }: ExplainView, { holds }: KeyOutcome): readonly string[] {
  const texts = holds.flatMap((hold) => {
    const { sentence, cure } = explainHold(hold, about)
    const until = hold.untilMs === undefined ? '' : `, ${holdUntilText(hold.untilMs, nowMs)}`
    const waits = hold.reason.kind === 'approval' ? 'waits for approval: ' : ''
    return [`${waits}${oneLine(sentence, 500)}${until}`, oneLine(cure, 1_200)]
  })
  // Several mappings may be held for the same reason.
  return [...new Set(texts)]
}

const laterTexts = ({ about }: ExplainView, outcome: KeyOutcome): readonly string[] =>
  firstOf(
    laterEntries(outcome, about).map(({ mark, parts: { before, role, fact }, why }) =>
      joined([mark.symbol, before, role].filter((part) => part !== undefined && part !== '').join(' '), fact, why),
    ),
  )

function everywhereTexts({ everywhere }: Explanation, outcome: KeyOutcome): readonly string[] {
  const entries = [...outcome.unchanged, ...outcome.changes, ...outcome.holds]
  if (everywhere.length === 0 && entries.length === 0) return []
  const has = everywhere.length === 0 ? 'no mapping' : everywhere.map(({ role }) => roleBefore(role)).join(', ')
  const waits = outcome.changes.length > 0 ? 'it changes' : outcome.holds.length > 0 ? 'it is held' : undefined
  return [joined(`the group has ${has} there`, entries[0]?.because && atText(entries[0].because), waits)]
}

function settingsTexts({ about }: ExplainView, { changes }: KeyOutcome): readonly string[] {
  const { groupSync, groupSyncUnread, roles } = about
  const takesAway = changes.some((change) => change.action === 'delete' || changeKindOf(change, roles) === 'lower')
  const felt = changes.length > 0 ? feltText(groupSync, takesAway) : withoutEffectText(groupSync)
  const unread = groupSyncUnread === undefined ? '' : oneLine(groupSyncUnread, 300)
  return [joined(`policy ${about.policy}`, groupSyncText(groupSync ?? {})), suspendedText(about), felt, unread]
}

function eventTexts({ events, recorded, about, nowMs }: ExplainView): readonly string[] {
  if (recorded !== undefined) return ['a recording has no entries of the journal']
  if (events === undefined) return ['these settings have no journal']
  return events.length === 0 ? ['no entry about it'] : events.map((event) => eventText(event, about, nowMs))
}

function eventText(event: KeyEvent, about: WorkspaceAbout, nowMs: number): string {
  const by = `${event.command === undefined ? 'run' : visible(event.command)} ${visible(event.run).slice(0, 8)}`
  return joined(`${momentText(event.atMs)}  ${whatText(event, about, nowMs)}`, by)
}

function whatText(event: KeyEvent, about: WorkspaceAbout, nowMs: number): string {
  switch (event.kind) {
    case 'write': {
      const { change, outcome } = event
      const { before, role } = changeParts(change)
      const write = [symbols[changeKindOf(change, about.roles)].symbol, before, role].filter((part) => part !== undefined).join(' ')
      if (outcome === undefined) return joined(write, 'sent, and no result is recorded')
      const more = outcomeText(outcome, change, about, nowMs)
      return joined(write, `${outcomeWords[outcome.kind].short}${more === '' ? '' : `: ${more}`}`, change.because && atText(change.because))
    }
    case 'ownership':
      return event.ownership === null ? 'no longer known as ours' : ownershipText(event.ownership.how)
    case 'seen':
      return event.isFirst === true
        ? `had ${roleBefore(event.role)} when the list was first read`
        : `Plane shows ${roleBefore(event.role)}: others changed it`
    case 'approval':
      return `approved by ${oneLine(giverText(event), 100)}, until ${momentText(event.untilMs)}: "${oneLine(event.reason, 200)}"`
    default:
      return event satisfies never
  }
}

function ownershipText(how: MappingOrigin['how']): string {
  switch (how) {
    case 'made':
      return 'known as made by this program'
    case 'adopted':
      return 'adopted: an exact rule has named it for seven days'
    case 'named':
      return 'named by an exact rule for the first time'
    case 'intended':
      return 'to be made by this program'
    case 'others':
      return 'not known as made by this program'
    default:
      return how satisfies never
  }
}
