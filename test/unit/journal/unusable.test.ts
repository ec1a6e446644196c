import { expect, test } from 'vitest'
import { OperationalError } from '../../../src/core/operationalError.ts'
import { journalUnwritable, unusable } from '../../../src/journal/unusable.ts'

const failing = (code: string) => Object.assign(new Error(`${code}: of the system`), { code })

test.each([
  ['EEXIST', 'this is not a folder', /^set journal\.folder to a folder/],
  ['ENOTDIR', 'a part of this path is not a folder', /^set journal\.folder to a folder/],
  ['EACCES', 'this account may not write here', /^give the folder .* to the account/],
  ['EPERM', 'this account may not write here', /^give the folder .* to the account/],
  ['EROFS', 'the file system is read-only', /^mount it for writing/],
  ['ENOSPC', 'the disk is full', /^make room on the volume/],
  ['EDQUOT', 'the quota is used up', /^raise the quota/],
])('%s: %s, and the cure of just that', (code, why, cure) => {
  const atStart = unusable('/state', failing(code))
  if (!(atStart instanceof OperationalError)) throw new Error('not worded')
  expect([atStart.message, atStart.cure]).toEqual([`/state: no journal can be kept here: ${why}`, expect.stringMatching(cure)])
  const later = journalUnwritable('/state', failing(code))
  expect([later.message, later.cure]).toEqual([`/state: the journal cannot be written (${code}: ${why})`, atStart.cure])
})

test('any other error: as it is at the start, with its code later', () => {
  const other = failing('EIO')
  expect(unusable('/state', other)).toBe(other)
  const { message, cure } = journalUnwritable('/state', other)
  expect([message, cure]).toEqual(['/state: the journal cannot be written (EIO)', 'make room, or check the rights of journal.folder'])
  expect(journalUnwritable('/state', new Error('odd')).message).toBe('/state: the journal cannot be written (Error: odd)')
})
