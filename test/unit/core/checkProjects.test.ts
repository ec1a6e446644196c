import { describe, expect, test } from 'vitest'
import type { ProjectIdentifier, ProjectIndex, WorkspaceName } from '../../../src/core/mapping.ts'
import { type MeantIds, withLearned, withMeantIds } from '../../../src/core/memory/meantIds.ts'
import { emptyShardedMap, recordOf } from '../../../src/core/memory/shardedMap.ts'
import type { Reading } from '../../../src/core/reading.ts'
import {
  checkProjects,
  type NewProjectIds,
  newProjectIds,
  openRemembered,
  type ProjectMeaning,
} from '../../../src/core/resolve/projects.ts'
import type { TextHash } from '../../../src/core/rule.ts'
import { acme, complete, failed, hash, partial, projectsOf } from './smallWorld.ts'

type Look = {
  readonly ids: MeantIds
  readonly projects: readonly string[] | Reading<ProjectIndex> | undefined
  readonly waived?: boolean
}

const eng = 'ENG' as ProjectIdentifier
const readingOf = (projects: Look['projects']) =>
  projects === undefined || 'status' in projects ? projects : complete(projectsOf(...projects))
const checkOf = ({ ids, projects, waived = false }: Look) => checkProjects(readingOf(projects), { ids, hash, isWaived: () => waived })
/** The project that the text `a` means by ENG. */
const meaningOf = (look: Look): ProjectMeaning => checkOf(look)(eng, () => 'a' as TextHash)
const passOf = (...words: readonly unknown[]) => hash(JSON.stringify(['project', 'ENG', ...words])).slice(0, 32)

describe('a text that meant project 1 by ENG, where project 1', () => {
  const ids: MeantIds = { ENG: { 1: ['a'], 2: ['b'] } }
  const current: ProjectMeaning = { kind: 'current' }
  const unconfirmed = (why: string): ProjectMeaning => ({
    kind: 'unconfirmed',
    reason: { kind: 'readingIncomplete', of: 'projects', why },
  })
  const changed = (pass: string, replaced: boolean, called?: string): ProjectMeaning => ({
    kind: 'changed',
    reason: {
      kind: 'projectChanged',
      project: eng,
      pass,
      replaced,
      ...(called === undefined ? {} : { called: called as ProjectIdentifier }),
    },
  })
  const renamed = changed(passOf('1', null, 'ENGX'), false, 'ENGX')
  const replaced = changed(passOf('1', '2', null), true)
  test.each<[string, Look['projects'], ProjectMeaning]>([
    ['may be anything, since the list was not asked for', undefined, current],
    ['is ENG', ['ENG=1', 'OPS=2'], current],
    ['is ENG in a partial list', partial(projectsOf('ENG=1')), current],
    ['was renamed', ['ENGX=1', 'OPS=2'], renamed],
    ['was renamed in a partial list', partial(projectsOf('ENGX=1')), renamed],
    ['was made again', ['ENG=2'], replaced],
    ['was made again in a partial list', partial(projectsOf('ENG=2')), replaced],
    ['was swapped', ['ENG=2', 'OPS=1'], changed(passOf('1', '2', 'OPS'), true, 'OPS')],
    ['is gone', ['OPS=2'], changed(passOf('1', null, null), false)],
    ['is not in a partial list', partial(projectsOf('OPS=2')), unconfirmed('page 3')],
    ['may be anything, since the list could not be read', failed, unconfirmed('cannot connect')],
  ])('%s', (_how, projects, expected) => {
    expect(meaningOf({ ids, projects })).toEqual(expected)
    expect(meaningOf({ ids, projects, waived: true })).toEqual(
      expected.kind === 'changed' ? { kind: 'waived', pass: expected.reason.pass } : expected,
    )
  })
  test('is ENG: the name of the text is not computed', () => {
    const unasked = () => {
      throw new Error('asked')
    }
    expect(checkOf({ ids: {}, projects: ['ENG=1'] })(eng, unasked)).toEqual(current)
    expect(checkOf({ ids: { ENG: { 1: ['a'] } }, projects: ['ENG=1'] })(eng, unasked)).toEqual(current)
    expect(checkOf({ ids, projects: undefined })(eng, unasked)).toEqual(current)
  })
  test('is gone: other texts and other identifiers are not held', () => {
    const check = checkOf({ ids, projects: ['ENG=3'] })
    expect(check(eng, () => 'c' as TextHash)).toEqual(current)
    expect(check('OPS' as ProjectIdentifier, () => 'a' as TextHash)).toEqual(current)
  })
})

const mapValues = <T, U>(record: Readonly<Record<string, T>>, to: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)]))

