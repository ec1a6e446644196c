import type { mkdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { OperationalError } from '../../../src/core/operationalError.ts'
import { makeFolder } from '../../../src/journal/disk.ts'
import { unusable } from '../../../src/journal/unusable.ts'

const failing = (code: string) => Object.assign(new Error(`${code}: of the system`), { code })

/** A `mkdir` like that of Node. The folders `existing` exist. In one of these folders it fails with the code `reason`, elsewhere with ENOENT. */
function disk(existing: readonly string[], reason: string) {
  const make = (path: string) => {
    if (existing.includes(path)) return Promise.reject(failing('EEXIST'))
    const parent = path.slice(0, path.lastIndexOf('/')) || '/'
    return Promise.reject(failing(existing.includes(parent) ? reason : 'ENOENT'))
  }
  return make as unknown as typeof mkdir
}

const options = { recursive: true, mode: 0o700 } as const
const resultOf = (make: typeof mkdir) => makeFolder('/mnt/state/journal', options, make).then(String, (error: Error) => error)

test.each([
  ['EROFS', 'the file system is read-only'],
  ['EACCES', 'this account may not write here'],
  ['ENOSPC', 'the disk is full'],
  ['ENOENT', 'the folder or a file in it does not exist: it cannot be made, or it disappeared meanwhile'],
])('a folder that cannot be made for %s: %s', async (code, why) => {
  const error = await unusable('/mnt/state/journal', await resultOf(disk(['/', '/mnt'], code)), { hasFreeFiles: async () => true })
  expect(error).toBeInstanceOf(OperationalError)
  expect((error as OperationalError).message).toBe(`/mnt/state/journal: no journal can be kept here: ${why}`)
  expect((error as OperationalError).cure).toBeTruthy()
})

test('a disk on which nothing exists', async () => {
  expect(await resultOf(disk([], 'EROFS'))).toMatchObject({ code: 'ENOENT' })
})

test('the folders that are missing are made, the first of them is named, and what exists is none', async () => {
  const made: string[] = []
  const make = ((path: string) => {
    if (path === '/mnt') return Promise.reject(failing('EEXIST'))
    if (path !== '/mnt/state' && !made.includes('/mnt/state')) return Promise.reject(failing('ENOENT'))
    made.push(path)
    return Promise.resolve(undefined)
  }) as unknown as typeof mkdir
  expect(await resultOf(make)).toBe('/mnt/state')
  expect(made).toEqual(['/mnt/state', '/mnt/state/journal'])
})
