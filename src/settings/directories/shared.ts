import { z } from '../../yaml/zod.ts'
import { certificateFile, duration, groupNames, percentage } from '../scalars.ts'

export const shrink = z
  .strictObject({
    share: percentage
      .prefault('50%')
      .describe('Reject a reading that shrank by more than this since the last accepted reading. `100%` disables the check.'),
    minExisting: z
      .int()
      .min(0)
      .default(5)
      .describe('Up to this many may disappear regardless of `share`. A reading without any group is never accepted.'),
  })
  .prefault({})

export const expect = z
  .strictObject({
    atLeast: z.int().min(1).optional().describe('So many groups.'),
    names: groupNames.min(1).max(100).optional().describe('Groups with these names.'),
  })
  .optional()
  .describe(
    'The least that a reading must have. A reading that lacks something of it is partial. `groups --expect` proposes values. An account that may see only a few groups is found only by this, if no earlier reading had more.',
  )

/** The settings that all kinds over a network share. */
export const overNetwork = {
  timeout: duration('10ms', '1h').prefault('30s').describe('The longest time that one request or search may take.'),
  readingTimeout: duration('10ms', '1d')
    .prefault('5m')
    .describe(
      'The longest time that a whole reading may take, over all its requests. A longer reading fails; changes that need it are held.',
    ),
  shrink,
  expect,
  caFile: certificateFile
    .optional()
    .describe("A PEM file with the certificates to trust. It replaces the system's certificates. Read again before each cycle."),
}

/** Described like this in each kind: which members are read. */
export const peopleSetting =
  'Read the members of the groups that a change concerns, so that a plan says how many people get, keep or lose a role. Absent: members are not read.'

/** @param names the attributes by which this kind can know a person; the first one is the default */
export const identity = <const Name extends string>(names: readonly [Name, ...Name[]]) =>
  z
    .enum(names)
    .prefault(names[0])
    .describe('The attribute by which a person is the same in all groups and directories. No output contains it.')

export const nested = z
  .boolean()
  .default(false)
  .describe("Count the members of groups inside a group, too. Use it if the identity provider's claim has them as members.")
