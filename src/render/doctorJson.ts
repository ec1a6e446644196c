import { type Check, resultOf } from '../core/doctor/check.ts'
import { defined } from '../core/optionalFields.ts'
import type { DocumentCheck } from '../documents/doctor.ts'

/** A check as a document has it: without the excerpts of files. */
export const documentCheck = (check: Check): DocumentCheck => ({
  check: check.check,
  place: check.place,
  result: resultOf(check),
  seen: check.seen,
  findings: check.findings.map(({ code, severity, place, sentence, cure }) => defined({ code, severity, place, sentence, cure })),
})

/** A check that a daemon answered with. */
export const checkFrom = ({ result, findings, ...rest }: DocumentCheck): Check => ({
  ...rest,
  ...(result === 'skipped' ? { skipped: true as const } : {}),
  findings: findings as Check['findings'],
})
