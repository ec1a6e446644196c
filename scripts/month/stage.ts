import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { counted } from '../../src/core/quantity.ts'
import { follow, type Running } from '../../test/functional/process/running.ts'
import { openTime } from '../../test/functional/process/settableClock.ts'
import { company, type Fences, type Files, service, settings } from './world.ts'

/** The mappings in Plane, as `ENG devs → member`. */
export type Mappings = ReadonlySet<string>

/** Sandbox, daemon and commands under one clock, and the text that they leave. */
export type Stage = AsyncDisposable & {
  readonly say: (text: string) => void
  /** Lets the time pass in all processes, such as to `2099-03-07T00:00Z`. The daemon then has a cycle, as by its schedule. */
  readonly pass: (moment: string) => Promise<void>
  /**
   * Writes a new revision of the declaration, and shows what differs. A text that is undefined removes its file. As after the other edits, the daemon is
   * told to look at once (SIGHUP). By itself it would notice the edit within seconds, and on a busy machine within a minute.
   */
  readonly edit: (changed: Iterable<readonly [string, string | undefined]>) => Promise<void>
  /** Replaces the fences of the settings, and shows what differs. */
  readonly editFences: (fences: Fences) => Promise<void>
  readonly editDirectory: (groups: readonly object[]) => Promise<void>
  /** The files of the declaration as they are now. */
  readonly files: () => Files
  /**
   * Shows a command and what it prints, or a part of it.
   *
   * @throws if the command ends with another exit code
   */
  readonly run: (args: readonly string[], exitCode: number, filter?: Filter) => Promise<string>
  /** Waits until the daemon has come to something. */
  readonly until: (what: string, isSo: (now: Now) => boolean) => Promise<Now>
  /** How many commands were typed, and how many requests changed Plane, since the last call. */
  readonly taken: () => Promise<{ readonly commands: number; readonly writes: number }>
}

/** As a shell would do it: the lines with a text, each with the line below it, or the last lines. */
type Filter = { readonly grep: string } | { readonly tail: number }

/** What a person would find now. `metric` has the sum of all series whose name begins with `name`; `cycles`: since the daemon began. */
export type Now = { readonly mappings: Mappings; readonly metric: (name: string) => number; readonly cycles: number }

const key = 'key-of-the-month'
const shownLinesMax = 2

