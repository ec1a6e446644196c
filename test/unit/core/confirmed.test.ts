import { describe, expect, test } from 'vitest'
import type { List, WorkspaceName } from '../../../src/core/mapping.ts'
import { confirmedService } from '../../../src/core/memory/confirmed.ts'
import type { Entry } from '../../../src/core/memory/entry.ts'
import { emptyMemory, type Memory, remember } from '../../../src/core/memory/memory.ts'
import { reopened } from '../journal/reopened.ts'
import { acme, changeOf } from './smallWorld.ts'

const stamp = { atMs: 10, run: 'r' }
const about = { ...stamp, workspace: acme, declaration: 'd1' }
const change = changeOf('create ENG a = member')
const labs = 'labs' as WorkspaceName

const from = (memory: Memory, ...entries: readonly Entry[]): Memory => entries.reduce((sofar, entry) => remember(sofar, entry, 100), memory)
const past = (...entries: readonly Entry[]) => from(emptyMemory, ...entries)
const start = (host: string, slugs: Readonly<Record<string, string>>): Entry => ({
  ...stamp,
  ...{ kind: 'start', version: '1', command: 'run', waits: 'no' },
  service: { host, slugs },
})
const end: Entry = { ...stamp, kind: 'end' }
const reading = (of: string): Entry => ({ ...stamp, kind: 'reading', of, size: 0 })
const list = (workspace: WorkspaceName, of: List): Entry => ({ ...stamp, kind: 'mappings', workspace, list: of, ids: {} })

const wrong = start('wrong.example.com', { acme: 'acne', labs: 'labs' })
const right = start('plane.example.com', { acme: 'acme', labs: 'labs' })
const acmeConfirmed = { host: 'plane.example.com', slugs: { acme: 'acme' } }

describe('the service that a journal belongs to', () => {
  test.each<[string, Entry]>([
    ['the size of a directory', reading('corp')],
    ['a clean end', end],
    ['new ids of groups', { ...stamp, kind: 'groups', ids: { 'corp/a': '1' } }],
  ])('is not bound by a start and %s', (_what, entry) => {
    expect(confirmedService(past(right, entry))).toBeUndefined()
    const memory = past(wrong, entry, end, right)
    expect(confirmedService(memory)).toBeUndefined()
    expect(memory.service).toEqual({ host: 'plane.example.com', slugs: { acme: 'acme', labs: 'labs' } })
  })

  test.each<[string, Entry]>([
    ['a whole list', list(acme, 'projectRoles')],
    ['the other list', list(acme, 'workspaceRoles')],
    ['an intent', { ...about, kind: 'intent', change }],
    ['a result', { ...about, kind: 'result', change, outcome: { kind: 'done' } }],
    ['a waiver', { ...about, kind: 'waiver', fingerprint: 'f', passes: ['p'], by: 'ann', source: '--allow' }],
    ['ids of projects', { ...stamp, kind: 'projects', workspace: acme, ids: {} }],
    ['ids of groups that its texts mean', { ...stamp, kind: 'groups', ids: {}, meant: { workspace: acme, ids: {} } }],
  ])('is bound by %s, for the workspace that it is about, and after a restart', (_what, entry) => {
    const memory = past(right, entry)
    expect(confirmedService(memory)).toEqual(acmeConfirmed)
    expect(confirmedService(reopened(memory))).toEqual(acmeConfirmed)
    // The other workspace may get another slug, for example because the first one was misspelt.
    const renamed = from(reopened(memory), end, start('plane.example.com', { acme: 'acme', labs: 'lab' }))
    expect(confirmedService(renamed)).toEqual(acmeConfirmed)
    expect(confirmedService(from(renamed, list(labs, 'projectRoles')))?.slugs).toEqual({ acme: 'acme', labs: 'lab' })
  })

  test('keeps a confirmed workspace that later settings no longer have', () => {
    const memory = past(right, list(acme, 'projectRoles'), end, start('plane.example.com', { labs: 'labs' }))
    expect(confirmedService(memory)).toEqual(acmeConfirmed)
    expect(memory.service?.slugs).toEqual({ acme: 'acme', labs: 'labs' })
  })

  test('drops an unconfirmed workspace that later settings no longer have', () => {
    expect(past(wrong, end, start('plane.example.com', { labs: 'labs' })).service).toEqual({
      host: 'plane.example.com',
      slugs: { labs: 'labs' },
    })
  })

  describe('is bound by a workspace that an edit of the settings added after the start', () => {
    const edited: Entry = { ...stamp, kind: 'service', service: { host: 'plane.example.com', slugs: { acme: 'acme', labs: 'labs' } } }
    const added = past(start('plane.example.com', { labs: 'labs' }), list(labs, 'projectRoles'), edited)

    test.each<[string, Entry]>([
      ['a whole list', list(acme, 'projectRoles')],
      ['ids of projects, without the size of a list', { ...stamp, kind: 'projects', workspace: acme, ids: {} }],
    ])('with its slug, after %s', (_what, entry) => {
      const bound = { host: 'plane.example.com', slugs: { acme: 'acme', labs: 'labs' } }
      expect(confirmedService(from(added, entry))).toEqual(bound)
      const other = from(reopened(from(added, entry)), end, start('plane.example.com', { labs: 'labs' }))
      expect(confirmedService(other)).toEqual(bound)
    })

    test('but not before an answer of it: until then its slug can be corrected', () => {
      expect(confirmedService(added)?.slugs).toEqual({ labs: 'labs' })
      const corrected: Entry = {
        ...stamp,
        kind: 'service',
        service: { host: 'plane.example.com', slugs: { acme: 'acme-1', labs: 'labs' } },
      }
      expect(confirmedService(from(added, corrected, list(acme, 'projectRoles')))?.slugs).toEqual({ acme: 'acme-1', labs: 'labs' })
    })

    test('and not by a size that the journal has of it from an older version, which did not store its slug', () => {
      const older = past(start('plane.example.com', { labs: 'labs' }), list(labs, 'projectRoles'), list(acme, 'projectRoles'))
      const wrongSlug = from(older, end, start('plane.example.com', { acme: 'acne', labs: 'labs' }))
      expect(confirmedService(wrongSlug)?.slugs).toEqual({ labs: 'labs' })
      expect(confirmedService(from(wrongSlug, end, right, list(acme, 'projectRoles')))?.slugs).toEqual({ acme: 'acme', labs: 'labs' })
    })
  })

  test('is bound as a whole in the file of an older version, which does not say what is confirmed', () => {
    const { unconfirmed: _, ...older } = past(right)
    expect(confirmedService({ ...older, unconfirmed: emptyMemory.unconfirmed })).toEqual({
      host: 'plane.example.com',
      slugs: { acme: 'acme', labs: 'labs' },
    })
  })
})
