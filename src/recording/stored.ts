import { type Codec, converted, flag, list, literal, nullable, number, object, optional, record, string, union } from '../core/codec.ts'
import { messageOf } from '../core/errorText.ts'
import type { Group, GroupIndex } from '../core/group.ts'
import { indexGroups } from '../core/group.ts'
import { storedGroupSync } from '../core/groupSync.ts'
import { jsonIn } from '../core/jsonText.ts'
import type { KnownProject, Mapping, MappingId, ProjectIdentifier, ProjectIndex, WorkspaceName } from '../core/mapping.ts'
import { storedTarget } from '../core/mapping.ts'
import type { Doubtful, Members, NotCounted } from '../core/people/members.ts'
import type { Reading, ReadingNote } from '../core/reading.ts'
import type { RecordedGroups } from '../core/recordedGroups.ts'
import type { BudgetSnapshot } from '../core/report.ts'
import { storedSize } from '../core/storedBounds.ts'
import type { Presence } from '../cycle/readExisting.ts'
import { storedMemory } from '../journal/stored.ts'
import { type RecordedSettings, recordedSettingsSchema } from '../settings/recordedSettings.ts'
import { z } from '../yaml/zod.ts'
import type { RecordedDirectory, RecordedWorkspace, Recording } from './recording.ts'

/* A recording as JSON, field by field. */

const recordingFormat = 'plane-group-sync-recording'
const recordingVersion = 2
/** Far above a recording of 10,000 mappings and 50,000 groups. */
export const recordingBytesMax = 200_000_000

const times = { atMs: number(), tookMs: number() } as const
const note = object<ReadingNote>({ code: string(), severity: string(), sentence: string(), cure: optional(string()) })
const reading = <T>(value: Codec<T>) => {
  const answered = { value, notes: optional(list(note)), ...times } as const
  return union<Reading<T>, 'status'>('the reading', 'status', {
    complete: { status: literal('complete'), ...answered },
    partial: { status: literal('partial'), missing: string(), cure: optional(string()), ...answered },
    failed: { status: literal('failed'), why: string(), cure: optional(string()), ...times },
  })
}

const group = object<Group>({
  name: string(),
  id: string(),
  place: string(),
  label: optional(string()),
  size: optional(storedSize),
  names: optional(list(string())),
})
const groups = converted<GroupIndex, readonly Group[]>(list(group), (index) => [...index.values()].flat(), indexGroups)

const members = object<Members>({
  people: list(string()),
  doubtful: optional(object<Doubtful<string>>({ members: list(string()), why: string() })),
  notCounted: optional(object<NotCounted>({ disabled: number(), groups: number() })),
  more: optional(string()),
})

const mapping = object<Mapping>({ id: string(), key: string(), group: string(), target: storedTarget, role: nullable(string()) })
const projects = converted<ProjectIndex, Readonly<Record<string, KnownProject>>>(
  record(object<KnownProject>({ id: string(), archived: flag() })),
  (index) => Object.fromEntries(index),
  (stored) => new Map(Object.entries(stored) as [ProjectIdentifier, KnownProject][]),
)
const presence = union<Presence, 'is'>('the answer', 'is', {
  there: { is: literal('there'), key: string() },
  gone: { is: literal('gone') },
  unproved: { is: literal('unproved'), why: string() },
})

const setOf = <Item extends string>() =>
  converted<ReadonlySet<Item>, readonly Item[]>(
    list(string<Item>()),
    (set) => [...set],
    (stored) => new Set(stored),
  )
const recordedGroups = object<RecordedGroups>({ names: setOf(), patterns: setOf() })

const mapOf = <Name extends string, T>(codec: Codec<T>) =>
  converted<ReadonlyMap<Name, T>, Readonly<Record<Name, T>>>(
    record(codec),
    (map) => Object.fromEntries(map) as Record<Name, T>,
    (stored) => new Map(Object.entries(stored) as [Name, T][]),
  )

const workspace = object<RecordedWorkspace>({
  lists: mapOf(reading(list(mapping))),
  byId: mapOf<MappingId, Presence>(presence),
  projects: optional(reading(projects)),
  groupSync: optional(storedGroupSync),
  credential: string(),
  budget: object<BudgetSnapshot>({
    limit: number(),
    allowed: number(),
    others: number(),
    remaining: number(),
    waitMs: number(),
    waitsMs: list(number()),
    windowMs: number(),
  }),
})

/** The settings are in the form in which people write them: `2m`, `10%`. */
const settings: Codec<RecordedSettings> = {
  schema: () => {
    const { $schema: _, ...schema } = z.toJSONSchema(recordedSettingsSchema, { io: 'input' })
    return schema
  },
  write: (value) => z.encode(recordedSettingsSchema, value),
  read(stored) {
    const parsed = recordedSettingsSchema.safeParse(stored)
    if (parsed.success) return parsed.data
    const [{ path, message } = { path: [], message: 'it is invalid' }] = parsed.error.issues
    throw new TypeError(`${['settings', ...path].join('.')}: ${message}`)
  },
}

const recording = object<Recording>({
  takenMs: number(),
  readMs: number(),
  steadyMs: number(),
  aheadMs: optional(number()),
  settings,
  workspaces: mapOf<WorkspaceName, RecordedWorkspace>(workspace),
  directories: mapOf<string, RecordedDirectory>(
    object<RecordedDirectory>({
      reading: reading(groups),
      members: optional(reading(mapOf(members))),
      notAsked: optional(setOf<string>()),
    }),
  ),
  memberships: string(),
  recordedGroups: optional(recordedGroups),
  memory: storedMemory,
})

export const recordingText = (value: Recording): string =>
  `${JSON.stringify({ format: recordingFormat, version: recordingVersion, ...(recording.write(value) as object) })}\n`

/** JSON Schema (2020-12) of the document. Objects may have further fields: a newer program may write some. */
export function recordingSchema(): object {
  const { properties = {}, required = [] } = (recording.schema?.() ?? {}) as {
    readonly properties?: object
    readonly required?: readonly string[]
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:plane-group-sync:recording:${recordingVersion}`,
    type: 'object',
    properties: { format: { const: recordingFormat }, version: { const: recordingVersion }, ...properties },
    required: ['format', 'version', ...required],
  }
}

type ReadRecording = { readonly kind: 'recording'; readonly recording: Recording } | { readonly kind: 'unreadable'; readonly why: string }

/** A recording from its text. Fields that this version does not know are not used, so a newer program may add some. */
export function recordingFrom(text: string): ReadRecording {
  const unreadable = (why: string) => ({ kind: 'unreadable', why }) as const
  const document = jsonIn(text)
  if (typeof document !== 'object' || document === null) return unreadable('it is not JSON, or cut off')
  const { format, version, ...fields } = document as Readonly<Record<string, unknown>>
  if (format !== recordingFormat) return unreadable(`its format is not ${recordingFormat}`)
  if (version !== recordingVersion)
    return unreadable(`it is of version ${JSON.stringify(version)}, and this program reads version ${recordingVersion}`)
  try {
    return { kind: 'recording', recording: recording.read(fields, () => undefined) }
  } catch (error) {
    return unreadable(`it lacks a part, or has one of another type: ${messageOf(error)}`)
  }
}
