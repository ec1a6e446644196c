import { type Change, waiverId } from '../core/change.ts'
import { type Hold } from '../core/hold.ts'
import { partsOfId } from '../core/idWithPeople.ts'
import { grantsProtected } from '../core/judge/guards.ts'
import { defined } from '../core/optionalFields.ts'
import { type Outcome } from '../core/outcome.ts'
import { type UnchangedMapping } from '../core/plan.ts'
import { count } from '../core/quantity.ts'
import { oneLine } from '../core/safeName.ts'
import { isWhole, outcomeWords, triedEntry } from './applied.ts'
import { type PlanApprovals, planApprovals, waitingKind } from './approval.ts'
import { approvedWrites, waitingParts } from './approved.ts'
import { applyWith, approveWords } from './commandLine.ts'
import { approvalText } from './counts.ts'
import { goneParts, isAllRead, isSameAsBase, nothingKnownText, nothingText, sameByCause, sameText } from './differenceText.ts'
import { documentChange } from './documentParts.ts'
import { changeEntry, cureMax, holdEntries, type Mark, type PlanEntry, unchangedEntry } from './entry.ts'
import { isPinned } from './fold.ts'
import { explainHold, holdSentence } from './hold.ts'
import { horizonText, laterEntries, laterTitle } from './later.ts'
import { approvalColumns, changeColumns, entryTable, holdColumns, laterColumns, triedColumns } from './markdownTable.ts'
import { heldMark, undeclaredMark, waitingMark } from './marks.ts'
import { codeBlock, details, prose, shellBlock } from './markup.ts'
import { hasMeaning, meaningText } from './meaning.ts'
import { capital, nextText } from './nextStep.ts'
import { unsizedText } from './people.ts'
import { isProtectedEntry } from './rows.ts'
import { appliedHolds, isUndeclaredProtected, sectionsOf, standingOf, undeclaredText } from './sections.ts'
import { keptHolds, keptTexts } from './unread.ts'
import { type AppliedView, type View } from './view.ts'
import { waiverYaml } from './waiverYaml.ts'

/** The sections of a plan. The shares of `room` (characters), here and below, add up to less than 1, to leave some for titles and sentences. */
export function planSections(view: View, room: number): readonly string[] {
  const { about, judged } = view
  const { writes, waiting, held, kept, dangling, undeclared } = sectionsOf(judged.plan)
  const standing = standingOf(view)
  const entriesOf = (some: readonly Change[]) => some.map((change) => changeEntry(change, about.roles))
  const applied = standing === 'writes' ? 'will be applied' : 'would be applied'
  const changes = entriesOf(writes.filter((change) => !grantsProtected(change, about.roles)))
  return [
    ...waitingTable(waiting, approvalText(waiting.length, standing), view, room * 0.2),
    ...approvedWrites(writes, about).flatMap(({ title, changes: grants }) => [
      `**${title}; ${applied}**`,
      entryTable(entriesOf(grants), changeColumns, always, room * 0.2),
    ]),
    ...titled(capital(applied), changes, () =>
      entryTable(changes, changeColumns, isPinned, room * (changes.length < writes.length ? 0.3 : 0.5)),
    ),
    ...laterTables(view, room * 0.1),
    ...[unsizedText(view)].filter((text) => text !== '').map(prose),
    ...[hasMeaning(view) ? meaningText(view) : ''].filter((text) => text !== '').map(prose),
    ...keptTexts(keptHolds(kept, about.roles)).map(prose),
    ...holdDetails('Held', held, heldMark, view, room * 0.14),
    ...holdDetails('Dangling, kept', dangling, heldMark, view, room * 0.04),
    ...undeclaredDetails(undeclared, view, room * 0.04),
    ...differenceParts(view, room * 0.12),
    ...unchangedDetails(judged.plan.unchangedMappings ?? [], room * 0.04),
  ]
}

/** Beside a base: what the branch no longer does, and what both do. */
function differenceParts(view: View, room: number): readonly string[] {
  if (view.difference === undefined) return []
  const gone = goneParts(view)
  const rest = sameText(view)
  const same = Number.isFinite(room) ? [] : sameByCause(view)
  return [
    ...gone.flatMap(({ title, entries }) =>
      titled(title, entries, () => entryTable(entries, holdColumns, isProtectedEntry, room / gone.length)),
    ),
    ...(isSameAsBase(view) ? [`**${isAllRead(view) ? nothingText : nothingKnownText}**`] : []),
    ...same.map(({ title, entries }) => details(`${title} (${count(entries.length)})`, entryTable(entries, holdColumns, never, room))),
    ...(rest === undefined ? [] : [prose(`${rest}.`)]),
  ]
}

function unchangedDetails(mappings: readonly UnchangedMapping[], room: number): readonly string[] {
  if (mappings.length === 0) return []
  const entries = mappings.map(unchangedEntry)
  return [details(`Unchanged (${count(mappings.length)})`, entryTable(entries, changeColumns, never, room))]
}

