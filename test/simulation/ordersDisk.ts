import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { dirname } from 'node:path'

/**
 * The folders of orders of one world, in memory. The code in `src/orders` uses the functions of `node:fs/promises`; this file replaces them for paths
 * below `/simulated/`. So the real code runs, and each of its steps is a call at which its process can end.
 */
export type OrdersDisk = {
  /**
   * The path by which one process sees a folder. All its calls go through `port`.
   *
   * @param port every operation goes through it, because the process may end there
   */
  readonly mount: (folder: string, port: Port) => Mount
  /** Removes the paths of this world. */
  readonly dispose: () => void
}
type Port = <T>(work: () => Promise<T>) => Promise<T>
export type Mount = {
  readonly path: string
  /** Whether no file is below the folder. */
  readonly isEmpty: () => boolean
  /** Resolves as soon as a file is below the folder. */
  readonly filled: (signal: AbortSignal) => Promise<void>
}

type Parts = {
  /** True times, epoch ms. */
  readonly now: () => number
  /** Waits between two steps that another process may come between. */
  readonly pause: () => Promise<void>
  /** How many of these bytes the disk accepts. @throws {Error} if it accepts none */
  readonly take: (length: number) => number
}

/** A file, or a folder. It is the same under each of its names. */
type Inode = { readonly ino: bigint; readonly isFolder: boolean; mode: number; mtimeMs: number; bytes: Buffer; names: number }
type World = Parts & { readonly nodes: Map<string, Inode>; readonly waiting: Set<() => void>; inodes: bigint }

const root = '/simulated/'
const mounts = new Map<string, { readonly world: World; readonly port: Port }>()
let mounted = 0

export function ordersDisk(parts: Parts): OrdersDisk {
  const world: World = { ...parts, nodes: new Map(), waiting: new Set(), inodes: 1n }
  const mine: string[] = []
  return {
    mount(folder, port) {
      const id = `${++mounted}`
      mounts.set(id, { world, port })
      mine.push(id)
      const isEmpty = () => [...world.nodes].every(([path, { isFolder }]) => isFolder || !path.startsWith(`${folder}/`))
      return {
        path: `${root}${id}/${folder}`,
        isEmpty,
        async filled(signal) {
          while (isEmpty())
            await new Promise<void>((resolve, reject) => {
              const leave = () => reject(signal.reason as Error)
              if (signal.aborted) return leave()
              signal.addEventListener('abort', leave, { once: true })
              world.waiting.add(() => {
                signal.removeEventListener('abort', leave)
                resolve()
              })
            })
        },
      }
    },
    dispose() {
      for (const id of mine) mounts.delete(id)
    },
  }
}

const errorOf = (code: string): Error => Object.assign(new Error(code), { code })
const uid = 4_711

function found({ nodes }: World, path: string): Inode {
  const node = nodes.get(path)
  if (node === undefined) throw errorOf('ENOENT')
  return node
}

function made(world: World, path: string, isFolder: boolean, mode: number): Inode {
  if (world.nodes.has(path)) throw errorOf('EEXIST')
  const node: Inode = { ino: world.inodes++, isFolder, mode, mtimeMs: world.now(), bytes: Buffer.alloc(0), names: 1 }
  world.nodes.set(path, node)
  if (!isFolder) for (const wake of world.waiting) wake()
  if (!isFolder) world.waiting.clear()
  return node
}

function statsOf({ ino, isFolder, mode, mtimeMs, bytes, names }: Inode, isBig: boolean) {
  const kinds = { isFile: () => !isFolder, isDirectory: () => isFolder }
  const mtimeNs = BigInt(mtimeMs) * 1_000_000n
  return isBig
    ? { ...kinds, dev: 1n, ino, uid: BigInt(uid), mode: BigInt(mode), nlink: BigInt(names), size: BigInt(bytes.length), mtimeNs }
    : { ...kinds, dev: 1, ino: Number(ino), uid, mode, nlink: names, size: bytes.length, mtimeMs }
}
type Big = { readonly bigint?: boolean } | undefined

