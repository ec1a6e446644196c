import { type Declared, type DeclaredWorkspace, keyOf, type Place, rulesOf, type TeamFile } from '../declared.ts'
import { contains, type Fence, names } from '../fences.ts'
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

/** The last valid texts of a process. `open`: the version with the file without limits. */
type Kept = { readonly open: number; readonly files: ReadonlyMap<string, TeamFile> }
/** Only a daemon has last valid texts. */
type Process = { readonly isDaemon: boolean; numbers: readonly number[]; kept?: Kept | undefined }
type Read = { readonly used: number; readonly kept: Kept }

export function openInForce({ versions, fences }: Spec): InForce {
  const declarations: { readonly declared: Declared; readonly broken?: boolean }[] = [...versions]
  if (fences?.ending !== undefined) declarations.push({ declared: fences.ending })
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

  /** The number of the declaration with these files. `frozen`: the fences of files of which nothing is used. */
  function mixture(open: number, files: readonly TeamFile[], frozen: readonly Fence[]): number {
    const name = `${open} ${files.map(idOf).join(',')} ${frozen.map(({ workspace, owner }) => `${workspace} ${owner}`).join(',')}`
    const number = numbers.get(name) ?? mixtures.length
    numbers.set(name, number)
    if (number === mixtures.length)
      mixtures.push(
        workspacesIn(open).map((one) => {
          const mine = frozen.filter(({ workspace }) => workspace === one.name)
          const teams = files.filter(({ fence }) => fence.workspace === one.name)
          return { ...one, teams, ...(mine.length > 0 ? { frozen: mine } : {}) }
        }),
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
    if (isValid) return { used: mixture(version, files, []), kept: keptOf(version, files) }
    const keptText = ({ file }: TeamFile) => kept?.files.get(file)
    const texts = files.flatMap((one) => (isUsable(one, version) ? one : (keptText(one) ?? [])))
    const lacking = files.filter((one) => !isUsable(one, version) && keptText(one) === undefined)
    return withoutUnusable(version, [...texts, ...gone], new Set(files), lacking)
  }

  /** @param fresh the files as they are now; of all others the last valid text is used. `lacking`: invalid files without such a text */
  function withoutUnusable(
    open: number,
    texts: readonly TeamFile[],
    fresh: ReadonlySet<TeamFile> = new Set(),
    lacking: readonly TeamFile[] = [],
  ): Read {
    const usable = texts.filter((one) => isUsable(one, open))
    const used = usable.map((one) => (fresh.has(one) ? one : withoutTheirs(one)))
    const frozen = [...lacking, ...texts.filter((one) => !usable.includes(one))].map(({ fence }) => fence)
    return { used: mixture(open, used, frozen), kept: keptOf(open, texts) }
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

  function declared(event: Extract<Happened, { is: 'declared' }>): readonly number[] {
    const process = processOf(event.process)
    const [version] = event.versions.slice(-1)
    const read = version === undefined || event.torn === true ? undefined : reading(version, process.kept)
    const whole = process.kept === undefined ? [] : [withoutWaivers(wholly(process.kept))]
    if (read !== undefined && process.isDaemon) process.kept = read.kept
    process.numbers = read === undefined ? whole : [read.used]
    return process.numbers
  }

  const wholly = ({ open, files }: Kept): number => withoutUnusable(open, [...files.values()]).used

  return {
    translated(event) {
      if (event.is === 'start') processes.set(event.process, { isDaemon: event.mode === 'daemon', numbers: [] })
      return event.is === 'declared' ? { ...event, versions: declared(event) } : event
    },
    at: (number) => mixtures[number] ?? [],
  }
}

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
