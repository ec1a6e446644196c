import { type Declared, type DeclaredWorkspace, keyOf, type Place, rulesOf, type TeamFile } from '../declared.ts'
import { contains, names } from '../fences.ts'
import type { Spec } from '../spec.ts'
import type { Happened } from '../trace.ts'

/**
 * With fences, the declaration that is in force may be none of the versions that were on the disk: in place of each invalid file of a team, its last
 * valid text counts. This follows which texts a process has in force, and gives each such declaration a number.
 */
export type InForce = {
  /** The same event, with the numbers of the declarations that may be in force in place of the versions that were read. */
  readonly translated: (event: Happened) => Happened
  readonly at: (number: number) => readonly DeclaredWorkspace[]
}

/** The last valid texts, as they are kept beside a journal. `open`: the version with the file without limits. */
type Kept = { readonly name: string; readonly open: number; readonly files: ReadonlyMap<string, TeamFile> }
/** All that may be kept beside one journal. */
type Shelf = { may: readonly (Kept | undefined)[] }
/** `before`: what may have been kept before the declaration that the process is reading now. */
type Process = { readonly shelf: Shelf; numbers: readonly number[]; before?: Shelf['may'] | undefined }
type Read = { readonly used: number; readonly kept: Kept }

export function openInForce({ versions, fences, journal, happenings }: Spec): InForce {
  const declarations: { readonly declared: Declared; readonly broken?: boolean }[] = [...versions]
  if (fences?.ending !== undefined) declarations.push({ declared: fences.ending })
  /** The disk may refuse to keep a declaration. Then none is kept. */
  const mayFail = happenings.some(({ is }) => is === 'disk')
  const shelves = new Map<string, Shelf>()
  const processes = new Map<number, Process>()
  const processOf = (number: number) => processes.get(number) as Process
  const mixtures: (readonly DeclaredWorkspace[])[] = []
  const numbers = new Map<string, number>()
  const ids = new Map<TeamFile, number>()
  const stripped = new WeakMap<TeamFile, TeamFile>()

  const workspacesIn = (version: number) => declarations[version]?.declared.workspaces ?? []
  const idOf = (file: TeamFile): number => {
    const id = ids.get(file) ?? ids.size
    ids.set(file, id)
    return id
  }

  /** The number of the declaration with these files. `unread`: workspaces in which nothing is used of a file that was valid once. */
  function mixture(open: number, files: readonly TeamFile[], unread: ReadonlySet<string>): number {
    const name = `${open} ${files.map(idOf).join(',')} ${[...unread].join(',')}`
    const number = numbers.get(name) ?? mixtures.length
    numbers.set(name, number)
    if (number === mixtures.length)
      mixtures.push(
        workspacesIn(open).map((one) => ({
          ...one,
          teams: files.filter(({ fence }) => fence.workspace === one.name),
          ...(unread.has(one.name) ? { unread: true } : {}),
        })),
      )
    return number
  }

  /** The same declaration as the last valid one: its waivers do not count, since a newer text may have taken them back. */
  function withoutWaivers(number: number): number {
    const name = `${number} kept`
    const same = numbers.get(name) ?? mixtures.length
    numbers.set(name, same)
    if (same === mixtures.length)
      mixtures.push((mixtures[number] ?? []).map(({ teams = [], ...one }) => ({ ...one, teams: teams.map(withoutTheirs), waivers: [] })))
    return same
  }

  /** The last valid text of a file: its waivers do not count, for the same reason. */
  function withoutTheirs(file: TeamFile): TeamFile {
    if (file.waivers === undefined) return file
    const same = stripped.get(file) ?? { ...file, waivers: [] }
    stripped.set(file, same)
    return same
  }

  const keptOf = (open: number, files: readonly TeamFile[]): Kept => ({
    name: `${open} ${files.map(idOf).join(',')}`,
    open,
    files: new Map(files.map((one) => [one.file, one])),
  })

  /** What a process has in force after it read a version. Undefined: nothing of this version, so the last valid declaration as a whole stays. */
  function reading(version: number, kept: Kept | undefined): Read | undefined {
    if (declarations[version]?.broken === true) return undefined
    const files = workspacesIn(version).flatMap(({ teams = [] }) => teams)
    const owners = new Set(files.map(({ fence }) => fence.owner))
    const gone = [...(kept?.files.values() ?? [])].filter(({ fence }) => !owners.has(fence.owner))
    const isValid = files.every((one) => isUsable(one, version)) && !isTwice(files) && gone.length === 0
    if (isValid) return { used: mixture(version, files, new Set()), kept: keptOf(version, files) }
    if (kept === undefined) return undefined
    const keptText = ({ file }: TeamFile) => kept.files.get(file)
    const texts = files.flatMap((one) => (isUsable(one, version) ? one : (keptText(one) ?? [])))
    return withoutUnusable(version, [...texts, ...gone], new Set(files))
  }

  /** @param fresh the files as they are now; of all others the last valid text is used */
  function withoutUnusable(open: number, texts: readonly TeamFile[], fresh: ReadonlySet<TeamFile> = new Set()): Read {
    const usable = texts.filter((one) => isUsable(one, open))
    const used = usable.map((one) => (fresh.has(one) ? one : withoutTheirs(one)))
    const unread = new Set(texts.filter((one) => !usable.includes(one)).map(({ fence }) => fence.workspace))
    return { used: mixture(open, used, unread), kept: keptOf(open, texts) }
  }

  /** Whether the file is valid beside the file without limits: both must not name the same mapping. */
  function isUsable({ fence, broken, ...file }: TeamFile, open: number): boolean {
    const one = workspacesIn(open).find(({ name }) => name === fence.workspace)
    if (broken !== undefined || one === undefined) return false
    const taken = new Set(placesIn({ ...one, teams: [] }).map(keyOf))
    const named = placesIn(file)
    const isFree = (place: Place) => !taken.has(keyOf(place)) && !one.unmanaged.some((glob) => names(glob, place.group))
    return named.every(isFree) && file.unmanagedAt.every((place) => !taken.has(keyOf(place)))
  }

  function shelfOf({ process, folder }: Extract<Happened, { is: 'start' }>): Shelf {
    const name = journal === 'none' ? `process ${process}` : folder
    const shelf = shelves.get(name) ?? { may: [undefined] }
    shelves.set(name, shelf)
    return shelf
  }

  function declared(event: Extract<Happened, { is: 'declared' | 'declaring' }>): readonly number[] {
    const process = processOf(event.process)
    const { shelf } = process
    const [version] = event.versions.slice(-1)
    // Without a journal nothing is kept.
    const before = journal === 'none' ? [undefined] : (process.before ?? shelf.may)
    process.before = event.is === 'declaring' ? before : undefined
    const read = before.map((kept) => ({ kept, now: version === undefined ? undefined : reading(version, kept) }))
    const isSure = event.is === 'declared' && event.torn !== true && !mayFail
    shelf.may = apart([
      ...(isSure ? read.map(({ kept, now }) => now?.kept ?? kept) : [...shelf.may, ...read.map(({ now }) => now?.kept)]),
      ...(mayFail ? [undefined] : []),
    ])
    if (event.is === 'declaring') return process.numbers
    const whole = process.numbers.length > 0 ? process.numbers : read.flatMap(({ kept }) => (kept === undefined ? [] : wholly(kept)))
    const fresh = read.flatMap(({ now }) => now?.used ?? [])
    const isWhole = event.torn === true || read.some(({ now }) => now === undefined)
    process.numbers = [...new Set([...fresh, ...(isWhole ? whole.map(withoutWaivers) : [])])]
    return process.numbers
  }

  const wholly = ({ open, files }: Kept): number => withoutUnusable(open, [...files.values()]).used

  return {
    translated(event) {
      if (event.is === 'start') processes.set(event.process, { shelf: shelfOf(event), numbers: [] })
      return event.is === 'declared' || event.is === 'declaring' ? { ...event, versions: declared(event) } : event
    },
    at: (number) => mixtures[number] ?? [],
  }
}