const always = (): boolean => true
const never = (): boolean => false

const titled = (title: string, of: readonly unknown[], text: () => string): readonly string[] =>
  of.length === 0 ? [] : [`**${title} (${count(of.length)})**`, text()]

/** The sections of an apply's result. */
export function appliedSections(view: AppliedView, room: number): readonly string[] {
  const { about, applied } = view
  const { results, left } = applied
  const { waiting, held, kept: unread, dangling, undeclared, meanwhile } = appliedHolds(view)
  const tried = (is: Outcome['kind'], share: number) => {
    const entries = results.filter(({ outcome }) => outcome.kind === is).map((result) => triedEntry(result, view))
    const isKept = is === 'done' ? isPinned : always
    return titled(outcomeWords[is].title, entries, () => entryTable(entries, triedColumns, isKept, room * share))
  }
  const untried = left.map((change) => changeEntry(change, about.roles))
  return [
    ...tried('unknown', 0.1),
    ...tried('refused', 0.15),
    ...tried('notSent', 0.1),
    ...waitingTable(waiting, approvalText(waiting.length), view, room * 0.12),
    ...holdDetails('Held meanwhile', meanwhile, heldMark, view, room * 0.1),
    ...keptTexts(keptHolds(unread, about.roles)).map(prose),
    ...holdDetails('Held', held, heldMark, view, room * 0.09),
    ...titled('Not tried', untried, () => entryTable(untried, changeColumns, isPinned, room * 0.1)),
    ...laterTables(view, room * 0.06),
    ...holdDetails('Dangling, kept', dangling, heldMark, view, room * 0.02),
    ...undeclaredDetails(undeclared, view, room * 0.035),
    ...tried('done', 0.13),
    ...[nextText(view, isWhole(applied))].filter((text) => text !== '').map(prose),
  ]
}

/** Never folded, since the reader has to decide about it. Each set has its limit, its cure, and the command that approves it. */
function waitingTable(waiting: readonly Hold[], title: string, view: View, room: number): readonly string[] {
  if (waiting.length === 0) return []
  const { single, sets } = waitingParts(waiting, view)
  const part = room / (1 + sets.length)
  const table = single.length === 0 ? [] : [entryTable(singleEntries(single, view), approvalColumns, always, part)]
  return [
    `**${title}**`,
    ...table,
    ...approveBlocks(single, view),
    ...sets.flatMap(({ name, sentence, cure, what, pass, changes, also, protectedRows, rows }) => [
      `**Limit ${name}:** ${prose(sentence)}`,
      `${prose(`${capital(cure)}.`)} ${approveBlock(`To approve exactly ${what}`, [pass], [{ sentence, pass, changes }], view)}`,
      ...also.map((text) => prose(`${capital(text)}.`)),
      ...setTable(protectedRows, part / 2),
      ...setTable(rows, part / 2),
    ]),
    ...(view.about.doors === 'any' ? alsoWritten(view.judged.plan.changes.length) : []),
  ]
}

const setTable = (some: readonly PlanEntry[], room: number): readonly string[] =>
  some.length === 0 ? [] : [entryTable(some, changeColumns, always, room)]

const namedMax = 10

/** A row has an ID of its own only if the command below it has several: else it would only repeat the one of that command. Words for a file need none. */
function singleEntries(single: readonly Hold[], view: View): readonly PlanEntry[] {
  const entries = holdEntries(single, waitingMark, view)
  const isBelow = view.about.doors === 'files-only' || single.length === 1 || single.length > namedMax
  if (!isBelow) return entries
  return entries.map((entry, index) => {
    const hold = single[index]
    if (hold === undefined || waitingKind(hold) === undefined) return entry
    const cure = oneLine(explainHold(hold, { doors: view.about.doors, approvals: asBelow }).cure, cureMax)
    return { ...entry, cure, sharedCure: cure }
  })
}

const below = { label: '', text: 'approve it as below' }
const asBelow: PlanApprovals = { protected: below, settings: below }

/**
 * The commands that approve waiting changes, to be copied, each with what it approves. The command with the ID of the plan is the last one. It is the
 * only one if more than `namedMax` changes would be named.
 */
function approveBlocks(single: readonly Hold[], view: View): readonly string[] {
  const { plan } = view.judged
  const ids = [...new Set(single.flatMap(({ change, reason }) => ('pass' in reason ? reason.pass : (change?.id ?? []))))]
  const isNamed = ids.length > 0 && ids.length <= namedMax
  const [kind] = single.flatMap((hold) => waitingKind(hold) ?? [])
  const named = ids.length === 1 ? 'this change, and no other' : `these ${count(ids.length)} changes, and no others`
  return [
    ...(isNamed ? [approveBlock(`To approve ${named}`, ids, waitsAlone(single), view)] : []),
    ...(kind === undefined || isNamed
      ? []
      : [
          approveBlock(capital(planApprovals(view)[kind].label), [waiverId(plan.fingerprint)], waitsAlone(single), view),
          '`--format text --all` shows the ID of each.',
        ]),
  ]
}

