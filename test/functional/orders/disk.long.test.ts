import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Answered } from '../../../src/orders/hand.ts'
import { canMount } from '../canMount.ts'

const program = fileURLToPath(new URL('programs/troubled.ts', import.meta.url))

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orders-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

type Seen = {
  readonly refused: readonly string[]
  readonly orders: readonly string[]
  readonly during?: Answered
  readonly meanwhile: Answered
  readonly after?: Answered
}

function seenBy(kind: string, wrap: readonly string[] = [], options: { readonly uid?: number } = {}): Seen {
  const [file, ...args] = [...wrap, process.execPath, program, kind, folder]
  const { stdout, stderr, status } = spawnSync(file, args, { ...options, encoding: 'utf8', timeout: 40_000 })
  if (status !== 0) throw new Error(`the program ended with ${status}:\n${stdout}\n${stderr}`)
  return JSON.parse(stdout) as Seen
}

/** Runs the program on a small file system of its own, which only it and its children see. */
const ownDisk = () => ['unshare', '--mount', 'sh', '-c', `mount -t tmpfs -o size=64k tmpfs ${folder} && exec "$@"`, 'sh']
const isRoot = process.getuid?.() === 0

const missing: Answered = {
  kind: 'gone',
  why: 'the daemon took the order, but its answer is missing; its log may say more',
  wasTaken: true,
}
const unsaved = (why: string) => `${folder}/orders: an order was executed, but its answer cannot be saved: ${why}`
const room = 'make room on the volume of journal.folder'
const untaken = (why: string) => `${folder}/orders: ${why}. The daemon takes no orders until this is mended`
const notPlaced = (why: string): Answered => ({ kind: 'gone', why: `${folder}/orders: ${why}`, wasTaken: false })

test.runIf(canMount)('a full disk: both say so, and go on when it has room again', () => {
  const full = 'the disk is full, or its file system takes no further file'
  const { refused, orders, during, meanwhile, after } = seenBy('full', ownDisk())
  expect([refused, orders]).toEqual([[unsaved(full)], ['during', 'after']])
  expect([during, meanwhile, after]).toEqual([missing, notPlaced(`${full}; ${room}`), { kind: 'answered', answer: 'after' }])
})

test.runIf(canMount)('a disk that becomes read-only: the asker says so, and the daemon goes on when it can be written again', () => {
  const readOnly = 'the file system is read-only'
  const { refused, orders, during, meanwhile, after } = seenBy('readOnly', ownDisk())
  expect([refused, orders]).toEqual([[], ['during', 'after']])
  expect([during, meanwhile, after]).toEqual([
    { kind: 'answered', answer: 'during' },
    notPlaced(`${readOnly}; mount it for writing, and look in the log of the system whether a disk fails`),
    { kind: 'answered', answer: 'after' },
  ])
})

test('too many open files: both say so, and go on when there are fewer', () => {
  const many = 'too many files are open'
  const { refused, orders, meanwhile, after } = seenBy('manyFiles', ['bash', '-c', 'ulimit -n 200; exec "$@"', 'bash'])
  expect([refused, orders]).toEqual([
    [unsaved(many), untaken(many)],
    ['during', 'after'],
  ])
  expect([meanwhile, after]).toEqual([notPlaced(many), { kind: 'answered', answer: 'after' }])
})

const uid = 65_534
const asDaemon = 'an order needs the account of the daemon: run the command as that account'

test.runIf(isRoot)('a folder of the journal that this account may not write', async () => {
  await chmod(folder, 0o555)
  const { refused, orders, meanwhile } = seenBy('none', [], { uid })
  const why = `this account may not write it; ${asDaemon}; if that is this one, let it write into the folder of the journal`
  expect([refused, orders, meanwhile]).toEqual([[untaken(why)], [], notPlaced(why)])
})

test.runIf(isRoot)('a folder of another account: nobody is told to delete what may be orders', async () => {
  await mkdir(`${folder}/orders`, { mode: 0o700 })
  await chown(folder, uid, uid)
  const { refused, orders, meanwhile } = seenBy('none', [], { uid })
  const why = `this folder belongs to account 0 (mode 0700), and this process may not use it; ${asDaemon}; if that is this one, find out who made the folder and move it away: the program makes it again`
  expect([refused, orders, meanwhile]).toEqual([[untaken(why)], [], notPlaced(why)])
})

test.runIf(isRoot)('a folder of this account with a wrong mode is mended', async () => {
  await mkdir(`${folder}/orders`)
  await chmod(`${folder}/orders`, 0o500)
  await chown(`${folder}/orders`, uid, uid)
  await chown(folder, uid, uid)
  expect(seenBy('none', [], { uid })).toMatchObject({ refused: [], orders: ['meanwhile'] })
})