export async function openStage(out: (text: string) => void): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'plane-month-'))
  const path = (name: string) => join(folder, name)
  const clock = await openTime({ path })
  const open: Running[] = []
  let env: Record<string, string> = { PATH: process.env['PATH'] ?? '', HOME: folder, USER: 'ann', TZ: 'UTC', ...clock.env }
  let movedMs = 0
  let commands = 0
  let revision = 0
  let files: Files = new Map()
  let fences: Fences = { hasMoved: false, has: (team) => team !== 'robots' }

  const start = (args: readonly string[]): Running => {
    const running = follow(spawn('bin/plane-group-sync', args, { env, stdio: ['ignore', 'pipe', 'pipe'] }))
    open.push(running)
    return running
  }
  const onExit = () => {
    for (const { child } of open) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', onExit)
  const write = (name: string, content: object | string) =>
    writeFile(path(name), typeof content === 'string' ? content : JSON.stringify(content, undefined, 2))
  const showEdit = (before: Files, after: Files) => out(block('diff', difference(before, after)))

  async function setClock(moment: string): Promise<void> {
    const byMs = Date.parse(moment) - Date.now() - movedMs
    movedMs += byMs
    await clock.set(byMs)
  }

  /** Like git-sync: a new folder for each revision, and a link that is replaced at once. */
  async function checkOut(next: Files): Promise<void> {
    const name = `revision-${++revision}`
    for (const [file, text] of next) {
      await mkdir(dirname(path(`${name}/${file}`)), { recursive: true })
      await writeFile(path(`${name}/${file}`), text)
    }
    await symlink(name, path('next'))
    await rename(path('next'), path('groups'))
    files = next
  }

  const { groups, files: first } = company()
  await setClock('2099-02-23T09:00Z')
  await write('service.json', service(key))
  await write('directory.yaml', { groups })
  await write('config.yaml', settings(fences))
  await checkOut(first)
  const sandbox = start(['sandbox', '--port', '0', '--state', path('service.json'), '--limit', '6000/minute', '--log-level', 'warn'])
  const url = await sandbox.until(() => /^http\S+/.exec(sandbox.out())?.[0])
  env = { ...env, PLANE_BASE_URL: url, PLANE_API_KEY: key, PLANE_GROUP_SYNC_CONFIG: path('config.yaml') }
  const daemon = start(['run', '--log-format', 'json'])
  const probes = await daemon.until(() => daemon.log().find(({ event }) => event === 'listening')?.['url'])

  async function now(): Promise<Now> {
    const page = await (await fetch(`${String(probes)}/metrics`)).text()
    const metric = (name: string) =>
      page
        .split('\n')
        .filter((line) => line.startsWith(`plane_group_sync_${name}`))
        .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
    const state = (await (await fetch(`${url}/_sandbox/state`)).json()) as State
    return { mappings: mappingsOf(state), metric, cycles: metric('cycle_duration_seconds_count') }
  }

  async function until(what: string, isSo: (now: Now) => boolean): Promise<Now> {
    for (const untilMs = performance.now() + 60_000; performance.now() < untilMs; await pause(200)) {
      if (daemon.child.exitCode !== null) break
      const found = await now()
      if (isSo(found)) return found
    }
    throw new Error(`the daemon did not come to this: ${what}\n${daemon.err().split('\n').slice(-20).join('\n')}`)
  }

  /** A cycle that runs now may have read the files before. The second one begins after it. */
  async function cycle(): Promise<void> {
    for (const which of ['a cycle', 'another cycle']) {
      const { cycles } = await now()
      daemon.child.kill('SIGHUP')
      await until(which, (then) => then.cycles > cycles)
    }
  }
  await until('the first cycle', ({ cycles }) => cycles > 0)

  return {
    say: (text) => out(`${text}\n\n`),
    async pass(moment) {
      await setClock(moment)
      await cycle()
    },
    files: () => files,
    async edit(changed) {
      const next = new Map(files)
      for (const [file, text] of changed)
        if (text === undefined) next.delete(file)
        else next.set(file, text)
      showEdit(files, next)
      await checkOut(next)
      await cycle()
    },
    async editFences(next) {
      showEdit(new Map([['config.yaml', settings(fences)]]), new Map([['config.yaml', settings(next)]]))
      await write('config.yaml', settings(next))
      fences = next
      await cycle()
    },
    async editDirectory(next) {
      await write('directory.yaml', { groups: next })
      await cycle()
    },
    async run(args, exitCode, filter) {
      commands++
      const ended = await start(args).ended
      const command = `plane-group-sync ${args.join(' ')}`
      if (ended.code !== exitCode)
        throw new Error(`${command} ended with exit code ${ended.code}, ${exitCode} was expected:\n${ended.out}${ended.err}`)
      const { pipe, text } = filtered(ended.out.trimEnd(), filter)
      out(block('console', `$ ${command}${pipe}\n${text}`))
      return text
    },
    until,
    async taken() {
      const { requests } = (await (await fetch(`${url}/_sandbox/requests`)).json()) as { requests: { method: string }[] }
      await fetch(`${url}/_sandbox/requests`, { method: 'DELETE' })
      const counts = { commands, writes: requests.filter(({ method }) => method !== 'GET').length }
      commands = 0
      return counts
    },
    async [Symbol.asyncDispose]() {
      process.off('exit', onExit)
      // The daemon ends before the service that it asks.
      daemon.child.kill('SIGTERM')
      await daemon.ended
      for (const running of open) await running[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
  }
}

type Row = { readonly idp_group_name: string; readonly project?: string | null; readonly role: string }
type State = {
  readonly workspaces: { readonly acme: { readonly workspaceMappings: readonly Row[]; readonly projectMappings: readonly Row[] } }
}

const mappingsOf = ({ workspaces: { acme } }: State): Mappings =>
  new Set([
    ...acme.workspaceMappings.map(({ idp_group_name, role }) => `workspace ${idp_group_name} → ${role}`),
    ...acme.projectMappings.map(({ idp_group_name, project, role }) => `${project ?? 'all'} ${idp_group_name} → ${role}`),
  ])

const block = (language: string, text: string): string => ['```', language, '\n', text, '\n```\n\n'].join('')

function filtered(text: string, filter: Filter | undefined): { readonly pipe: string; readonly text: string } {
  if (filter === undefined) return { pipe: '', text }
  const lines = text.split('\n')
  if ('tail' in filter) return { pipe: ` | tail -n ${filter.tail}`, text: lines.slice(-filter.tail).join('\n') }
  const isShown = (line = '') => line.includes(filter.grep)
  const shown = lines.filter((line, index) => isShown(line) || isShown(lines[index - 1]))
  return { pipe: ` | grep -A 1 ${filter.grep}`, text: shown.join('\n') }
}

/** The first lines that differ, as a diff, and how many more there are. Lines that only begin a part are left out. */
function difference(before: Files, after: Files): string {
  const files = [...new Set([...before.keys(), ...after.keys()])].toSorted().filter((file) => before.get(file) !== after.get(file))
  const linesOf = (text = '') => text.split('\n').filter((line) => !/^(?: *\w+:|version: 1|)$/.test(line))
  const changes = files.map((file) => {
    const [old, next] = [linesOf(before.get(file)), linesOf(after.get(file))]
    return { file, gone: old.filter((line) => !next.includes(line)), added: next.filter((line) => !old.includes(line)) }
  })
  const hunk = ({ file, gone, added }: (typeof changes)[number]) => [
    `--- ${before.has(file) ? file : '/dev/null'}`,
    `+++ ${after.has(file) ? file : '/dev/null'}`,
    ...gone.slice(0, shownLinesMax).map((line) => `-${line}`),
    ...added.slice(0, shownLinesMax).map((line) => `+${line}`),
  ]
  const shown = changes.slice(0, 2)
  const all = changes.flatMap(({ gone, added }) => [...gone, ...added]).length
  const visible = shown.flatMap(({ gone, added }) => [...gone.slice(0, shownLinesMax), ...added.slice(0, shownLinesMax)]).length
  const more = all > visible ? [`… ${counted(all - visible, 'more line')}; ${counted(files.length, 'file')} in all`] : []
  return [...shown.flatMap(hunk), ...more].join('\n')
}