/** Changes that wait alone, or as a set. `pass`: their ID, perhaps with a number of people. */
type Waits = { readonly sentence: string; readonly pass: string; readonly changes: readonly Change[] }

const waitsAlone = (single: readonly Hold[]): readonly Waits[] =>
  single.flatMap((hold) =>
    hold.change === undefined
      ? []
      : [{ sentence: holdSentence(hold), pass: 'pass' in hold.reason ? hold.reason.pass : hold.change.id, changes: [hold.change] }],
  )

/** The command that approves, or, where only files approve, the words for a file: no command knows the plan of a branch. */
function approveBlock(label: string, ids: readonly string[], waits: readonly Waits[], { about, nowMs }: View): string {
  if (about.doors === 'any') return [prose(`${label}:`), '', ...shellBlock(applyWith(about.workspace, ids))].join('\n')
  if (waits.flatMap(({ changes }) => changes).length > namedMax)
    return [
      prose(`${label}, this prints the words for a file that may have waivers:`),
      '',
      ...shellBlock(approveWords(about.workspace, ids)),
    ].join('\n')
  const words = waits.map(({ sentence, pass, changes }) => ({
    kind: 'words' as const,
    sentence,
    changes: changes.map((change) => documentChange(change, about.roles)),
    ...defined({ people: partsOfId(pass).people }),
  }))
  const yaml = waiverYaml(new Map([[about.workspace, words]]), { untilMs: nowMs + waiverMs, reason: '…' })
  return [prose(`${label}, write in a file that may have waivers, with a reason:`), '', ...codeBlock('yaml', yaml.trimEnd())].join('\n')
}

const waiverMs = 86_400_000

/** @param n the changes that need no approval */
const alsoWritten = (n: number): readonly string[] =>
  n === 0 ? [] : [`Such a command also writes ${n === 1 ? 'the change that needs' : `the ${count(n)} changes that need`} no approval.`]

/** The title of undeclared mappings says why they are there. */
const withoutWhy = (entry: PlanEntry): PlanEntry => ({ ...entry, why: '', times: '' })

/** A folded section; open from the start if it has a protected grant. */
function holdDetails(title: string, holds: readonly Hold[], mark: Mark, view: View, room: number): readonly string[] {
  if (holds.length === 0) return []
  const entries = holdEntries(holds, mark, view).map((entry) => (mark === undeclaredMark ? withoutWhy(entry) : entry))
  const isOpen = entries.some(isProtectedEntry) || isFew(holds, view)
  return [details(`${title} (${count(holds.length)})`, entryTable(entries, holdColumns, isProtectedEntry, room), isOpen)]
}

const openMax = 10

/** Beside a base all rows are of the branch, so its reviewer sees them without a click, unless they are many. */
const isFew = (rows: readonly unknown[], { difference }: Pick<View, 'difference'>): boolean =>
  difference !== undefined && rows.length <= openMax

/** Mappings with a protected role stand first, and are not folded. */
function undeclaredDetails(holds: readonly Hold[], view: View, room: number): readonly string[] {
  const isProtected = (hold: Hold) => isUndeclaredProtected(hold, view.about.roles)
  const grants = holdEntries(holds.filter(isProtected), undeclaredMark, view).map(withoutWhy)
  const others = holds.filter((hold) => !isProtected(hold))
  const kept = undeclaredText(view.about)
  const share = grants.length === 0 || !Number.isFinite(room) ? room : room * 0.4
  return [
    ...titled(`Undeclared with a protected role, ${kept}`, grants, () => entryTable(grants, holdColumns, always, room * 0.6)),
    ...holdDetails(`Undeclared, ${kept}`, others, undeclaredMark, view, share),
  ]
}

/** What dates will change. Protected roles are never folded. */
function laterTables(view: View, room: number): readonly string[] {
  const {
    judged: { plan },
    about,
  } = view
  const entries = laterEntries(plan, about)
  if (entries.length === 0) return []
  const grants = entries.filter(isProtectedEntry)
  const others = entries.filter((entry) => !entry.isProtected)
  const title = `${laterTitle(entries)}${horizonText(entries, plan.laterUntilMs)}`
  return [
    ...(grants.length === 0 ? [] : [`**${title}**`, entryTable(grants, laterColumns, always, room * 0.7)]),
    ...(others.length === 0
      ? []
      : [
          details(
            grants.length === 0 ? title : `Later, not protected (${count(others.length)})`,
            entryTable(others, laterColumns, never, room * (grants.length === 0 ? 1 : 0.3)),
            isFew(others, view),
          ),
        ]),
  ]
}
