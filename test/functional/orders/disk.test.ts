import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
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
const untaken = (why: string) => `${folder}/orders: ${why}. The daemon takes no orders until this is mended`
const notPlaced = (why: string): Answered => ({ kind: 'gone', why: `${folder}/orders: ${why}`, wasTaken: false })

test.runIf(canMount)('a full disk: both say so, and go on when it has room again', () => {
  const full = 'the disk is full, or its file system takes no further file'
  const { refused, orders, during, meanwhile, after } = seenBy('full', ownDisk())
  expect([refused, orders]).toEqual([[unsaved(full)], ['during', 'after']])
  expect([during, meanwhile, after]).toEqual([missing, notPlaced(full), { kind: 'answered', answer: 'after' }])
})

test.runIf(canMount)('a disk that becomes read-only: the asker says so, and the daemon goes on when it can be written again', () => {
  const readOnly = 'the file system is read-only'
  const { refused, orders, during, meanwhile, after } = seenBy('readOnly', ownDisk())
  expect([refused, orders]).toEqual([[], ['during', 'after']])
  expect([during, meanwhile, after]).toEqual([
    { kind: 'answered', answer: 'during' },
    notPlaced(readOnly),
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

test.runIf(isRoot)('a folder that this account may not write', async () => {
  await chmod(folder, 0o555)
  const { refused, orders, meanwhile } = seenBy('none', [], { uid: 65_534 })
  const why = 'this account may not write it'
  expect([refused, orders, meanwhile]).toEqual([[untaken(why)], [], notPlaced(why)])
})
