import { type DeclaredWorkspace, keyOf, lives, owns, type Place, ruleOf, rulesOf } from '../declared.ts'
import type { StoredRow } from '../service.ts'
import type { Spec } from '../spec.ts'
import type { Happened } from '../trace.ts'
import { wanted } from './wanted.ts'
import type { Write } from './write.ts'

/** A mapping as the journal knows it. `named`: since then an exact rule has named it, and the program did not create it. */
type Known = {
  readonly group: string
  readonly role: string
  /** The role before the last write of the program. A list that shows it may be one that does not show the write yet. */
  readonly replaced?: string
  readonly how: 'made' | 'adopted' | { readonly namedSinceMs: number }
}
/** What the journal knows of one list. `begun`: a cycle under a policy that deletes has read the list. */
type Page = { readonly begun: boolean; readonly rows: ReadonlyMap<string, Known> }
/** Workspace and list → what is known of it. */
type Book = ReadonlyMap<string, Page>
/** The book is one of these: a process that was killed may not have stored what it read and wrote last. */
type Books = readonly Book[]

type Cycle = {
  readonly beganMs: number
  /** The mappings when the cycle began. */
  readonly shown: ReadonlyMap<string, readonly StoredRow[]>
  readonly writes: Executed[]
  declared: readonly DeclaredWorkspace[]
}
type Executed = { readonly write: Write; readonly row: string }
type Process = { readonly folder: string; readonly policy: Spec['policy']; cycle: Cycle | undefined }

const lists = ['workspace', 'projects'] as const
const listOf = ({ at }: Pick<Place, 'at'>) => (at === 'workspace' ? 'workspace' : 'projects')
const pageOf = (workspace: string, list: (typeof lists)[number]): string => `${workspace} ${list}`
const empty: Page = { begun: false, rows: new Map() }
const adoptedAfterMs = 7 * 86_400_000
const booksMax = 64

/**
 * A book of who made what. A mapping is ours if the program created it, or if an exact rule has named it for seven days in cycles that may write; an edit in
 * Plane and an unmanaged entry end that. Nothing is ours that was undeclared in the first cycle under a policy that deletes.
 *
 * In worlds in which nothing else happens, the book also says what each cycle has to delete: every undeclared mapping that is ours.
 *
 * @param made whether the program created the mapping in this world
 */
