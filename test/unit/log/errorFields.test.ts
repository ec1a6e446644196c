import { expect, test } from 'vitest'
import { errorText } from '../../../src/core/errorText.ts'
import { OperationalError } from '../../../src/core/operationalError.ts'
import { DirectoryError } from '../../../src/directories/directoryError.ts'
import { errorFields } from '../../../src/log/logger.ts'

test('an error in a log shows no credentials of an address, neither in its message nor in its causes or stack', () => {
  const cause = new Error('no answer of https://u:SECRET@host')
  for (const error of [new Error('cannot reach https://u:SECRET@host', { cause }), new TypeError('https://u:SECRET@host is no address')]) {
    const text = JSON.stringify(errorFields(error)) + errorText(error)
    expect(text).toContain('https://•••@host')
    expect(text).not.toContain('SECRET')
  }
})

test('an error with words for people shows its type, its code where it is another word, its cure and causes, and no stack', () => {
  const cause = new Error('the disk is full', { cause: new Error('ENOSPC') })
  expect(errorFields(new OperationalError('ListUnread', 'no list', { cure: 'ask again', cause }))).toStrictEqual({
    type: 'ListUnread',
    message: 'no list',
    cure: 'ask again',
    causes: ['the disk is full', 'ENOSPC'],
  })
  expect(errorFields(new DirectoryError('rights', 'no right'))).toStrictEqual({
    type: 'DirectoryError',
    message: 'no right',
    code: 'rights',
  })
  expect(errorFields(new Error('a defect'))).toStrictEqual({ type: 'Error', message: 'a defect', stack: expect.any(String) as string })
})
