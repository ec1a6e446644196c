import type { Change } from '../core/change.ts'
import { compare } from '../core/compare.ts'
import { passOf } from '../core/hold.ts'
import { grantsProtected } from '../core/judge/guards.ts'
import { endingSoon } from '../core/later.ts'
import { type Key, targetOfKey } from '../core/mapping.ts'
import type { Edit } from '../core/memory/seen.ts'
import { factName } from '../core/memory/told.ts'
import type { Notice, NoticeRow } from '../core/notice/notice.ts'
import { isAsSent } from '../core/outcome.ts'
import type { OwnedRow } from '../core/ownerOf.ts'
import type { Plan } from '../core/plan.ts'
import { counted, lastDayText, listed, spanText } from '../core/quantity.ts'
import type { Applied, KeptFile, WorkspaceAbout } from '../core/report.ts'
import { isProtected } from '../core/roles.ts'
import { outcomeText } from './applied.ts'
import { changeSentence, groupText, nameText, placeOf, roleBefore } from './change.ts'
import { approveBesideDaemon } from './commandLine.ts'
import { editText, shownEdit } from './edit.ts'
import { explainHold } from './hold.ts'
import { limitCure, limitText } from './holdApproval.ts'
import { keptConsequence } from './keptFiles.ts'
import { setsOf } from './sections.ts'

/**
 * What the facts of one workspace are made from. `ownerOf`: the owner of the fence in which a rule is, or from which the mapping of a delete came; undefined
 * if no fence says one. `dateMs`: now, epoch ms by the date.
 */
export type NoticeView = {
  readonly about: WorkspaceAbout
  readonly plan: Plan
  readonly applied?: Applied
  readonly ownerOf: (row: OwnedRow) => string | undefined
  /** What others changed in Plane lately. */
  readonly edits: readonly Edit[]
  readonly dateMs: number
}

/** The facts of a workspace whose plan was judged, with the sentences that its plan has. */
export const workspaceNotices = (view: NoticeView): readonly Notice[] =>
  withOwnNames([...waitingNotices(view), ...failureNotices(view), ...undoneNotices(view), ...editNotices(view), ...endingNotices(view)])

/** Two sets may wait for one limit, and two mappings of one key for an approval. The second one has a number in its name. */
function withOwnNames(notices: readonly Notice[]): readonly Notice[] {
  const seen = new Map<string, number>()
  return notices.map((notice) => {
    const count = (seen.get(factName(notice)) ?? 0) + 1
    seen.set(factName(notice), count)
    return count === 1 ? notice : { ...notice, name: `${notice.name} (${count})`.trimStart() }
  })
}

/** One for each set, and one for each change that waits alone. */
function waitingNotices(view: NoticeView): readonly Notice[] {
  const { plan, about } = view
  const { workspace } = about
  const sets = setsOf(plan.holds).map(({ over, holds, changes }): Notice => {
    const owners = ownersOf(
      holds.map((hold) => hold.change ?? hold),
      view,
    )
    return {
      ...{ kind: 'waiting', workspace, about: 'set', name: withOwners(writesIn(changes), owners), state: over.pass, owners },
      sentence: `${counted(changes.length, 'change')} ${changes.length === 1 ? 'waits' : 'wait'} for approval: ${limitText(over.name, over.sentence)}`,
      cure: `${limitCure(over.name, over.setting)} · to approve: ${approveBesideDaemon(passOf(over), about.doors)}`,
      row: { id: passOf(over) },
      more: changes.length,
      grantsProtected: changes.some((each) => grantsProtected(each, about.roles)),
    }
  })
  const alone = plan.holds.flatMap((hold): readonly Notice[] => {
    const { change, reason } = hold
    if (reason.kind !== 'approval' || reason.why === 'limit' || change === undefined) return []
    const id = reason.why === 'people' ? reason.pass : change.id
    const { sentence } = explainHold(hold, { workspace, doors: about.doors })
    return [
      {
        ...{ kind: 'waiting', workspace, about: 'mapping', name: placed(change.key), state: id, owners: ownersOf([change], view) },
        sentence: `waits for approval: ${changeSentence(change, about.roles)}: ${sentence}`,
        cure: `to approve: ${approveBesideDaemon(id, about.doors)}`,
        row: { ...rowOf(change), id },
        grantsProtected: grantsProtected(change, about.roles),
      },
    ]
  })
  return [...sets, ...alone]
}