export function openOurs(
  spec: Pick<Spec, 'policy' | 'journal' | 'ours'>,
  rows: (workspace: string) => readonly StoredRow[],
  workspacesIn: (version: number) => readonly DeclaredWorkspace[],
  made: (row: string) => boolean,
) {
  const processes = new Map<number, Process>()
  const folders = new Map<string, Books>()
  const saved = new Map<string, Books>()
  let policy = spec.policy

  const booksOf = (folder: string): Books => folders.get(folder) ?? [new Map()]
  const mayWrite = (one: Process) => one.policy !== 'observe' && spec.journal !== 'none'

  /** The books after the readings of a cycle. */
  function read(books: Books, { beganMs, shown, declared }: Cycle, { policy: by }: Process, judged?: readonly string[]): Books {
    const deletes = by === 'sync' || by === 'exclusive'
    const readBy = (book: Book, excuses: boolean): Book => {
      const after = new Map(book)
      for (const one of declared) {
        if (judged?.includes(one.name) === false) continue
        for (const list of lists) {
          const page = after.get(pageOf(one.name, list)) ?? empty
          const isDeclared = owns(one, { group: '', at: list })
          const here = (shown.get(one.name) ?? []).filter((row) => listOf(row) === list)
          after.set(
            pageOf(one.name, list),
            isDeclared ? pageAfter(page, here, one, { deletes, excuses, nowMs: beganMs }) : { ...page, begun: false },
          )
        }
      }
      return after
    }
    const isShownBefore = (book: Book) =>
      [...shown].some(([name, all]) => all.some((row) => book.get(pageOf(name, listOf(row)))?.rows.get(row.id)?.replaced === row.role))
    return books.flatMap((book) => [readBy(book, false), ...(isShownBefore(book) ? [readBy(book, true)] : [])]).slice(-booksMax)
  }

  /** The books after a cycle that may not write: only a list that the declaration has left is noted. Its next reading counts as its first one. */
  const listsLeft = (books: Books, { declared }: Cycle, judged?: readonly string[]): Books =>
    books.map((book) => {
      const after = new Map(book)
      for (const one of declared)
        for (const list of lists) {
          const page = after.get(pageOf(one.name, list))
          if (page !== undefined && judged?.includes(one.name) !== false && !owns(one, { group: '', at: list }))
            after.set(pageOf(one.name, list), { ...page, begun: false })
        }
      return after
    })

  /** The books after the results of writes. */
  const written = (books: Books, done: readonly Executed[]): Books =>
    books.map((book) => {
      const after = new Map(book)
      for (const { write, row } of done) {
        const name = pageOf(write.workspace, listOf(write.after ?? write.before ?? { at: 'workspace' }))
        const page = after.get(name) ?? empty
        after.set(name, { ...page, rows: rowsAfter(page.rows, write, row) })
      }
      return after
    })

  function ended(process: Process, { judged, outcome }: Extract<Happened, { is: 'cycled' }>): readonly string[] {
    const { cycle } = process
    process.cycle = undefined
    if (cycle === undefined) return []
    if (!mayWrite(process)) {
      folders.set(process.folder, listsLeft(booksOf(process.folder), cycle, judged))
      return []
    }
    const books = read(booksOf(process.folder), cycle, process, judged)
    folders.set(process.folder, written(books, cycle.writes))
    const isWhole = (name: string) => outcome.split(', ').includes(`${name} success`)
    return cycle.declared.filter(({ name }) => isWhole(name)).flatMap((one) => left(one, cycle, books, process.policy))
  }

  /** The undeclared mappings that a cycle in which nothing is held had to delete. */
  function left(one: DeclaredWorkspace, { shown, beganMs }: Cycle, books: Books, by: Spec['policy']): readonly string[] {
    if (by !== 'sync' && by !== 'exclusive') return []
    const there = new Set(rows(one.name).map(({ id }) => id))
    return (shown.get(one.name) ?? []).flatMap((row) => {
      if (!there.has(row.id) || !owns(one, row) || isClaimed(one, row) || want(one, row, beganMs) !== 'undeclared') return []
      const isDue = by === 'exclusive' || books.every((book) => isOurs(book, one.name, row))
      return isDue ? [`${one.name} ${keyOf(row)} is undeclared${by === 'sync' ? ' and ours' : ''}, and the cycle did not delete it`] : []
    })
  }

  /** A process was killed while its cycle ran: its journal may have the readings or not, and the results of the first writes. */
  function broken(process: Process): void {
    const { cycle } = process
    process.cycle = undefined
    if (cycle === undefined || !mayWrite(process)) return
    const before = booksOf(process.folder)
    const after = read(before, cycle, process)
    const possible = [...before, ...after, ...cycle.writes.flatMap((_, index) => written(after, cycle.writes.slice(0, index + 1)))]
    folders.set(process.folder, possible.slice(-booksMax))
  }

  /**
   * A create was executed after its process was killed. The journal has the intent, so the mapping is ours as soon as a list shows it with that role. The
   * intent of another write makes nothing ours.
   */
  function executedAfterKill({ folder }: Process, late: Executed): void {
    if (late.write.does === 'create') folders.set(folder, written(booksOf(folder), [late]))
  }

  /** A person does something with the folder of a journal while no process runs. */
  function folderChanged(how: string): void {
    const [does, folder = '', to = ''] = how.split(' ')
    if (does === 'lose') folders.delete(folder)
    if (does === 'save') saved.set(folder, booksOf(folder))
    if (does === 'restore') folders.set(folder, saved.get(folder) ?? booksOf(folder))
    if (does === 'copy') folders.set(to, booksOf(folder))
  }

  return {
    /** One sentence for each undeclared mapping that stays although it is ours. */
    hear(event: Happened): readonly string[] {
      switch (event.is) {
        case 'start':
          processes.set(event.process, { folder: event.folder, policy, cycle: undefined })
          return []
        case 'happening':
          if (event.what === 'policy') policy = event.how as Spec['policy']
          if (event.what === 'journal') folderChanged(event.how)
          return []
        default:
      }
      const process = 'process' in event && event.process !== undefined ? processes.get(event.process) : undefined
      if (spec.ours === undefined || process === undefined) return []
      switch (event.is) {
        case 'cycle': {
          const shown = workspacesIn(0).map(({ name }) => [name, rows(name)] as const)
          process.cycle = { beganMs: event.atMs, shown: new Map(shown), writes: [], declared: [] }
          return []
        }
        case 'declared':
          if (process.cycle !== undefined) process.cycle.declared = workspacesIn(event.versions.at(-1) ?? 0)
          return []
        case 'cycled':
          return ended(process, event)
        case 'kill':
          broken(process)
          return []
        default:
          return []
      }
    },
    executed(write: Write, row: string): void {
      const process = processes.get(write.process)
      if (process?.cycle !== undefined) process.cycle.writes.push({ write, row })
      else if (spec.ours !== undefined && process !== undefined && mayWrite(process)) executedAfterKill(process, { write, row })
    },
    policyOf: (process: number): Spec['policy'] => processes.get(process)?.policy ?? spec.policy,
    /** Whether the mapping of a delete may be ours, as far as the process of the write knows. */
    mayBe({ process: number, workspace, before }: Write): boolean {
      const process = processes.get(number)
      if (before === undefined || process === undefined || spec.journal === 'none') return false
      const { cycle } = process
      if (spec.ours === undefined || cycle === undefined) return made(before.id)
      return read(booksOf(process.folder), cycle, process).some((book) => isOurs(book, workspace, before))
    },
  }
}

