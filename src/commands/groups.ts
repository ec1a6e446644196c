import { directoriesFrom } from '../compose/compose.ts'
import { openTranscript } from '../compose/transcript.ts'
import { by } from '../core/compare.ts'
import { cureText } from '../core/cures.ts'
import type { Group, GroupIndex } from '../core/group.ts'
import { emptyMemory } from '../core/memory/memory.ts'
import { OperationalError } from '../core/operationalError.ts'
import { defined } from '../core/optionalFields.ts'
import { notesOf, type Reading } from '../core/reading.ts'
import { visible } from '../core/safeName.ts'
import { checkDirectory } from '../cycle/checkDirectory.ts'
import type { ReadMembers } from '../cycle/readPeople.ts'
import type { GroupsDocument } from '../documents/groups.ts'
import { saveFile } from '../files/save.ts'
import { documentText } from '../render/documentText.ts'
import { expectText, groupListText, transcribedText } from '../render/groupList.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { invalidFiles } from '../yaml/frame.ts'
import { problemOfFile } from '../yaml/problem.ts'
import { type Command, choice, exitCodes, type Terminal, text } from './command.ts'
import { groupFormats } from './description.ts'
import { stream } from './input.ts'
import { journalMemory, requireReferences, worldFor } from './open.ts'
import { progressOf } from './progress.ts'
import { requireNoInput } from './requireNoInput.ts'
import { InvalidSettings, openSettingsWithoutKey } from './settings.ts'

export const command: Command = {
  async run({ values, terminal, signal }) {
    const format = choice('format', values.format, groupFormats, 'text')
    const proposes = values.expect === true
    if (proposes && (format !== 'text' || values.match !== undefined)) {
      terminal.err('--expect prints settings as YAML, for all groups: leave out --format and --match\n')
      return exitCodes.usage
    }
    const loaded = await openSettingsWithoutKey(values, terminal, signal, 'environment')
    requireDirectory(loaded)
    const file = text(values.transcript)
    if (file !== undefined && file !== stream) await requireNoInput('--transcript', file, loaded)
    const real = worldFor(loaded, values, terminal)
    const transcript = file === undefined ? undefined : openTranscript(real)
    const world = transcript?.world ?? real
    using progress = progressOf(values, terminal, { program: () => undefined, clock: world.ticker, signal })
    const directories = progress.watching(directoriesFrom(loaded, world))
    const only = text(values.directory)
    if (only !== undefined && !directories.has(only)) {
      terminal.err(`the settings name no directory "${visible(only)}"; they have ${[...directories.keys()].join(', ') || 'none'}\n`)
      return exitCodes.usage
    }
    const asked = [...directories].filter(([name]) => only === undefined || name === only)
    await requireReferences(loaded, world, { directories: new Set(asked.map(([name]) => name)) })
    // A reading is judged as `plan` judges it, by what the journal remembers of the one before.
    const asOfMs = world.clock.wall()
    const wanted = (text(values.match) ?? '').toLowerCase()
    const memory = (await journalMemory(loaded, terminal, world)) ?? emptyMemory
    const readings = await Promise.all(
      asked.map(async ([name, { kind, shrink, expect, read }]) => {
        // A proposal is for an expectation that is missing, or no longer right.
        const checks = defined({ shrink, expect: proposes ? undefined : expect })
        return { name, kind, reading: checkDirectory(name, await read(signal), checks, memory) }
      }),
    )
    if (file !== undefined && transcript !== undefined) {
      const readerOf = (directory: Read) => (isOverHttp(directory) ? directories.get(directory.name)?.members : undefined)
      transcript.nextStage()
      const members = await Promise.all(
        readings.map((directory) => someMembers(matchingGroups(directory.reading, wanted), readerOf(directory), asOfMs, signal)),
      )
      await saveTranscript(file, { kinds: readings.map(({ kind }) => kind), ...transcript.shapes() }, terminal, signal)
      for (const [index, directory] of readings.entries()) {
        terminal.err(
          transcribedText({ ...directory, members: members[index], whyNone: whyNoMembers(directory, readerOf(directory) !== undefined) }),
        )
      }
      if (members.some((sample) => sample !== undefined && sample.reading.status !== 'complete')) return exitCodes.failed
    } else terminal.out(proposes ? proposal(readings) : format === 'json' ? json(readings, wanted) : list(readings, wanted))
    return readings.every(({ reading }) => reading.status === 'complete') ? exitCodes.done : exitCodes.failed
  },
}