/** Not the limit: the same changes may exceed another one in the next cycle, and they are the same fact. */
const writesIn = (changes: readonly Change[]): string =>
  listed([...new Set(changes.map(({ action }) => writeWords[action]))].toSorted(compare))

const writeWords: Readonly<Record<Change['action'], string>> = {
  create: 'creates',
  patch: 'role changes',
  rename: 'renames',
  delete: 'deletes',
  settings: 'settings',
}

/** Writes that failed, by the way in which they failed: which of them are tried differs from cycle to cycle. */
function failureNotices(view: NoticeView): readonly Notice[] {
  const { applied, about, dateMs } = view
  const failed = (applied?.results ?? []).filter(
    ({ outcome }) => !isAsSent(outcome) && (outcome.kind !== 'notSent' || (outcome.hold === undefined && applied?.stopped !== 'signal')),
  )
  const groups = Map.groupBy(failed, ({ change, outcome }) => {
    const code = outcome.kind === 'refused' ? outcome.code : outcome.kind === 'done' ? 'otherwise than sent' : outcome.kind
    return JSON.stringify([code, ownersOf([change], view)])
  })
  return [...groups].map(([name, same]): Notice => {
    const [code, owners] = JSON.parse(name) as [string, readonly string[]]
    const [{ change, outcome }] = same as [(typeof same)[number]]
    const others = same.length === 1 ? '' : ` (and ${counted(same.length - 1, 'other')})`
    return {
      ...{ kind: 'failed', workspace: about.workspace, about: 'write', name: withOwners(code, owners), state: '', owners },
      sentence: `could not be written: ${changeSentence(change, about.roles)}${others}: ${outcomeText(outcome, change, about, dateMs)}`,
      cure: '',
      row: rowOf(change),
      more: same.length,
    }
  })
}

/** What is written again and again, and undone each time. */
function undoneNotices(view: NoticeView): readonly Notice[] {
  const { plan, about } = view
  const { workspace } = about
  const flapping = plan.holds.flatMap((hold): readonly Notice[] => {
    const { change, key, reason } = hold
    if (reason.kind !== 'flapping' || change === undefined) return []
    const { sentence, cure } = explainHold(hold, { workspace, doors: about.doors })
    return [
      {
        ...{ kind: 'foreign-edit', workspace, about: 'undone', name: placed(key), state: '', owners: ownersOf([change], view) },
        sentence: `edited in Plane: ${changeSentence(change, about.roles)}: ${sentence}`,
        cure,
        row: rowOf(change),
      },
    ]
  })
  const findings = plan.findings
    .filter(({ code }) => code === 'another-writer')
    .map(({ sentence, cure = '', severity }): Notice => {
      return { ...{ kind: 'foreign-edit', workspace, about: 'anotherWriter', name: severity, state: '', owners: [] }, sentence, cure }
    })
  return [...flapping, ...findings]
}

/** Edits that the memory keeps. */
function editNotices(view: NoticeView): readonly Notice[] {
  const { plan, applied, about, edits } = view
  if (edits.length === 0) return []
  const rows = [...plan.changes, ...(applied?.results ?? []).map(({ change }) => change), ...plan.holds, ...(plan.unchangedMappings ?? [])]
  const byKey = new Map(rows.map((row) => [row.key, row]))
  return edits.map((edit): Notice => {
    const { key, from, mapping, before, after, atMs, afterMs = atMs } = edit
    const around = [key, from].flatMap((each) => (each === undefined ? [] : (byKey.get(each) ?? [])))
    const because = around.flatMap((row) => row.because ?? [])[0]
    const isProtectedGrant = typeof after === 'string' && isProtected(after, targetOfKey(key), about.roles)
    return {
      ...{ kind: 'foreign-edit', workspace: about.workspace, about: 'edit', name: `${placed(key)} ${mapping} ${atMs}`, state: '' },
      moment: isProtectedGrant ? 'grave' : 'usual',
      owners: ownersOf(around, view),
      sentence: `edited in Plane ${spanText(afterMs, atMs)}: ${isProtectedGrant ? '‼ ' : ''}${editText(shownEdit(edit))}`,
      cure: '',
      row: { key, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }), ...(because && { because }) },
    }
  })
}