/** Whether a rule names the mapping as the one that it renames. */
const isClaimed = (one: DeclaredWorkspace, { group, at }: Place): boolean =>
  rulesOf(one).some((rule) => 'group' in rule && rule.previously === group && rule.at === at)

const want = (one: DeclaredWorkspace, place: Place, nowMs: number) => wanted(one, place, { known: true, nowMs, mapped: true }).is

function isOurs(book: Book, workspace: string, row: Place & { readonly id: string }): boolean {
  const { begun, rows } = book.get(pageOf(workspace, listOf(row))) ?? empty
  const how = rows.get(row.id)?.how
  return begun && (how === 'made' || how === 'adopted')
}

type Reading = {
  readonly deletes: boolean
  /** Whether the role before our last write is no edit. */
  readonly excuses: boolean
  readonly nowMs: number
}

/** What is known of a list after a cycle has read it. */
function pageAfter({ begun, rows }: Page, here: readonly StoredRow[], one: DeclaredWorkspace, { deletes, excuses, nowMs }: Reading): Page {
  const begins = deletes && !begun
  const count = (row: StoredRow) => here.filter((other) => keyOf(other) === keyOf(row)).length
  const after = here.flatMap((row): readonly (readonly [string, Known])[] => {
    const before = rows.get(row.id)
    const isSame = before?.role === row.role || (excuses && before?.replaced === row.role)
    const known = before?.group === row.group && isSame ? before : undefined
    const rule = ruleOf(one, row)
    const isExact = rule !== undefined && lives(rule, nowMs)
    const is = want(one, row, nowMs)
    const next = nextOf(known, row, is === 'undeclared' && isClaimed(one, row) ? 'claimed' : is, {
      begins,
      isExact,
      isOnly: count(row) === 1,
      nowMs,
    })
    return next === undefined ? [] : [[row.id, next]]
  })
  return { begun: begun || deletes, rows: new Map(after) }
}

type Seen = { readonly begins: boolean; readonly isExact: boolean; readonly isOnly: boolean; readonly nowMs: number }

function nextOf(known: Known | undefined, row: StoredRow, is: ReturnType<typeof want> | 'claimed', seen: Seen): Known | undefined {
  const { begins, isExact, isOnly, nowMs } = seen
  const isNamed = known !== undefined && typeof known.how === 'object'
  switch (is) {
    case 'unmanaged':
      return undefined
    case 'undeclared':
      return begins || isNamed ? undefined : known
    case 'claimed':
      return begins ? undefined : known
    case 'absent':
    case 'unknown':
      return known
    case 'role': {
      if (known === undefined && !(isExact && isOnly)) return undefined
      if (known?.how === 'made' || (known?.how === 'adopted' && !begins)) return known
      if (!isExact) return undefined
      if (known === undefined || begins || typeof known.how !== 'object')
        return { group: row.group, role: row.role, how: { namedSinceMs: nowMs } }
      return nowMs - known.how.namedSinceMs >= adoptedAfterMs ? { ...known, how: 'adopted' } : known
    }
    default:
      return is satisfies never
  }
}

/** What is known of the mappings of a list after the result of a write. */
function rowsAfter(rows: Page['rows'], { does, before, after }: Write, row: string): Page['rows'] {
  const next = new Map(rows)
  const known = next.get(row)
  if (does === 'delete') next.delete(row)
  else if (after !== undefined && does === 'create') next.set(row, { group: after.group, role: after.role, how: 'made' })
  else if (after !== undefined && known !== undefined)
    next.set(row, { ...known, group: after.group, role: after.role, ...(before && { replaced: before.role }) })
  return next
}
