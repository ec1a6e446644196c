import { type Clock, steppedMs } from '../../src/core/clock.ts'
import type { Declared } from '../../src/cycle/workspaceContext.ts'
import type { DeclarationFiles } from '../../src/declaration/files.ts'
import { filesToKeep, lostFences, understandDeclaration } from '../../src/declaration/keepGood.ts'
import type { Context, Loaded } from '../../src/declaration/understand.ts'
import type { Disk } from '../../src/journal/disk.ts'
import { allValidMs, dropKeptFiles, type KeptFiles, keepFiles, lastDeclarationFile } from '../../src/journal/keptFiles.ts'
import type { LastValid } from '../../src/settings/declared.ts'
import type { InvalidFiles } from '../../src/yaml/problem.ts'

type Understood = Loaded | InvalidFiles
type Parts = {
  /** Reads the files until two readings in a row are equal. Undefined: they keep changing. */
  readonly read: () => Promise<DeclarationFiles | undefined>
  readonly context: () => Context
  readonly clock: Pick<Clock, 'now' | 'wall'>
  /** Where the last valid declaration is kept; undefined without a journal. */
  readonly kept: { readonly folder: string; readonly disk: Disk } | undefined
  /** What was understood so far, for all processes of a world. */
  readonly understood: Map<string, Understood>
  /** Called when the files are known, and when the declaration is. */
  readonly told: (is: 'declaring' | 'declared') => void
}

/**
 * Reads a declaration with fences like the daemon does (`src/daemon/configuration.ts`, `src/commands/lastDeclaration.ts`), which read from the real disk:
 * if it is invalid, the last valid text of each invalid file is used, or else the last valid declaration.
 */
export function openKeptDeclaration({ read, context, clock, kept, understood, told }: Parts): () => Promise<Declared> {
  let good: LastValid | undefined
  let names: readonly string[] | undefined
  let keptHash: string | undefined

  function understand(files: DeclarationFiles, last?: KeptFiles): Understood {
    const name = `${files.hash} ${last?.hash ?? ''}`
    const lastValid = last === undefined ? {} : { lastValid: textsOf(last) }
    const one = understood.get(name) ?? understandDeclaration({ ...files, ...lastValid }, context(), {})
    if (one === undefined) throw new Error('a reading without limits of its own was ended by one')
    understood.set(name, one)
    return one
  }

  async function last(): Promise<KeptFiles | undefined> {
    if (kept === undefined) return undefined
    const bytes = await kept.disk.readFile(lastDeclarationFile(kept.folder)).catch(() => undefined)
    if (bytes === undefined) return undefined
    const end = bytes.indexOf(0x0a)
    const head = JSON.parse(bytes.toString('utf8', 0, end)) as Head
    let at = end + 1
    const files = head.files.map((one) => {
      const from = at
      at += one.bytes
      return { ...one, bytes: bytes.subarray(from, at) }
    })
    return { ...head, files }
  }

  async function keep(declaration: KeptFiles): Promise<void> {
    if (kept === undefined || declaration.hash === keptHash) return
    keptHash = undefined
    names = []
    try {
      await keepFiles(lastDeclarationFile(kept.folder), declaration, kept.disk)
      keptHash = declaration.hash
      names = declaration.files.map(({ file }) => file)
    } catch {
      await dropKeptFiles(lastDeclarationFile(kept.folder), kept.disk).catch(() => undefined)
    }
  }

  async function around(before: KeptFiles): Promise<Declared | undefined> {
    const files = await read()
    const loaded = files === undefined ? undefined : understand(files, before)
    if (files === undefined || loaded?.valid !== true) return undefined
    const used = filesToKeep(files.files, loaded.kept, textsOf(before))
    const times = new Map(before.files.map(({ file, validMs = before.lastValidMs }) => [file, validMs]))
    const validMs = (file: string) => times.get(file) ?? before.lastValidMs
    const invalid = new Set(loaded.kept.map(({ file }) => file))
    told('declaring')
    await keep({
      lastValidMs: clock.wall(),
      hash: used.hash,
      files: used.files.map((one) => (invalid.has(one.file) ? { ...one, validMs: validMs(one.file) } : one)),
    })
    const oldestMs = loaded.kept.reduce((sofar, { file }) => Math.min(sofar, validMs(file)), clock.wall())
    const lastValid = { steadyMs: oldestMs - steppedMs(clock), wallMs: oldestMs }
    const declared = declaredOf(loaded)
    good = { declared, lastValid }
    return { ...declared, kept: 'invalid', keptFiles: loaded.kept, lastValid }
  }

  function wholly(before: KeptFiles): LastValid | undefined {
    const loaded = understand(before, before)
    if (!loaded.valid) return undefined
    const wallMs = allValidMs(before)
    return { declared: declaredOf(loaded), lastValid: { steadyMs: wallMs - steppedMs(clock), wallMs } }
  }

  return async () => {
    const files = await read()
    names ??= (await last())?.files.map(({ file }) => file) ?? []
    const loaded = files === undefined ? undefined : understand(files)
    const isLost = files !== undefined && loaded?.valid === true && lostFences(files, kept === undefined ? [] : names, context()).length > 0
    if (files !== undefined && loaded?.valid === true && !isLost) {
      told('declaring')
      await keep({ lastValidMs: clock.wall(), hash: files.hash, files: files.files })
      const declared = declaredOf(loaded)
      good = { declared, lastValid: { steadyMs: clock.now(), wallMs: clock.wall() } }
      told('declared')
      return declared
    }
    const before = await last()
    const partly = before === undefined ? undefined : await around(before)
    if (partly === undefined) good ??= before === undefined ? undefined : wholly(before)
    if (partly === undefined && good === undefined) throw new Error('no valid declaration')
    told('declared')
    return partly ?? { ...(good as LastValid).declared, kept: 'invalid', lastValid: (good as LastValid).lastValid }
  }
}

const textsOf = ({ files }: KeptFiles) => new Map(files.map(({ file, bytes }) => [file, bytes]))

/** The first line of the kept file. */
type Head = Omit<KeptFiles, 'files'> & {
  readonly files: readonly { readonly file: string; readonly bytes: number; readonly validMs?: number }[]
}

const declaredOf = ({ declaration, hash, files }: Loaded): Declared => ({ workspaces: declaration, hash, files })