const apart = (all: readonly (Kept | undefined)[]): readonly (Kept | undefined)[] => [
  ...new Map(all.map((one) => [one?.name, one])).values(),
]

type FileText = Pick<DeclaredWorkspace, 'workspaceRoles' | 'projectRoles' | 'removed' | 'teams'>

/** The mappings that a file names exactly. */
const placesIn = (file: FileText): readonly Place[] => [
  ...rulesOf(file as DeclaredWorkspace).flatMap((rule) => ('group' in rule ? [rule] : [])),
  ...file.removed,
]

/** Whether two files name one mapping, or one names what is unmanaged in the other. */
function isTwice(files: readonly TeamFile[]): boolean {
  const all = files.flatMap((file) => {
    const unmanaged = file.unmanagedAt.filter(({ group }) => !group.endsWith('*'))
    return [...new Set([...placesIn(file), ...unmanaged].map((place) => `${file.fence.workspace} ${keyOf(place)}`))]
  })
  return new Set(all).size < all.length || files.some((file) => isLeftBy(file, files))
}

const isLeftBy = (file: TeamFile, files: readonly TeamFile[]): boolean =>
  placesIn(file).some((place) =>
    files.some(
      ({ fence, unmanagedAt }) =>
        fence.workspace === file.fence.workspace &&
        contains(fence, place) &&
        unmanagedAt.some(({ group, at }) => at === place.at && names(group, place.group)),
    ),
  )
