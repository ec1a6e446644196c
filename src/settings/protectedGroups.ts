import { groupNameCharactersMax, unsafeName } from '../core/safeName.ts'
import { z } from '../yaml/zod.ts'
import { exactGroupPattern } from './patterns/name.ts'
import { groupNames } from './scalars.ts'

const cure = 'write each name exactly as the directory has it'

/** A name that no mapping can have would protect nothing. */
const protectedGroup = groupNames.element
  .superRefine((name, context) => {
    const add = (message: string) => context.addIssue({ code: 'custom', message, params: { cure, unseen: true } })
    if (/[*?]/.test(name)) return add('"protectedGroups" takes exact names, without * and ?')
    const why = name === '' || name.length > groupNameCharactersMax ? undefined : unsafeName(name)
    if (why !== undefined) add(`no mapping can be written for this name: ${why}`)
  })
  .meta({ pattern: exactGroupPattern })

export const protectedGroups = z
  .array(protectedGroup)
  .default([])
  .describe('Groups, by their exact names, for which every change needs approval.')
