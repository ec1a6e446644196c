import type { FilesToRead } from '../../../src/declaration/files.ts'
import { type Context, type Loaded, understandDeclaration } from '../../../src/declaration/understand.ts'
import type { InvalidFiles } from '../../../src/yaml/problem.ts'

/** Reads a declaration from files in memory, whatever its size, and never in a worker. Without `lastValid` only its problems, if it has some. */
export function parseDeclaration(read: FilesToRead, context: Context): Loaded | InvalidFiles {
  const loaded = understandDeclaration(read, context, {})
  if (loaded === undefined) throw new Error('a reading without limits of its own was ended by one')
  return loaded.valid && loaded.invalid !== undefined && read.lastValid === undefined ? loaded.invalid : loaded
}
