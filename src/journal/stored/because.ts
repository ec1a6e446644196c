import { defined, whole } from '../../core/fields.ts'
import type { Position, Provenance } from '../../core/rule.ts'
import { inField, read, type Tell } from './unknown.ts'

export type StoredBecause = {
  readonly at: StoredPosition
  readonly owner?: string | undefined
  readonly reason?: string | undefined
  readonly directory?: string | undefined
}
type StoredPosition = { readonly file: string; readonly line: number; readonly column: number }

/** The pattern and the end of the rule are not stored: they are only for readers of a plan. */
export function storedBecause(because: Provenance): StoredBecause {
  const { at, owner, reason, directory, expiresMs: _, pattern: _pattern, ...rest } = because
  return whole({ at: storedPosition(at), owner, reason, directory }, rest)
}

export const becauseFromStored = ({ at, owner, reason, directory, ...rest }: StoredBecause, tell: Tell): Provenance =>
  read(defined({ at: positionFromStored(at, inField(tell, 'at')), owner, reason, directory }), rest, tell)

const storedPosition = ({ file, line, column, ...rest }: Position): StoredPosition => whole({ file, line, column }, rest)

const positionFromStored = ({ file, line, column, ...rest }: StoredPosition, tell: Tell): Position =>
  read({ file, line, column }, rest, tell)
