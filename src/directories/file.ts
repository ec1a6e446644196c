import { exactly } from '../core/bounds.ts'
import { type Group, type GroupIndex, indexGroups } from '../core/group.ts'
import type { GroupName } from '../core/mapping.ts'
import { type Members, type Memberships, personKey } from '../core/people/members.ts'
import { counted } from '../core/quantity.ts'
import type { Reading } from '../core/reading.ts'
import { groupNameCharactersMax, noteCharactersMax } from '../core/safeName.ts'
import { readBounded, type Unread } from '../files/read.ts'
import { position, problemAt, type YamlDocument } from '../yaml/document.ts'
import { parseYaml } from '../yaml/parse.ts'
import type { Problem } from '../yaml/problem.ts'
import { type FileInput, readApart } from '../yaml/readApart.ts'
import { yamlBytesMax } from '../yaml/source.ts'
import { validate } from '../yaml/validate.ts'
import { atMost, z } from '../yaml/zod.ts'

/**
 * The groups that a YAML or JSON file lists: `groups: [{name, id?, people? | members?}]`. For tests, the demo, and an identity provider that
 * only has an export. A file that is missing, too large, not UTF-8, or wrong in one place gives a failed reading, with file:line:column.
 */
export function groupFile(path: string, now: () => number): GroupFile {
  let last: Memberships = new Map()
  /** A file that has not changed is not parsed again: a mebibyte takes two seconds. */
  let before: { readonly bytes: Buffer; readonly parsed: ParsedGroups } | undefined
  async function read(signal: AbortSignal): Promise<Reading<GroupIndex>> {
    const atMs = now()
    const failed = (why: string, cure: string): Reading<GroupIndex> => ({ status: 'failed', why, cure, atMs, tookMs: now() - atMs })
    const file = await readSettled(path, signal)
    if ('why' in file) return failed(file.why, file.cure)
    const { bytes } = file
    const parsed = before?.bytes.equals(bytes) ? before.parsed : await readApart('groups', { file: path, bytes }, parseGroups, signal)
    before = { bytes, parsed }
    if (!parsed.valid) return failed(inOneLine(parsed.problems), 'correct the file; nothing of it is used until then')
    last = parsed.memberships
    return { status: 'complete', value: indexGroups(parsed.groups), atMs, tookMs: now() - atMs }
  }
  return { read, members: async () => ({ status: 'complete', value: last, atMs: now(), tookMs: 0 }) }
}

type GroupFile = {
  read(signal: AbortSignal): Promise<Reading<GroupIndex>>
  /** The members that the last reading saw. */
  members(): Promise<Reading<Memberships>>
}

/** The first problem, with its place, as a part of a sentence. A frame of the file would not fit there. */
function inOneLine([first, ...more]: readonly Problem[]): string {
  if (first === undefined) return 'it cannot be read'
  const { at, message, cure } = first
  const place = at.line === 0 ? at.file : `${at.file}:${at.line}:${at.column}`
  return `${place}: ${message}${cure === undefined ? '' : ` (${cure})`}${more.length === 0 ? '' : `, and ${counted(more.length, 'more mistake')}`}`
}

type Content = { readonly bytes: Buffer } | { readonly why: string; readonly cure: string }

const readsMax = 5

/** Reads until two reads in a row are equal: a file that is being written may be well-formed with half of its groups. */
async function readSettled(path: string, signal: AbortSignal): Promise<Content> {
  try {
    let before = await readOnce(path, signal)
    for (let reads = 1; reads < readsMax && 'bytes' in before; reads++) {
      const again = await readOnce(path, signal)
      if (!('bytes' in again) || again.bytes.equals(before.bytes)) return again
      before = again
    }
    return 'why' in before ? before : { why: `${path}: it changes while it is read`, cure: 'write it under another name, then rename it' }
  } catch (error) {
    if (!signal.aborted) throw error
    return { why: `${path}: given up while it was read`, cure: 'read it again' }
  }
}

async function readOnce(path: string, signal: AbortSignal): Promise<Content> {
  const read = await readBounded(path, { bytesMax: yamlBytesMax }, signal)
  if (!('why' in read)) return read
  return { why: `${path}: ${read.why}`, cure: cures[read.reason] ?? 'check the path, and that this program may read it' }
}

