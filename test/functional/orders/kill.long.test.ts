import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const program = (name: string) => fileURLToPath(new URL(`programs/${name}.ts`, import.meta.url))
const killsMin = 200
const askers = 4
const ordersEach = 6

/** Processes that are all killed at the end of the block, by their own number. */
function openProcesses() {
  const open = new Set<ChildProcess>()
  return {
    start(name: string, args: readonly string[]): ChildProcess {
      const child = spawn(process.execPath, [program(name), ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
      open.add(child)
      return child
    },
    async kill(child: ChildProcess) {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      open.delete(child)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...open].map((child) => this.kill(child)))
    },
  }
}

const linesOf = async (path: string): Promise<readonly string[]> =>
  (await readFile(path, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '')
/** A process that was killed may have written half of its last line. */
const parsedLines = async (path: string): Promise<readonly unknown[]> =>
  (await linesOf(path)).flatMap((line) => {
    try {
      return [JSON.parse(line) as unknown]
    } catch {
      return []
    }
  })

test('askers and daemons are killed 200 times: no order is executed twice, and none that its asker saw refused or gave up', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'orders-'))
  await using scope = new AsyncDisposableStack()
  scope.defer(() => rm(folder, { recursive: true, force: true }))
  const processes = scope.use(openProcesses())
  const path = (name: string) => join(folder, name)
  const [journal, executed, seen] = [path('journal'), path('executed'), path('seen')]
  await mkdir(journal)
  const hold = async (run: string) => {
    await writeFile(path('holder.new'), run)
    await rename(path('holder.new'), path('holder'))
  }
  const watch = async () => {
    const run = randomUUID()
    const child = processes.start('watcher', [journal, run, executed])
    await hold(run)
    return child
  }
  const ask = () => processes.start('asker', [journal, path('holder'), seen, `${ordersEach}`])

  let watcher = await watch()
  const asking = Array.from({ length: askers }, ask)
  for (let kills = 0; kills < killsMin; kills++) {
    await pause(Math.random() * 350)
    if (Math.random() < 0.6) {
      const index = Math.floor(Math.random() * askers)
      await processes.kill(asking[index] as ChildProcess)
      asking[index] = ask()
    } else if (Math.random() < 0.7) {
      await processes.kill(watcher)
      await hold('')
      await pause(Math.random() * 300)
      watcher = await watch()
    } else {
      // A daemon that stands still loses its lock, and works on for a moment when it goes on.
      const old = watcher
      old.kill('SIGSTOP')
      watcher = await watch()
      await pause(Math.random() * 300)
      old.kill('SIGCONT')
      await pause(Math.random() * 200)
      await processes.kill(old)
    }
  }
  await pause(3_000)
  await Promise.all(asking.map((child) => processes.kill(child)))
  await processes.kill(watcher)

  const ids = (await parsedLines(executed)) as string[]
  const saw = (await parsedLines(seen)) as (readonly [id: string, kind: string])[]
  const times = new Map<string, number>()
  for (const id of ids) times.set(id, (times.get(id) ?? 0) + 1)
  const by = (kind: string) => saw.filter((one) => one[1] === kind).map(([id]) => id)

  expect([...times].filter(([, count]) => count > 1)).toEqual([])
  expect([...by('withdrawn'), ...by('goneUntaken')].filter((id) => times.has(id))).toEqual([])
  expect(by('answered').filter((id) => times.get(id) !== 1)).toEqual([])
  expect(by('answerOfAnother')).toEqual([])
  for (const kind of ['answered', 'withdrawn', 'goneUntaken', 'goneAfterTaken', 'left']) expect(by(kind).length, kind).toBeGreaterThan(0)
  // An idle machine answers some hundreds.
  expect(by('answered').length).toBeGreaterThan(50)
}, 180_000)
