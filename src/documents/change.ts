import { z } from 'zod'
import type { ChangeId } from '../core/change.ts'
import type { GroupName, Key, MappingId, Role } from '../core/mapping.ts'
import { because, settings, target } from './parts.ts'
import { branded, type DeepReadonly } from './shape.ts'

const id = branded<ChangeId>()
const key = branded<Key>()
const role = branded<Role>()
const place = { key, target, group: branded<GroupName>() }
const before = { mapping: branded<MappingId>(), before: role.nullable().describe('null if the mapping has no role.') }
const about = {
  people: z.number().optional(),
  allowProtected: z.boolean().optional(),
  protected: z.literal(true).optional().describe('The change grants a protected role. apply computes it anew.'),
  because: because.optional(),
  requires: z.array(id).describe('Changes that must succeed first.'),
}

/** A change as the document of a plan has it: `planJson` writes it, and applying a saved plan reads it back. */
export const changeSchema = z
  .union([
    z.object({ id, action: z.literal('create'), ...place, role, ...about }),
    z.object({ id, action: z.literal('patch'), ...place, ...before, role, ...about }),
    z.object({ id, action: z.literal('rename'), ...place, ...before, from: key, fromGroup: branded<GroupName>(), role, ...about }),
    z.object({
      id,
      action: z.literal('delete'),
      ...place,
      ...before,
      why: z.enum(['removed', 'expired', 'duplicate', 'undeclared']),
      ...about,
    }),
    z.object({
      id,
      action: z.literal('settings'),
      key,
      before: settings,
      after: settings,
      because: because.optional(),
      requires: z.array(id),
    }),
  ])
  .meta({ id: 'change' })
export type DocumentChange = DeepReadonly<z.infer<typeof changeSchema>>
