import { z } from 'zod'
import type { ChangeId } from '../core/change.ts'
import { limitNames } from '../core/hold.ts'
import type { GroupName, Key, ProjectIdentifier, Role } from '../core/mapping.ts'
import { because, exceeds } from './parts.ts'
import { boundsSchema, branded, type DeepReadonly } from './shape.ts'

const project = branded<ProjectIdentifier>()
const role = branded<Role>()
const text = z.string()
const texts = z.array(text)
const kind = <K extends string>(name: K) => z.literal(name)

/** Why a change waits, as the document of a plan has it: `kind`, then the other names in alphabetical order. */
export const reasonSchema = z
  .union([
    z.object({
      kind: kind('groupUnknown'),
      asksOnly: z.literal(true).optional().describe('The settings have more directories, which the rule leaves out with `from`.'),
      directories: texts.describe('The directories that the rule asks, all read completely.'),
      elsewhere: texts
        .optional()
        .describe('Directories that the rule does not ask, and that have a group of this name. Only those that were read for other rules.'),
      hasLabel: z.literal(true).optional().describe('The rule has a label, so `unknownGroups: send` has no effect on it.'),
      mapped: z.boolean(),
      near: text.optional(),
      nearLabel: text.optional(),
      nearNote: text
        .optional()
        .describe('What to know before `near` is written. Without `near`: of a similar name that cannot be written.'),
    }),
    z.object({
      kind: kind('projectUnknown'),
      captured: z.literal(true).optional(),
      near: text.optional(),
      nearNote: text.optional(),
      project: text,
    }),
    z.object({ kind: kind('projectChanged'), called: project.optional(), pass: text, project, replaced: z.boolean() }),
    z.object({ kind: kind('perhapsRenamed'), project }),
    z.object({ kind: kind('labelDiffers'), called: text, directory: text, label: text, shared: z.number().optional() }),
    z.object({
      kind: kind('groupChanged'),
      called: branded<GroupName>().optional(),
      directory: text,
      group: branded<GroupName>(),
      pass: text,
      was: text.optional(),
    }),
    z.object({ kind: kind('roleUnmapped'), allowed: texts, captured: text }),
    z.object({ kind: kind('ambiguous'), names: texts.optional(), places: texts }),
    z.object({ kind: kind('conflict'), roles: z.array(role), rules: z.array(because) }),
    z.object({
      kind: kind('outranked'),
      by: because.describe('The rule in a file without limits.'),
      inside: role.nullable().optional().describe('The role that the file inside a fence asks for. null: no mapping.'),
      outside: role.nullable().optional().describe('The role that the rule in `by` asks for. null: no mapping.'),
      unmanaged: because.optional().describe('The unmanaged entry of the file inside a fence.'),
    }),
    z.object({ kind: kind('contested'), rules: z.array(because) }),
    z.object({ kind: kind('unsafeName'), what: text }),
    z.object({ kind: kind('readingIncomplete'), of: text, why: text }),
    z.object({ kind: kind('notRecorded') }),
    z.object({ kind: kind('patternsUnmatched'), why: text }),
    z.object({ kind: kind('clocksDiffer') }),
    z.object({ kind: kind('notStarted'), startsMs: z.number() }),
    z.object({ kind: kind('undeclared'), policy: text }),
    z.object({ kind: kind('policy'), policy: text }),
    z.object({ kind: kind('approval'), why: z.enum(['protectedRole', 'protectedGroup', 'groupSync', 'allProjectsProtected']) }),
    z.object({
      kind: kind('approval'),
      count: z.number(),
      exceeds,
      limit: z.number(),
      name: z.enum(limitNames),
      owned: z.number().optional(),
      pass: branded<ChangeId>(),
      sentence: text,
      setting: text,
      why: z.literal('limit'),
    }),
    z.object({
      kind: kind('approval'),
      limit: z.number(),
      over: z.enum(['lose', 'raise', 'gainProtected']),
      pass: text,
      people: boundsSchema,
      together: boundsSchema
        .optional()
        .describe('With the people of others that are written, if only all of them together exceed the limit.'),
      setting: text,
      why: z.literal('people'),
    }),
    z.object({ kind: kind('quarantined'), since: z.enum(['unknownOutcome', 'startUp', 'justWritten']) }),
    z.object({ kind: kind('roleEchoed'), echoed: role, sent: role }),
    z.object({ kind: kind('nameEchoed'), keptAs: branded<Key>() }),
    z.object({ kind: kind('requires'), key: branded<Key>() }),
    z.object({ kind: kind('flapping'), rounds: z.number(), sinceMs: z.number() }),
    z.object({ kind: kind('anotherWriter'), twins: z.number() }),
    z.object({ kind: kind('suspended'), what: z.enum(['all', 'grants']) }),
    z.object({
      kind: kind('fileInvalid'),
      at: text,
      why: text,
      isOutside: z.literal(true).optional().describe('The file is valid, and its pattern names the mapping outside of its fence.'),
    }),
  ])
  .meta({ id: 'reason', description: 'Why a change or mapping is held.' })
export type DocumentReason = DeepReadonly<z.infer<typeof reasonSchema>>
