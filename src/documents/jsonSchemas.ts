import { z } from 'zod'
import { doctorSchema } from './doctor.ts'
import { explainSchema } from './explain.ts'
import { groupsSchema } from './groups.ts'
import { lastSchema } from './last.ts'
import { noticeSchema } from './notice.ts'
import { appliedSchema, planSchema } from './plan.ts'
import { reportSchema } from './report.ts'
import { statusSchema } from './status.ts'
import { validationSchema } from './validation.ts'
import { whoSchema } from './who.ts'

const documents = {
  plan: planSchema,
  applied: appliedSchema,
  groups: groupsSchema,
  who: whoSchema,
  explain: explainSchema,
  validate: validationSchema,
  status: statusSchema,
  report: reportSchema,
  doctor: doctorSchema,
  last: lastSchema,
  notice: noticeSchema,
}
export type DocumentName = keyof typeof documents

/**
 * JSON Schema (2020-12) of a document that a command prints with `--format json`, or that the daemon writes or sends.
 *
 * @param unknownFields whether an object may have further fields. A reader of documents must allow them, because a later program may add fields
 * without a new version
 */
export function documentSchema(name: DocumentName, unknownFields: 'allowed' | 'refused' = 'allowed'): object {
  const schema = documents[name]
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: unknownFields === 'allowed' ? 'input' : 'output' })
  return { $schema, $id: `urn:plane-group-sync:${name}:${schema.shape.version.value}`, ...rest }
}