function endingNotices(view: NoticeView): readonly Notice[] {
  const { about, dateMs } = view
  return endingSoon(endsOfMappings(view), dateMs).map((row): Notice => {
    const before = 'before' in row.write ? row.write.before : undefined
    return {
      ...{
        kind: 'ends-soon',
        workspace: about.workspace,
        about: 'mapping',
        name: placed(row.key),
        state: `${row.atMs}`,
        owners: ownersOf([row], view),
      },
      sentence: `ends soon: ${placeOf(row.target)} ${groupText(row)}${before === undefined ? '' : ` = ${roleBefore(before)}`}, ${lastDayText(row.atMs)}`,
      cure: 'to keep it, write a later expires: in its rule, or take expires: out',
      row: { key: row.key, ...(before === undefined ? {} : { before }), atMs: row.atMs, because: row.because },
    }
  })
}

/** Without the ends of mappings that do not exist yet: their creates wait or failed, or a date makes them first. */
function endsOfMappings({ plan, applied }: NoticeView): Plan['later'] {
  const made = new Set((applied?.results ?? []).flatMap(({ change, outcome }) => (outcome.kind === 'done' ? [change.key] : [])))
  const creates = [...plan.changes, ...plan.holds.map(({ key, change, would }) => ({ key, action: (change ?? would)?.action }))]
  const absent = new Set(creates.flatMap(({ key, action }) => (action === 'create' && !made.has(key) ? [key] : [])))
  return plan.later.filter(({ key, write }) => {
    if (write.action === 'create') absent.add(key)
    return !absent.has(key)
  })
}

/** A file that is not used as it is now. Its fence says whose it is. */
export const fileNotice = (file: KeptFile): Notice => ({
  ...{ kind: 'failed', about: 'file', name: file.file, state: '', owners: file.owner === undefined ? [] : [file.owner] },
  sentence: `${nameText(file.file)} ${file.unread === true ? 'cannot be read' : 'is invalid'}. ${keptConsequence([file])}`,
  cure: 'plane-group-sync validate shows what to correct',
})

/** Files that contradict each other. */
export const contradictionNotice: Notice = {
  ...{ kind: 'failed', about: 'declaration', name: '', state: '', owners: [] },
  sentence: keptConsequence([]),
  cure: 'plane-group-sync validate shows what to correct',
}

/** A workspace of which there is no plan. `code`: of the error; the sentence may differ from cycle to cycle. */
export const unreadNotice = ({ workspace }: Pick<WorkspaceAbout, 'workspace'>, code: string, sentence: string): Notice => ({
  ...{ kind: 'failed', workspace, about: 'cycle', name: '', state: code, owners: [] },
  sentence: `failed: ${sentence}`,
  cure: '',
})

const ownersOf = (rows: readonly Parameters<NoticeView['ownerOf']>[0][], { ownerOf }: NoticeView): readonly string[] =>
  [...new Set(rows.flatMap((row) => ownerOf(row) ?? []))].toSorted(compare)

/** Facts of several owners have names of their own. */
const withOwners = (name: string, owners: readonly string[]): string => (owners.length === 0 ? name : `${name} of ${owners.join(', ')}`)

/** A key without its workspace. */
const placed = (key: Key): string => key.slice(key.indexOf('/') + 1)

function rowOf(change: Change): NoticeRow {
  const because = change.because === undefined ? {} : { because: change.because }
  if (change.action === 'settings') return { key: change.key, ...because }
  const before = 'before' in change ? { before: change.before } : {}
  return { key: change.key, ...before, ...('role' in change ? { after: change.role } : {}), ...because }
}