const cures: Partial<Readonly<Record<Unread['reason'], string>>> = {
  notAFile: 'name a file of groups',
  tooLarge: 'split it into several directories of this kind',
}

type ParsedGroups =
  | { readonly valid: true; readonly groups: readonly Group[]; readonly memberships: Memberships }
  | { readonly valid: false; readonly problems: readonly Problem[] }

/** A blank text would be the same person in all groups. A control character cannot be in a mail address or login. */
function isPerson(text: string): boolean {
  return personKey(text) !== '' && !/\p{Cc}/u.test(text)
}

const Entry = z
  .strictObject({
    name: z.string().min(1).max(groupNameCharactersMax).describe('the name as in the claim of the identity provider'),
    id: atMost(noteCharactersMax, z.string().min(1)).optional().describe('stays the same when the group is renamed'),
    people: z.int().nonnegative().optional().describe('number of direct members'),
    members: z
      .array(atMost(noteCharactersMax, z.string()).refine(isPerson, 'a member must be a text with visible characters'))
      .optional()
      .describe('the members, each by a text that is the same in all groups, such as the mail address'),
  })
  .refine(({ people, members }) => people === undefined || members === undefined, 'people or members, not both')
type Entry = z.infer<typeof Entry>
const File = z.strictObject({ groups: z.array(Entry).describe('a list, which may be empty: []') })

/** Reads `groups: [{name, id?, people? | members?}]`, strict YAML 1.2 or JSON. The `place` of each group is `file:line`. Problems are returned, not thrown. */
export function parseGroups({ bytes, file }: FileInput): ParsedGroups {
  const { document, problems } = parseYaml(bytes, { file, schema: File })
  if (document === undefined || problems.length > 0) return { valid: false, problems }
  const checked = validate(document, File)
  if (!checked.valid) return checked
  const entries = checked.value.groups
  const twice = idsTwice(document, entries)
  if (twice.length > 0) return { valid: false, problems: twice }
  const groups = entries.map((entry, index) => groupOf(entry, `${file}:${position(document, ['groups', index]).line}`))
  return { valid: true, groups, memberships: membershipsOf(entries) }
}

/** An id belongs to one group. A group without an id has its name in the place of one, and several groups may share a name. */
function idsTwice(document: YamlDocument, entries: readonly Entry[]): readonly Problem[] {
  const first = new Map<string, number>()
  const names = new Set(entries.flatMap(({ name, id }) => (id === undefined ? [name] : [])))
  return entries.flatMap(({ id }, index) => {
    if (id === undefined) return []
    const at = ['groups', index, 'id']
    if (names.has(id)) return [problemAt(document, at, 'this id is the name of a group without an id', 'give that group an id, too')]
    const firstIndex = first.get(id)
    first.set(id, firstIndex ?? index)
    if (firstIndex === undefined) return []
    const { line } = position(document, ['groups', firstIndex])
    return [problemAt(document, at, `the group in line ${line} has the same id`, 'each group has an id of its own')]
  })
}

/**
 * Groups that share a name and have no ids have the members of each other: a claim with the name is that of any of them. If one of them has no list, it is
 * not known who they are.
 */
function membershipsOf(entries: readonly Entry[]): Memberships {
  const named = Map.groupBy(entries, ({ name, id = name }) => id)
  return new Map(
    [...named].flatMap(([id, ofId]) => {
      const lists = ofId.flatMap(({ members }) => (members === undefined ? [] : [members]))
      return lists.length === ofId.length ? [[id, membersOf(lists.flat())] as const] : []
    }),
  )
}

function groupOf({ name, id, people, members }: Entry, place: string): Group {
  const count = people ?? (members === undefined ? undefined : membersOf(members).people.length)
  return { name: name as GroupName, id: id ?? name, place, ...(count === undefined ? {} : { size: { of: 'people', ...exactly(count) } }) }
}

const membersOf = (members: readonly string[]): Members => ({
  people: [...new Set(members.map((member) => personKey(member)))],
})
