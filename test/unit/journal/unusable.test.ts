import { constants } from 'node:os'
import { describe, expect, test } from 'vitest'
import { errorReport } from '../../../src/commands/errorReport.ts'
import { OperationalError } from '../../../src/core/operationalError.ts'
import { journalUnread, journalUnwritable, unusable } from '../../../src/journal/unusable.ts'

const failing = (code: string, path = '/state/lock.1') =>
  Object.assign(new Error(`${code}: said by the system, open '${path}'`), { code, path })
const roomy = { hasFreeFiles: async () => true }
const crowded = { hasFreeFiles: async () => false }

test.each([
  ['EEXIST', 'this is not a folder', /^set journal\.folder to a folder/],
  ['ENOTDIR', 'a part of this path is not a folder', /^set journal\.folder to a folder/],
  ['EACCES', 'this account may not write here', /^give the folder .* to the account/],
  ['EPERM', 'this account may not write here', /^give the folder .* to the account/],
  ['EROFS', 'the file system is read-only', /^mount it for writing/],
  ['ENOSPC', 'the disk is full', /^make room on the volume/],
  ['EDQUOT', 'the quota is used up', /^raise the quota/],
  ['EIO', 'the disk reports an error', /^use another volume/],
])('%s: %s, and the cure of just that', async (code, why, cure) => {
  const atStart = await unusable('/state', failing(code), roomy)
  if (!(atStart instanceof OperationalError)) throw new Error('not worded')
  expect([atStart.message, atStart.cure]).toEqual([`/state: no journal can be kept here: ${why}`, expect.stringMatching(cure)])
  const later = await journalUnwritable('/state', failing(code), roomy)
  expect([later.message, later.cure]).toEqual([`/state: the journal cannot be written (${code}: ${why})`, atStart.cure])
})

test.each(['EPERM', 'EOPNOTSUPP', 'ENOTSUP', 'ENOSYS', 'EMLINK'])(
  'a file system without hard links, which says %s, is called so',
  async (code) => {
    const error = await unusable('/state', Object.assign(failing(code), { syscall: 'link' }), roomy)
    expect(error).toMatchObject({
      message: '/state: no journal can be kept here: this file system has no hard links, which the lock of the journal needs',
      cure: expect.stringContaining('another file system'),
    })
  },
)

test('a file system without inodes is not called a full disk', async () => {
  const { message, cure } = await journalUnwritable('/state', failing('ENOSPC'), crowded)
  expect(message).toContain('takes no further file, because all its inodes are used')
  expect(cure).toContain('df -i')
  expect((await journalUnwritable('/state', failing('EROFS'), crowded)).message).toContain('read-only')
})

test('an account that may not read the journal is told so', async () => {
  expect(await journalUnread('/state', failing('EACCES'))).toMatchObject({
    message: expect.stringMatching(/^\/state: the journal cannot be read: this account \(\d+\) may not read it$/),
    cure: 'use the account that the daemon runs as',
  })
})

test('what is no error of the file system is returned as it is', async () => {
  const [other, worded] = [new TypeError('x'), new OperationalError('JournalDamaged', 'x')]
  for (const error of [other, worded]) {
    expect(await unusable('/state', error, roomy)).toBe(error)
    expect(await journalUnread('/state', error)).toBe(error)
  }
  expect((await journalUnwritable('/state', new Error('odd'), roomy)).message).toBe('/state: the journal cannot be written (Error: odd)')
})

describe.each(Object.keys(constants.errno))('%s', (code) => {
  test('never reaches a person as the system says it', async () => {
    const errors = [
      await unusable('/state', failing(code), roomy),
      await journalUnwritable('/state', failing(code), roomy),
      await journalUnread('/state', failing(code)),
    ]
    for (const error of errors) {
      expect(error).toBeInstanceOf(OperationalError)
      expect((error as OperationalError).cure).toMatch(/\w/)
      expect(errorReport(error).text).not.toMatch(/said by the system|\n\s+at /)
    }
  })
})
