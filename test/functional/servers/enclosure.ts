import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

/** A server in namespaces of its own, removed at the end of the block (`await using`). */
export type Enclosure = AsyncDisposable & {
  /** An address of loopback, on which the ports of the server answer. */
  readonly host: string
  /** The path of a file in the folder of the server. */
  readonly file: (name: string) => string
}

export type EnclosureOptions = {
  readonly name: string
  /** The shell script that starts the server, with the folder as its argument. It ends when the server answers. A path from here, or absolute. */
  readonly script: string
  readonly ports: readonly number[]
  /** The name → text of the files that the script finds in the folder. */
  readonly files: Readonly<Record<string, string>>
  /** What the script needs: Debian packages, for example. */
  readonly needs: string
}

const startMs = 120_000
const pathOf = (name: string) => resolve(import.meta.dirname, name)

/**
 * Starts a server that insists on its own ports, users and folders. It runs in namespaces of its own for network, mounts and processes, so it changes
 * nothing on the machine, and is reached only through sockets in a folder. Here they answer on an address of loopback that no other test has, with the
 * server's own ports: 3268 says that it is a global catalogue.
 */
export async function openEnclosure({ name, script, ports, files, needs }: EnclosureOptions): Promise<Enclosure> {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`))
  const file = (path: string) => join(folder, path)
  for (const [path, text] of Object.entries(files)) writeFileSync(file(path), text)
  const namespaces = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
  const inside = ['bash', pathOf('enclosure/inside.sh'), process.execPath, folder, pathOf(script), ...ports.map(String)]
  const child = spawn('unshare', [...namespaces, ...inside], { stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-8_000)))
  const doors: Server[] = []
  const dispose = async () => {
    for (const door of doors) door.close()
    await end(child)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await ready(child)
    const host = await openDoors(doors, ports, file)
    return { host, file, [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await dispose()
    const root = 'needs root with CAP_SYS_ADMIN for namespaces of its own (unshare --net --mount --pid)'
    throw new Error(`${name} did not start. It ${root}, and ${needs}. It said:\n${said}`, { cause: error })
  }
}

async function ready(child: ChildProcess): Promise<void> {
  const { stdout } = child
  if (stdout === null) throw new Error('it has no standard output')
  const failed = Promise.race([
    once(child, 'error').then(([error]) => Promise.reject(error)),
    once(child, 'close').then(([code]) => Promise.reject(new Error(`it ended with ${code}`))),
    new Promise((_, reject) => setTimeout(() => reject(new Error(`it was not ready after ${startMs / 1000} s`)), startMs).unref()),
  ])
  failed.catch(() => undefined)
  await Promise.race([once(createInterface(stdout), 'line'), failed])
}

/** The relay ends with its standard input, and everything in the enclosure with the relay. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.stdin?.end()
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(late)
}

/** Listens on all ports of one address of 127.0.0.0/8. Another process may have one of the ports on all addresses: then no address will do. */
async function openDoors(doors: Server[], ports: readonly number[], file: (name: string) => string): Promise<string> {
  const host = `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`
  for (const port of ports) {
    const door = createServer({ allowHalfOpen: true }, (outer) => {
      const inner = connect({ path: file(`${port}.sock`), allowHalfOpen: true })
      outer
        .on('error', () => inner.destroy())
        .pipe(inner.on('error', () => outer.destroy()))
        .pipe(outer)
    })
    doors.push(door)
    await once(door.listen(port, host), 'listening')
  }
  return host
}