/** @throws {InvalidSettings} if there is nothing to ask */
function requireDirectory({ file, settings, lacksDeclaration }: LoadedSettings): void {
  if (Object.keys(settings.directories).length > 0) return
  const message =
    lacksDeclaration === true ? 'the environment names no directory, and there is no settings file' : 'the settings name no directory'
  const cure = `${lacksDeclaration === true ? 'let plane-group-sync init ask for one and write the settings' : 'add one under "directories"'}; plane-group-sync export shows the groups that Plane has mappings of`
  throw new InvalidSettings(invalidFiles([problemOfFile(file, message, cure)]))
}

type Read = { readonly name: string; readonly kind: string; readonly reading: Reading<GroupIndex> }

const proposal = (readings: readonly Read[]): string =>
  `directories:\n${readings.map(({ name, reading }) => expectText(name, reading)).join('')}`
const json = (readings: readonly Read[], wanted: string): string => `${documentText(documentOf(readings, wanted))}\n`
const list = (readings: readonly Read[], wanted: string): string =>
  readings.map((directory) => groupListText({ ...directory, groups: matchingGroups(directory.reading, wanted) })).join('\n')

const matchingGroups = (reading: Reading<GroupIndex>, wanted: string) =>
  reading.status === 'failed'
    ? []
    : [...reading.value.values()]
        .flat()
        .filter(({ name, label = '' }) => [name, label].some((text) => text.toLowerCase().includes(wanted)))
        .toSorted(by(({ name }) => name))

const documentOf = (readings: readonly Read[], wanted: string): GroupsDocument => ({
  format: 'plane-group-sync/groups',
  version: 1,
  directories: readings.map((directory) => plain(directory, wanted)),
})

function plain({ name, kind, reading }: Read, wanted: string): GroupsDocument['directories'][number] {
  const why =
    reading.status === 'partial'
      ? { missing: reading.missing }
      : reading.status === 'failed'
        ? { why: reading.why, cure: reading.cure }
        : {}
  const notes = notesOf(reading).map(({ cure, ...note }) => ({
    ...note,
    ...(cure === undefined ? {} : { cure: cureText(note.code, cure) }),
  }))
  const findings = notes.length === 0 ? {} : { findings: notes }
  return {
    name,
    kind,
    status: reading.status,
    tookMs: reading.tookMs,
    ...why,
    ...findings,
    groups: matchingGroups(reading, wanted).map(groupDocument),
  }
}

/** `names`: all names of an entry that has several. */
const groupDocument = ({ name, id, place, label, size, names }: Group): GroupsDocument['directories'][number]['groups'][number] =>
  defined({ name, id, place, label, size, names })

/** The members of so many groups show the shape of the answers. */
const groupsMax = 5

/** Whether a directory of this kind answers over HTTP, so that a transcript has its answers. */
const isOverHttp = ({ kind }: { readonly kind: string }): boolean => kind !== 'ldap' && kind !== 'file'

/** Why the transcript has no members of a directory's groups. */
function whyNoMembers(
  { name, kind, reading }: { readonly name: string; readonly kind: string; readonly reading: Reading<unknown> },
  hasReader: boolean,
): string {
  if (!isOverHttp({ kind })) return 'only answers over HTTP are written down'
  return reading.status === 'failed'
    ? 'the groups were not read'
    : hasReader
      ? 'no group was chosen'
      : `the settings of ${name} have no "people"`
}

/** Reads the members of the first of these groups, for the transcript only. Undefined without groups, or without a reader. */
async function someMembers(
  groups: readonly Group[],
  read: ReadMembers | undefined,
  asOfMs: number,
  signal: AbortSignal,
): Promise<{ readonly groups: number; readonly reading: Reading<unknown> } | undefined> {
  const first = groups.slice(0, groupsMax)
  return read === undefined || first.length === 0 ? undefined : { groups: first.length, reading: await read(first, asOfMs, signal) }
}

/** Shows a transcript, and saves it for its owner alone, unless the file is `-`. A person decides whether anything of it is too much to give away. */
async function saveTranscript(
  file: string,
  transcript: object,
  { out, err, secrets }: Pick<Terminal, 'out' | 'err' | 'secrets'>,
  signal: AbortSignal,
): Promise<void> {
  const text = secrets.scrub(`${documentText({ format: 'plane-group-sync/transcript', version: 1, ...transcript })}\n`)
  out(text)
  const failed = file === stream ? undefined : await saveFile(file, text, signal)
  if (failed !== undefined)
    throw new OperationalError('TranscriptNotSaved', `--transcript ${file}: it could not be saved: ${failed.why}`, {
      cause: failed.cause,
    })
  err(
    `This is the whole ${file === stream ? 'transcript' : `file ${file}`}. Read it before you give it away: names, ids, addresses and hosts are replaced.\n`,
  )
}
