import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Installs a package below scripts/ from its lockfile, unless it was installed since the lockfile changed. */
export async function installNested(folder: string): Promise<void> {
  const changedMs = async (name: string) => (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0
  // npm writes this file at the end of an installation.
  if ((await changedMs('node_modules/.package-lock.json')) > (await changedMs('package-lock.json'))) return
  await run('npm', ['ci', '--ignore-scripts'], folder)
}

/** Runs a program and shows its output. Rejects if the exit code is not 0. */
export async function run(program: string, args: readonly string[], cwd: string, env = process.env): Promise<void> {
  const child = spawn(program, args, { cwd, env, stdio: 'inherit' })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} in ${cwd} ended with ${code}`)
}
