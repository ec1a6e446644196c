import type { Change } from '../change.ts'
import type { Key, Role } from '../mapping.ts'

/** In which state done writes left a key. One that has to be written again was undone by somebody. */
export type Written = {
  readonly key: Key
  /** Absent: without a mapping. */
  readonly role?: Role
  /** The role that the service answered with, where it is another one. */
  readonly echoed?: string
  /** Hash of the declaration that wanted it: another one begins anew. */
  readonly declaration: string
  /** When it was written, oldest first. Writes less than Δ apart are one, so that neither duplicates of a key nor a slow list count. */
  readonly atMs: readonly number[]
  /** Δ after the last of them: a list that was read before it need not show it. */
  readonly shownFromMs: number
}

/** Of one key more than any setting asks for. */
export const roundsMax = 20
/** What comes back is written again, and so stays among the newest. */
const writtenMax = 2_000
/** As long as the longest span of `guards.flapping`. */
export const writtenKeptMs = 7 * 86_400_000

type Write = { readonly atMs: number; readonly declaration: string; readonly echoed?: string | undefined }

/** What is known after one more write that is done, the newest last. */
export function afterWrite(
  written: readonly Written[],
  change: Change,
  { atMs, declaration, echoed }: Write,
  waitMs: number,
): readonly Written[] {
  return statesOf(change).reduce((sofar, { key, role }) => {
    const before = sofar.find((one) => one.key === key)
    const same = before?.declaration === declaration && before.role === role ? before.atMs : []
    const isOneWith = Math.abs(atMs - (same.at(-1) ?? Number.NEGATIVE_INFINITY)) < waitMs
    const moments = isOneWith ? same : [...same, atMs].slice(-roundsMax)
    const roles = role === undefined ? {} : { role, ...(echoed === undefined || echoed === role ? {} : { echoed }) }
    const left: Written = { key, ...roles, declaration, atMs: moments, shownFromMs: atMs + waitMs }
    return bounded([...(before === undefined ? sofar : sofar.filter((one) => one !== before)), left], atMs)
  }, written)
}

/** No bound may drop what a slow list can still hide. */
function bounded(written: readonly Written[], nowMs: number): readonly Written[] {
  const surplus = written.length - writtenMax
  if (surplus <= 0) return written
  const hidden = written.slice(0, surplus).filter(({ shownFromMs }) => nowMs < shownFromMs)
  return [...hidden, ...written.slice(surplus)]
}

type State = Pick<Written, 'key' | 'role'>

/** Settings wait for a person's word each time, so nobody fights over them; of a duplicate the key keeps the other mapping. */
function statesOf(change: Change): readonly State[] {
  switch (change.action) {
    case 'settings':
      return []
    case 'delete':
      return change.why === 'duplicate' ? [] : [{ key: change.key }]
    case 'create':
    case 'patch':
      return [{ key: change.key, role: change.role }]
    case 'rename':
      return [{ key: change.key, role: change.role }, { key: change.from }]
    default:
      return change satisfies never
  }
}

/** The last done write at a key. */
export const lastAt = (written: readonly Written[], key: Key): Written | undefined => written.find((one) => one.key === key)

/** A change that was written `rounds` times within `span` (ms), and undone each time, waits until the first of them is so long ago. */
export type FlappingSettings = { readonly rounds: number; readonly span: number }

export type RevertContext = {
  readonly memory: { readonly written: readonly Written[] }
  readonly declaration: string
  /** When the lists were asked for from which the change was planned. */
  readonly readAtMs: number
  readonly flapping: FlappingSettings
}

/** The service itself answered the same write with the role that is there now: nobody has undone it, and nothing would come of another. */
export const isEchoed = (change: Change, { memory }: Pick<RevertContext, 'memory'>): change is Extract<Change, { action: 'patch' }> =>
  change.action === 'patch' && lastAt(memory.written, change.key)?.echoed === change.before

/** When exactly what the change wants was written before, within the span; somebody has undone it since. Empty: it never was. */
export function reverts(change: Change, { memory, declaration, readAtMs, flapping }: RevertContext): readonly number[] {
  const [wanted] = statesOf(change)
  const before = wanted && lastAt(memory.written, wanted.key)
  if (before === undefined || before.declaration !== declaration || before.role !== wanted?.role) return []
  // What was written since is not undone; nor is what a clock that was set back puts into the future.
  return before.atMs.filter((atMs) => atMs <= readAtMs && readAtMs < atMs + flapping.span)
}
