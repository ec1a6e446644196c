import { setImmediate } from 'node:timers/promises'
import type { WorkspaceName } from '../core/mapping.ts'
import type { WorkspaceDeclaration } from '../core/rule.ts'
import { invalidFiles } from '../yaml/frame.ts'
import { parseYaml } from '../yaml/parse.ts'
import { type InvalidFiles, type Problem, problemOfFile } from '../yaml/problem.ts'
import { validate } from '../yaml/validate.ts'
import { compileFile, type Defaults, type Part } from './compile.ts'
import { contradictions } from './contradictions.ts'
import { type DeclarationFileBytes, type DeclarationFiles, readFiles } from './files.ts'
import { lenientSchema } from './lenient.ts'
import { mergeParts } from './merge.ts'
import { type KnownNames, unknownNames } from './names.ts'
import { fileSchema } from './schema.ts'
import { addSize, type DeclarationSize } from './size.ts'

/** The settings that a declaration depends on. */
export type Context = KnownNames & { readonly defaults: Defaults }

export type Loaded = {
  readonly valid: true
  readonly declaration: ReadonlyMap<WorkspaceName, WorkspaceDeclaration>
  /** SHA-256 in hex over the files' names and contents. */
  readonly hash: string
  /** How many files the declaration has. */
  readonly files: number
}

type LoadOptions = Context & {
  /** The last result under the same settings, returned if the files have not changed, since 10,000 rules take a second. */
  readonly previous?: Loaded
  /** Called with the files of a valid declaration, also if they have not changed. */
  readonly onValid?: (files: DeclarationFiles) => Promise<void>
}

/**
 * Reads a declaration from a file or a folder. If there are problems, all of them are returned, and no declaration.
 *
 * @param path of the file or folder; problems name a file relative to the folder, or a single file by its name
 */
export async function loadDeclaration(
  path: string,
  { previous, onValid, ...context }: LoadOptions,
  signal: AbortSignal,
): Promise<Loaded | InvalidFiles> {
  const read = await readFiles(path, { pauseMs: 50, signal })
  if (!('hash' in read)) return invalidFiles(read)
  const loaded = previous?.hash === read.hash ? previous : await checkFiles(read, context, signal)
  if (loaded.valid) await onValid?.(read)
  return loaded
}

/** Checks files that were read. If there are problems, all of them are returned, and no declaration. */
export async function checkFiles({ files, hash }: DeclarationFiles, context: Context, signal: AbortSignal): Promise<Loaded | InvalidFiles> {
  const understood: Understood[] = []
  for (const file of files) {
    understood.push(understand(file, context, understood.at(-1)?.counts))
    // One MiB takes a second, so other work gets its turn between two files.
    await setImmediate(undefined, { signal })
  }
  return conclude(understood, hash)
}

/** Reads a declaration like `loadDeclaration`, from files in memory and without a pause. */
export function parseDeclaration({ files, hash }: DeclarationFiles, context: Context): Loaded | InvalidFiles {
  const understood: Understood[] = []
  for (const file of files) understood.push(understand(file, context, understood.at(-1)?.counts))
  return conclude(understood, hash)
}

/** The valid parts of one file, and its problems. `counts` includes all files before it. */
type Understood = { readonly parts: readonly Part[]; readonly problems: readonly Problem[]; readonly counts: DeclarationSize }

function understand(
  { file, bytes }: DeclarationFileBytes,
  context: Context,
  before: DeclarationSize = { mappings: 0, patterns: 0 },
): Understood {
  const { document, problems } = parseYaml(bytes, { file, schema: fileSchema })
  const nothing = (more: readonly Problem[]): Understood => ({ parts: [], problems: problems.concat(more), counts: before })
  if (document === undefined) return nothing([])
  if (document.value === null) {
    const cure = 'begin it with "version: 1", delete it, or let its name begin with a dot'
    return nothing([problemOfFile(file, 'the file has no content', cure)])
  }
  const checked = validate(document, fileSchema)
  const wrong = checked.valid ? [] : checked.problems
  const said = checked.valid ? checked.value : lenientSchema.safeParse(document.value).data
  if (said === undefined) return nothing(wrong)
  const all = wrong.concat(unknownNames(document, said, context))
  const counts = addSize(document, said, before)
  if ('message' in counts) return nothing([...all, counts])
  return { parts: compileFile(document, said, context.defaults), problems: problems.concat(all), counts }
}

function conclude(understood: readonly Understood[], hash: string): Loaded | InvalidFiles {
  const parts = understood.flatMap((file) => file.parts)
  const problems = understood.flatMap((file) => file.problems).concat(contradictions(parts))
  if (problems.length > 0) return invalidFiles(problems)
  return { valid: true, declaration: mergeParts(parts), hash, files: understood.length }
}
