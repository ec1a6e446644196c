import { expect, test } from 'vitest'
import { configurationEvents, thrownText } from '../../../src/daemon/configuration.ts'
import { InvalidDeclaration } from '../../../src/settings/declared.ts'
import { invalidFiles } from '../../../src/yaml/frame.ts'
import { problemOfFile } from '../../../src/yaml/problem.ts'

function opened() {
  const lines: string[] = []
  const sink = (level: string) => (_fields: object, message: string) => void lines.push(`${level}: ${message}`)
  const log = { info: sink('info'), warn: sink('warn'), error: sink('error') }
  return { lines, events: configurationEvents(log, { observeConfiguration: () => undefined }, 's') }
}

const none =
  'the declaration is invalid, and there is no last valid one; nothing is written or revoked, and this process is not ready, until it is valid'

const a = { hash: 'aaaaaaaaaa', files: 1 }
const unknownKey = 'groups.yaml:1:1: unknown key'

test('a declaration that is used, another one, another commit, and one that is valid again, are logged once', () => {
  const { lines, events } = opened()
  events.onDeclaration(a)
  events.onDeclaration(a)
  expect(lines).toEqual(['info: the declaration is in use: aaaaaaa (1 file)'])
  // A last valid declaration is in use, so each cycle has a report. The log of that report contains the mistake, so it is not logged here.
  events.onDeclaration({ ...a, kept: unknownKey })
  events.onDeclaration({ ...a, kept: unknownKey })
  expect(lines).toHaveLength(1)
  events.onDeclaration(a)
  events.onDeclaration({ ...a, revision: { kind: 'editedAfter', id: '4f2c91e0c0'.repeat(4) } })
  events.onDeclaration({ ...a, revision: { kind: 'commit', id: '1234567890'.repeat(4) } })
  events.onDeclaration({ hash: 'bbbbbbbbbb', files: 2 })
  expect(lines.slice(1)).toEqual([
    'info: the declaration is valid again, and is in use: aaaaaaa (1 file)',
    'info: the declaration is in use: aaaaaaa (1 file, edited after 4f2c91e)',
    'info: the declaration is in use: aaaaaaa (1 file, commit 1234567)',
    'info: the declaration is in use: bbbbbbb (2 files)',
  ])
})

test('an invalid declaration without a last valid one has its consequence, in the first line and at each cycle', () => {
  const { lines, events } = opened()
  events.onDeclaration({ hash: '', files: 0, kept: unknownKey })
  events.onDeclaration({ hash: '', files: 0, kept: unknownKey })
  expect(lines).toEqual([`error: ${none}: ${unknownKey}`])
  events.onDeclaration(a)
  expect(lines.slice(1)).toEqual(['info: the declaration is valid again, and is in use: aaaaaaa (1 file)'])
  const invalid = new InvalidDeclaration(invalidFiles([problemOfFile('groups.yaml', 'it is broken')]), 'groups')
  expect(thrownText(invalid)).toBe(`this cycle ended without a report, because ${none}; the next one tries again`)
})

test('another cycle that threw says only that', () => {
  expect(thrownText(new Error('no'))).toBe('this cycle ended without a report; the next one tries again')
})
