import type { FilesToRead } from '../../../src/declaration/files.ts'
import { type Context, type Loaded, understandFiles } from '../../../src/declaration/understand.ts'
import type { InvalidFiles } from '../../../src/yaml/problem.ts'

/** Reads a declaration from files in memory, whatever its size, and never in a worker. */
export function parseDeclaration(read: FilesToRead, context: Context): Loaded | InvalidFiles {
  const loaded = understandFiles(read, context, {}, read.lastValid === undefined ? 'strict' : 'forgiving')
  if (loaded === undefined) throw new Error('a reading without limits of its own was ended by one')
  return loaded
}