describe('what is learned of ENG', () => {
  type Learning = Look & { readonly named?: string; readonly declared?: string }
  const learned = ({ named = '', declared = named, ...look }: Learning): NewProjectIds => {
    const texts = (names: string) => new Set(names.split(' ').filter((name) => name !== '') as TextHash[])
    return newProjectIds(look.ids, new Map([[eng, texts(named)]]), texts(declared), readingOf(look.projects), checkOf(look))
  }
  const inOrder = ({ ids, waived }: NewProjectIds): NewProjectIds => ({
    ids: mapValues(ids, (known) => mapValues(known, (texts) => texts.toSorted())),
    waived,
  })
  const before: MeantIds = { ENG: { 1: ['a', 'b'] } }
  test.each<[string, Learning, NewProjectIds['ids']]>([
    ['a first text', { ids: {}, named: 'a', projects: ['ENG=1'] }, { ENG: { 1: ['a'] } }],
    ['nothing new', { ids: before, named: 'a b', projects: ['ENG=1'] }, {}],
    ['nothing new, in another order', { ids: before, named: 'b a', projects: ['ENG=1'] }, {}],
    ['another text', { ids: before, named: 'a b c', projects: ['ENG=1'] }, { ENG: { 1: ['a', 'b', 'c'] } }],
    ['a text for another', { ids: before, named: 'a c', projects: ['ENG=1'] }, { ENG: { 1: ['a', 'c'] } }],
    ['a text that is no more', { ids: before, named: 'a', projects: ['ENG=1'] }, { ENG: { 1: ['a'] } }],
    ['a text that is declared, though nothing follows it', { ids: before, named: 'a', declared: 'a b', projects: ['ENG=1'] }, {}],
    [
      'a text of a project that is another one now',
      { ids: before, named: 'a b c', projects: ['ENG=2'] },
      { ENG: { 1: ['a', 'b'], 2: ['c'] } },
    ],
    ['no text of a project that is another one now', { ids: before, named: '', projects: ['ENG=2'] }, {}],
    ['texts of two projects, of which one is ENG', { ids: { ENG: { 1: ['a'], 2: ['b'] } }, named: 'a b', projects: ['ENG=2'] }, {}],
    ['a text of a project that is gone', { ids: before, named: 'a b c', projects: ['OPS=2'] }, {}],
    ['from a list that is not whole', { ids: before, named: 'a c', declared: 'a b c', projects: partial(projectsOf('ENG=1')) }, {}],
    ['from a list that failed', { ids: before, named: 'c', projects: failed }, {}],
    ['from no list', { ids: before, named: 'c', projects: undefined }, {}],
  ])('%s', (_what, learning, ids) => {
    expect(inOrder(learned(learning))).toEqual({ ids, waived: [] })
    expect(learned({ ...learning, ids: withMeantIds(learning.ids, ids) }).ids).toEqual({})
  })
  test.each<[string, readonly string[], NewProjectIds]>([
    ['the project of today', ['ENG=2'], { ids: { ENG: { 2: ['a', 'b', 'c'] } }, waived: [passOf('1', '2', null)] }],
    ['no project any more', ['OPS=9'], { ids: { ENG: {} }, waived: [passOf('1', null, null), passOf('2', null, null)] }],
  ])('a waiver says that %s is meant', (_what, projects, expected) => {
    const ids = { ENG: { 1: ['a', 'b'], 2: ['c'] } }
    expect(inOrder(learned({ ids, named: 'a b c', projects, waived: true }))).toEqual(expected)
  })
})

test('what is learned of one workspace is kept beside the rest', () => {
  const other = 'other' as WorkspaceName
  const first = withLearned(emptyShardedMap, { workspace: acme, ids: { ENG: { 1: ['a'] } } })
  const second = withLearned(first, { workspace: other, ids: { ENG: { 9: ['z'] } } })
  const third = withLearned(second, { workspace: acme, ids: { OPS: { 2: ['b'] } } })
  expect(recordOf(third)).toEqual({ acme: { ENG: { 1: ['a'] }, OPS: { 2: ['b'] } }, other: { ENG: { 9: ['z'] } } })
  expect(recordOf(withLearned(third, { workspace: acme, ids: { ENG: {} } }))).toEqual({
    acme: { OPS: { 2: ['b'] } },
    other: { ENG: { 9: ['z'] } },
  })
})

test('a project is remembered for a text only while the text is declared', () => {
  const remembered = openRemembered(
    { ENG: { 1: ['a', 'b'], 2: ['c'] }, OPS: { 3: ['d'] } },
    () => new Set(['b', 'e'] as unknown as readonly TextHash[]),
  )
  expect(['ENG', 'OPS', 'WEB'].map((project) => remembered(project as ProjectIdentifier))).toEqual([true, false, false])
})