function handleOf({ now, take, pause }: World, node: Inode, port: Port) {
  return {
    stat: (options: Big) => port(async () => statsOf(node, options?.bigint === true)),
    read: (buffer: Buffer, offset: number, length: number, position: number) =>
      port(async () => ({ bytesRead: node.bytes.copy(buffer, offset, position, position + length) })),
    chmod: (mode: number) =>
      port(async () => {
        await pause()
        node.mode = mode
      }),
    writeFile: (content: Buffer) =>
      port(async () => {
        const taken = take(content.length)
        node.bytes = Buffer.from(content.subarray(0, taken))
        node.mtimeMs = now()
        if (taken < content.length) throw errorOf('ENOSPC')
      }),
    utimes: (_accessed: Date, modified: Date) =>
      port(async () => {
        node.mtimeMs = modified.getTime()
      }),
    close: () => port(async () => {}),
  }
}

function gone(world: World, path: string, isFolder: boolean): void {
  const node = found(world, path)
  if (node.isFolder !== isFolder) throw errorOf(isFolder ? 'ENOTDIR' : 'EISDIR')
  world.nodes.delete(path)
  node.names--
}

/** The functions of `node:fs/promises` that `src/orders` uses. */
const simulated = {
  lstat: (world: World, path: string, options: Big) => statsOf(found(world, path), options?.bigint === true),
  mkdir: (world: World, path: string, { mode }: { readonly mode: number }) => void made(world, path, true, mode),
  chmod: (world: World, path: string, mode: number) => void (found(world, path).mode = mode),
  rmdir: (world: World, path: string) => gone(world, path, true),
  async unlink(world: World, path: string) {
    await world.pause()
    gone(world, path, false)
  },
  async rename(world: World, from: string, to: string) {
    await world.pause()
    const node = found(world, from)
    const replaced = world.nodes.get(to)
    if (replaced !== undefined) replaced.names--
    world.nodes.delete(from)
    world.nodes.set(to, node)
  },
  opendir: (world: World, path: string) => {
    const names = [...world.nodes.keys()].filter((name) => dirname(name) === path).map((name) => ({ name: name.slice(path.length + 1) }))
    return { [Symbol.asyncIterator]: () => names.values() }
  },
}

/** Another process sees the same folder by another path, so the paths of a world are those behind the mount. */
function mountOf(path: unknown) {
  if (typeof path !== 'string' || !path.startsWith(root)) return undefined
  const [id = ''] = path.slice(root.length).split('/', 1)
  const mount = mounts.get(id)
  const inside = (one: string) => one.slice(root.length + id.length + 1)
  return mount === undefined ? undefined : { ...mount, inside }
}

type Work = (world: World, path: string, ...more: never[]) => unknown
function replace(name: keyof typeof simulated): void {
  const real = fs[name] as (...values: unknown[]) => unknown
  const work: Work = simulated[name]
  Object.assign(fs, {
    [name]: (path: unknown, ...more: unknown[]) => {
      const mount = mountOf(path)
      if (mount === undefined) return real(path, ...more)
      const { world, port, inside } = mount
      const rest = name === 'rename' ? [inside(more[0] as string)] : more
      return port(async () => await work(world, inside(path as string), ...(rest as never[])))
    },
  })
}
for (const name of Object.keys(simulated) as (keyof typeof simulated)[]) replace(name)

const { open } = fs
Object.assign(fs, {
  open: (path: string, flags: number | string, mode: number) => {
    const mount = mountOf(path)
    if (mount === undefined) return open(path, flags, mode)
    const { world, port, inside } = mount
    return port(async () => {
      const node = typeof flags === 'number' ? found(world, inside(path)) : made(world, inside(path), false, mode)
      return handleOf(world, node, port)
    })
  },
})
syncBuiltinESMExports()
