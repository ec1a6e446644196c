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

test('a declaration that is valid again is logged once', () => {
  const { lines, events } = opened()
  events.onDeclaration(true, 'a')
  expect(lines).toEqual([])
  // A last valid declaration is in use, so each cycle has a report. The log of that report contains the mistake, so it is not logged here.
  events.onDeclaration(false, 'a', 'groups.yaml:1:1: unknown key')
  events.onDeclaration(false, 'a', 'groups.yaml:1:1: unknown key')
  expect(lines).toEqual([])
  events.onDeclaration(true, 'a')
  events.onDeclaration(true, 'b')
  expect(lines).toEqual(['info: the declaration is valid again, and is in use'])
})

test('an invalid declaration without a last valid one has its consequence, in the first line and at each cycle', () => {
  const { lines, events } = opened()
  events.onDeclaration(false, '', 'groups.yaml:1:1: unknown key')
  events.onDeclaration(false, '', 'groups.yaml:1:1: unknown key')
  expect(lines).toEqual([`error: ${none}: groups.yaml:1:1: unknown key`])
  events.onDeclaration(true, 'a')
  expect(lines.slice(1)).toEqual(['info: the declaration is valid again, and is in use'])
  const invalid = new InvalidDeclaration(invalidFiles([problemOfFile('groups.yaml', 'it is broken')]), 'groups')
  expect(thrownText(invalid)).toBe(`this cycle ended without a report, because ${none}; the next one tries again`)
})

test('another cycle that threw says only that', () => {
  expect(thrownText(new Error('no'))).toBe('this cycle ended without a report; the next one tries again')
})
