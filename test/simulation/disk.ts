import type { Disk, DiskFile } from '../../src/journal/disk.ts'
import { JournalInUse } from '../../src/journal/lost.ts'
import type { DiskMode, Happening } from './spec.ts'

/** A disk in memory that survives processes. A power failure loses data that was not synced; the end of a process does not. */
export type SimulatedDisk = {
  readonly files: Map<string, Stored>
  readonly locks: Map<string, object>
  /** @param keep the share of the unsynced data that survives: 0 to 1 */
  powerFailure(keep: () => number): void
  set(mode: DiskMode): void
  /** A person changes the folder of a journal. */
  changeFolder(how: Extract<Happening, { is: 'journal' }>): void
  /** How many of these bytes the disk accepts. @throws {Error} if it accepts none */
  take(length: number): number
  /** @throws {Error} if it cannot sync */
  sync(file: Stored): void
}
type Stored = { bytes: Buffer; synced: Buffer }

export function simulatedDisk(): SimulatedDisk {
  const files = new Map<string, Stored>()
  const refusal = (code: string) => Object.assign(new Error(code), { code })
  let [room, syncs] = [Number.POSITIVE_INFINITY, true]
  const saved = new Map<string, ReadonlyMap<string, Stored>>()
  const below = (folder: string) => [...files].filter(([path]) => path.startsWith(`${folder}/`))
  const copyOf = ({ bytes }: Stored): Stored => ({ bytes, synced: bytes })
  return {
    files,
    changeFolder(how) {
      const { folder } = how
      const kept = how.does === 'restore' ? saved.get(folder) : new Map(below(folder).map(([path, file]) => [path, copyOf(file)]))
      if (how.does === 'save') saved.set(folder, kept ?? new Map())
      if (how.does === 'copy') for (const [path, file] of kept ?? []) files.set(`${how.to}${path.slice(folder.length)}`, file)
      if (how.does !== 'lose' && (how.does !== 'restore' || kept === undefined)) return
      for (const [path] of below(folder)) files.delete(path)
      if (how.does === 'restore') for (const [path, file] of kept ?? []) files.set(path, copyOf(file))
    },
    set(now) {
      room = now.mode === 'full' ? now.room : Number.POSITIVE_INFINITY
      syncs = now.mode !== 'unsynced'
    },
    take(length) {
      if (room <= 0) throw refusal('ENOSPC')
      const taken = Math.min(length, room)
      room -= taken
      return taken
    },
    sync(file) {
      if (!syncs) throw refusal('EDQUOT')
      file.synced = file.bytes
    },
    locks: new Map(),
    powerFailure(keep) {
      for (const file of files.values()) {
        const whole = file.bytes.length > file.synced.length && file.bytes.subarray(0, file.synced.length).equals(file.synced)
        const more = whole ? Math.floor((file.bytes.length - file.synced.length) * keep()) : 0
        file.bytes = Buffer.concat([file.synced, file.bytes.subarray(file.synced.length, file.synced.length + more)])
        file.synced = file.bytes
      }
    },
  }
}

/**
 * The disk as one process sees it.
 *
 * @param port every operation goes through it, because the process may end there
 * @param owner the owner of its locks; `token` is unique
 * @param told `durable` is called after each successful sync
 */
export function diskOf(
  { files, locks, take, sync }: SimulatedDisk,
  port: <T>(work: () => Promise<T>) => Promise<T>,
  owner: { readonly token: string },
  told: { readonly lives: (owner: object) => boolean; readonly durable: () => void },
): Disk {
  const missing = () => Object.assign(new Error('no such file'), { code: 'ENOENT' })
  const stored = (path: string): Stored => {
    const file = files.get(path)
    if (file === undefined) throw missing()
    return file
  }
  const handle = (path: string, file: Stored): DiskFile => ({
    write: (bytes, offset, length, position) =>
      port(async () => {
        const bytesWritten = take(length)
        const part = Buffer.from(bytes.subarray(offset, offset + bytesWritten))
        const size = Math.max(file.bytes.length, position + bytesWritten)
        const grown = Buffer.alloc(size)
        file.bytes.copy(grown)
        part.copy(grown, position)
        file.bytes = grown
        return { bytesWritten }
      }),
    datasync: () =>
      port(async () => {
        sync(file)
        // The kept declaration is a file of its own: its sync makes no entry of the journal durable.
        if (path.endsWith('.jsonl')) told.durable()
      }),
    truncate: (length) =>
      port(async () => {
        file.bytes = file.bytes.subarray(0, length)
      }),
    placeAt: (at) => port(async () => (files.get(at) === file ? 'same' : files.has(at) ? 'other' : 'missing')),
    close: () => port(async () => {}),
  })
  return {
    mkdir: (path) =>
      port(async () => {
        if (files.has(`${path}/`)) return undefined
        files.set(`${path}/`, { bytes: Buffer.alloc(0), synced: Buffer.alloc(0) })
        return path
      }),
    readdir: (path) =>
      port(async () =>
        [...files.keys()].filter((name) => name.startsWith(`${path}/`) && name !== `${path}/`).map((name) => name.slice(path.length + 1)),
      ),
    readFile: (path) => port(async () => stored(path).bytes),
    open: (path, flags) =>
      port(async () => {
        if (flags === 'wx') files.set(path, { bytes: Buffer.alloc(0), synced: Buffer.alloc(0) })
        return handle(path, stored(path))
      }),
    rename: (from, to) =>
      port(async () => {
        files.set(to, stored(from))
        files.delete(from)
      }),
    syncFolder: () => port(async () => {}),
    hasFreeFiles: () => port(async () => true),
    rm: (path) =>
      port(async () => {
        files.delete(path)
      }),
    lock: (path) =>
      port(async () => {
        const holder = locks.get(path)
        if (holder !== undefined && told.lives(holder)) throw new JournalInUse(`${path}: held`)
        locks.set(path, owner)
        const isFresh = () => locks.get(path) === owner
        return {
          isFresh,
          token: owner.token,
          async check() {
            if (!isFresh()) throw new JournalInUse(`${path}: taken over`)
          },
          async unlock() {
            if (isFresh()) locks.delete(path)
          },
        }
      }),
  }
}
