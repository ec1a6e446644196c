import type { Declared, DeclaredWorkspace, TeamFile } from '../declared.ts'
import type { Spec } from '../spec.ts'
import type { Happened } from '../trace.ts'

/**
 * With fences, the declaration that is in force may be none of the versions that were on the disk: in place of each invalid file, its last valid text
 * counts. This follows which texts a process has in force, and gives each such declaration a number.
 */
export type InForce = {
  /** The same event, with the numbers of the declarations that may be in force in place of the versions that were read. */
  readonly translated: (event: Happened) => Happened
  readonly at: (number: number) => readonly DeclaredWorkspace[]
}

/** The last valid texts of a process. `open`: the version with the file without limits. */
type Kept = { readonly open: number | undefined; readonly files: ReadonlyMap<string, TeamFile> }
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

  /** The number of the declaration with these files. `open`: of the version with the file without limits; undefined: nothing of it is used. */
  function mixture(version: number, open: number | undefined, files: readonly TeamFile[], frozen: readonly TeamFile[]): number {
    const name = `${version} ${open} ${files.map(idOf).join(',')} ${frozen.map(idOf).join(',')}`
    const number = numbers.get(name) ?? mixtures.length
    numbers.set(name, number)
    if (number === mixtures.length)
      mixtures.push(
        workspacesIn(open ?? version).map((one) => {
          const own: DeclaredWorkspace =
            open === undefined ? { name: one.name, removed: [], unmanaged: [], frozenOpen: earlierOpen(one.name, version) } : one
          const mine = frozen.filter(({ fence }) => fence.workspace === one.name)
          const teams = files.filter(({ fence }) => fence.workspace === one.name)
          const present = new Set([...teams, ...mine].map(({ file }) => file))
          const before = formerFiles(one.name, version)
          const former = [...before, ...earlierOpen(one.name, version)]
          const gone = before.filter(({ file }) => !present.has(file))
          return {
            ...own,
            teams,
            ...(former.length > 0 && { former }),
            ...(gone.length > 0 && { gone }),
            ...(mine.length > 0 ? { frozen: mine.map((file) => ({ ...file, earlier: earlierTexts(file.file, version) })) } : {}),
          }
        }),
      )
    return number
  }

  /** The texts of all files of a workspace before a version. */
  const formerFiles = (workspace: string, version: number): readonly TeamFile[] =>
    declarations
      .slice(0, version)
      .flatMap(({ declared }) => declared.workspaces.flatMap(({ name, teams = [] }) => (name === workspace ? teams : [])))

  /** The texts of the file without limits before a version. */
  const earlierOpen = (workspace: string, version: number): readonly DeclaredWorkspace[] =>
    declarations
      .slice(0, version)
      .flatMap(({ declared, broken }) => (broken === true ? [] : declared.workspaces.filter(({ name }) => name === workspace)))

  /** The texts of a file before a version. */
  const earlierTexts = (file: string, version: number): readonly TeamFile[] =>
    declarations
      .slice(0, version)
      .flatMap(({ declared }) => declared.workspaces)
      .flatMap(({ teams = [] }) => teams.filter((one) => one.file === file))

  /** The last valid text of a file: its waivers do not count, since a newer text may have taken them back. */
  function withoutTheirs(file: TeamFile | undefined): readonly TeamFile[] {
    if (file?.waivers === undefined) return file === undefined ? [] : [file]
    const same = stripped.get(file) ?? { ...file, waivers: [] }
    stripped.set(file, same)
    return [same]
  }

  /** What a process has in force after it read a version; undefined: the files kept changing while they were read. */
  function reading(version: number | undefined, kept: Kept | undefined): Read | undefined {
    if (version === undefined) return kept && { used: withoutWaivers(kept), kept }
    const isBroken = declarations[version]?.broken === true
    const open = isBroken ? kept?.open : version
    const files = workspacesIn(version).flatMap(({ teams = [] }) => teams)
    const keptText = ({ file }: TeamFile) => kept?.files.get(file)
    const used = files.flatMap((one) => (one.broken === undefined ? one : withoutTheirs(keptText(one))))
    const frozen = files.filter((one) => one.broken !== undefined && keptText(one) === undefined)
    const texts = files.flatMap((one) => (one.broken === undefined ? one : (keptText(one) ?? [])))
    return { used: mixture(version, open, used, frozen), kept: { open, files: new Map(texts.map((one) => [one.file, one])) } }
  }

  const withoutWaivers = ({ open, files }: Kept): number => mixture(open ?? 0, open, [...files.values()].flatMap(withoutTheirs), [])

  function declared(event: Extract<Happened, { is: 'declared' }>): readonly number[] {
    const process = processOf(event.process)
    const [version] = event.versions.slice(-1)
    const read = reading(event.torn === true ? undefined : version, process.kept)
    if (read !== undefined && process.isDaemon) process.kept = read.kept
    process.numbers = read === undefined ? [] : [read.used]
    return process.numbers
  }

  return {
    translated(event) {
      if (event.is === 'start') processes.set(event.process, { isDaemon: event.mode === 'daemon', numbers: [] })
      return event.is === 'declared' ? { ...event, versions: declared(event) } : event
    },
    at: (number) => mixtures[number] ?? [],
  }
}
