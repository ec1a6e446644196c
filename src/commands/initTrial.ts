import { compose } from '../compose/compose.ts'
import { compare } from '../core/compare.ts'
import type { GroupName, Mapping } from '../core/mapping.ts'
import { emptyMemory } from '../core/memory/memory.ts'
import { OperationalError } from '../core/operationalError.ts'
import { counted, listedFirst } from '../core/quantity.ts'
import { valueIfRead } from '../core/reading.ts'
import { knownRoles } from '../core/roles.ts'
import { oneLine, visible } from '../core/safeName.ts'
import type { CycleSources } from '../cycle/cycle.ts'
import { settingsOf } from '../settings/load.ts'
import { invalidFiles } from '../yaml/frame.ts'
import type { Call } from './command.ts'
import { allMappings } from './export.ts'
import { directoryName, newSettingsFile } from './initQuestions.ts'
import { requireReferences, worldFor } from './open.ts'
import { progressOf } from './progress.ts'
import { InvalidSettings } from './settings.ts'

/** The mappings that Plane has, and its roles. */
export type InPlane = { readonly existing: readonly Mapping[]; readonly roles: ReturnType<typeof knownRoles> }

/**
 * Reads the mappings of Plane by settings that are not written yet. Nothing is written, here or there.
 *
 * @param file where the settings will be
 * @throws if they cannot be read
 */
export const readPlane = (file: string, settings: string, call: Call): Promise<InPlane> =>
  composed(file, settings, call, async ({ bindings }, roles) => {
    const [binding] = [...bindings.values()].flat()
    if (binding === undefined) throw new OperationalError('NoWorkspace', 'the settings name no workspace')
    const existing = await allMappings(binding.read, call.signal)
    tell(call, `Plane: ${counted(existing.length, 'mapping')} in the workspace ${visible(binding.workspace)}`)
    return { existing, roles }
  })

/**
 * The names of the groups of the directory; undefined if the settings have none.
 *
 * @param isStrict whether it is an error if no group of the mappings is in the directory. A wrong form of names is the usual mistake of a first day
 * @throws if they cannot be read, or there is none
 */
export const readDirectory = (
  file: string,
  settings: string,
  existing: readonly Mapping[],
  isStrict: boolean,
  call: Call,
): Promise<readonly GroupName[] | undefined> =>
  composed(file, settings, call, async ({ directories }) => {
    const directory = directories.get(directoryName)
    if (directory === undefined) return undefined
    const reading = await directory.read(call.signal)
    call.signal.throwIfAborted()
    if (reading.status === 'failed')
      throw new OperationalError('DirectoryUnread', `the directory cannot be read: ${reading.why}`, {
        cure: `${reading.cure ?? 'correct the answers'}; nothing was written`,
      })
    const groups = [...(valueIfRead(reading)?.keys() ?? [])]
    const missing = reading.status === 'partial' ? oneLine(reading.missing, 300) : undefined
    if (groups.length === 0)
      throw new OperationalError('NoGroups', `the directory answers, but shows no group${missing === undefined ? '' : `: ${missing}`}`, {
        cure: 'check the place of the groups, and that the account may read them and their names; nothing was written',
      })
    tell(call, `${directory.kind}: ${counted(groups.length, 'group')}${missing === undefined ? '' : `, but not whole: ${missing}`}`)
    const unknown = unknownTo(groups, existing)
    if (unknown.length === 0) return groups
    const sentence = unknownSentence(unknown, groups)
    if (isStrict && unknown.length === new Set(existing.map(({ group }) => group)).size)
      throw new OperationalError('NoGroupKnown', sentence, {
        cure: 'the form of the names probably differs: choose the one that the claim of a login has. The same answers once more are taken as they are',
      })
    tell(call, sentence)
    return groups
  })

async function composed<Result>(
  file: string,
  settings: string,
  { values, terminal, signal }: Call,
  use: (sources: CycleSources, roles: InPlane['roles']) => Promise<Result>,
): Promise<Result> {
  const checked = await settingsOf(file, Buffer.from(settings), terminal.env, signal)
  if (!checked.valid) throw unwritten(new InvalidSettings(checked))
  const loaded = { ...checked, lacksDeclaration: true } as const
  const world = worldFor(loaded, values, terminal)
  await requireReferences(loaded, world).catch((error: unknown) => {
    throw unwritten(error)
  })
  const program = await compose(loaded, world, [], () => emptyMemory)
  const progress = progressOf(values, terminal, { program: () => program, clock: world.ticker, signal })
  const directories = progress.watching(program.sources.directories)
  try {
    return await use({ ...program.sources, directories }, knownRoles(loaded.settings.roles))
  } finally {
    progress[Symbol.dispose]()
    await program.close()
  }
}

/** The file does not exist yet, so a mistake has no place in it that a person could open. */
function unwritten(error: unknown): unknown {
  if (!(error instanceof InvalidSettings)) return error
  const place = `${newSettingsFile}, not written`
  return new InvalidSettings(invalidFiles(error.files.problems.map((problem) => ({ ...problem, at: { ...problem.at, file: place } }))))
}

const tell = ({ values, terminal }: Call, sentence: string): void => {
  if (values.quiet !== true) terminal.err(`${sentence}\n`)
}

function unknownTo(groups: readonly GroupName[], existing: readonly Mapping[]): readonly GroupName[] {
  const known = new Set(groups)
  return [...new Set(existing.map(({ group }) => group))].filter((group) => !known.has(group)).toSorted(compare)
}

function unknownSentence(unknown: readonly GroupName[], groups: readonly GroupName[]): string {
  const short = (names: readonly GroupName[]) => names.map((name) => oneLine(name, 60))
  const are = unknown.length === 1 ? 'is' : 'are'
  const shown = listedFirst(short(unknown.slice(0, 5)), unknown.length)
  const own = short(groups.slice(0, 3)).join(', ')
  return `${counted(unknown.length, 'group')} of these mappings ${are} not in the directory: ${shown}; its own names are such as ${own}`
}
