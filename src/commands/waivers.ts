import type { Waiver } from '../core/judge/guards.ts'
import { type Call, texts, UsageError } from './command.ts'

/** `--allow`: the operator lets exactly the named plan or changes pass the guards, in this run only. @throws {UsageError} */
export function waiversOf(values: Call['values'], env: Readonly<Record<string, string | undefined>>): readonly Waiver[] {
  const ids = texts(values.allow)
  const wrong = ids.find((id) => !/^[0-9a-f]{32,64}$/.test(id))
  if (wrong !== undefined) throw new UsageError(`--allow takes the 32 hex digits that the plan shows after --allow, not "${wrong}"`)
  return ids.length === 0 ? [] : [{ ids, by: env.USER ?? 'operator', untilMs: Number.POSITIVE_INFINITY, source: '--allow' }]
}
