import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writePackage } from '../bundle/package.ts'

export const fromSource = join(import.meta.dirname, '../../bin/plane-group-sync')

/** A temporary folder with files. It is removed at the end of the block. */
export async function folderWith(files: Readonly<Record<string, string>>): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content, { mode: 0o600 })
  return { path: folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

/** Makes the bundle in a folder, and returns the program in it, as the package and the image have it. */
export async function bundleIn(folder: string): Promise<string> {
  await writePackage(folder)
  return join(folder, 'bin/plane-group-sync')
}

/** Starts the real program as a process. `ended` rejects if the exit code is not one of `codes`. */
export function start(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
  program = fromSource,
  codes: readonly (number | null)[] = [0],
) {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()))
  const ended = async () => {
    const [code] = (await once(child, 'close')) as [number | null]
    if (!codes.includes(code)) throw new Error(`${args.join(' ')} ended with ${code}:\n${said}`)
  }
  return { pid: child.pid as number, ended: ended(), stop: () => child.kill('SIGTERM') }
}
