import { describe, expect, test } from 'vitest'
import type { Finding } from '../../../src/core/finding.ts'
import { foreignTwins, isNamedAsTwin, twinsFinding } from '../../../src/core/findings/otherWriters.ts'
import type { Key, Mapping, MappingId } from '../../../src/core/mapping.ts'
import type { LastApplied } from '../../../src/core/memory/lastApplied.ts'
import { acme, mapping } from './smallWorld.ts'

const atMs = Date.UTC(2026, 10, 22, 10, 0)
const keyOfGroup = (group: string) => `acme/project/ENG/${group}` as Key
const listed = (group: string, id: string): Mapping => ({ ...mapping(`ENG ${group} member`, 0), id: id as MappingId })
const applied = (group: string, made?: readonly string[], times: readonly number[] = [atMs]): LastApplied => ({
  key: keyOfGroup(group),
  declaration: 'd1',
  atMs: times,
  shownFromMs: 0,
  ...(made === undefined ? {} : { made }),
})
const twinsIn = (list: readonly Mapping[], ...lastApplied: readonly LastApplied[]) => [...foreignTwins([list], lastApplied).keys()]

describe('a key is a twin of another writer', () => {
  test('if the list has our mapping of it and one that is not ours', () =>
    expect(twinsIn([listed('devs', 'm1'), listed('devs', 'm2')], applied('devs', ['m1']))).toEqual([keyOfGroup('devs')]))
  test('also if the two stand in different lists', () =>
    expect([...foreignTwins([[listed('devs', 'm1')], [listed('devs', 'm2')]], [applied('devs', ['m1'])]).keys()]).toEqual([
      keyOfGroup('devs'),
    ]))
  test.each<[string, readonly Mapping[], LastApplied]>([
    ['only our mapping is there', [listed('devs', 'm1')], applied('devs', ['m1'])],
    ['only a mapping of others is there', [listed('devs', 'm2')], applied('devs', ['m1'])],
    ['both mappings are ours', [listed('devs', 'm1'), listed('devs', 'm2')], applied('devs', ['m1', 'm2'])],
    ['the other mapping has another key', [listed('devs', 'm1'), listed('ops', 'm2')], applied('devs', ['m1'])],
    ['no mapping of it is there', [listed('ops', 'm2')], applied('devs', ['m1'])],
    ['we made no mapping of it', [listed('devs', 'm1'), listed('devs', 'm2')], applied('devs')],
  ])('but not if %s', (_, list, last) => expect(twinsIn(list, last)).toEqual([]))
})

describe('the finding of twins', () => {
  const finding = (...all: readonly LastApplied[]) => twinsFinding(acme, new Map(all.map((one) => [one.key, one])))
  test('is absent if there are none', () => expect(finding()).toEqual([]))
  test('names the key, the time of our last write to it, and the way out', () => {
    const [only, ...others] = finding(applied('devs', ['m1'], [atMs - 2 * 86_400_000, atMs - 86_400_000, atMs]))
    expect(others).toEqual([])
    expect(only).toMatchObject({ code: 'another-writer', severity: 'error', place: 'acme' })
    expect(only?.sentence).toBe(
      '1 mapping of this program exists twice, and another writer made the second one: project/ENG/devs (made at 2026-11-22 10:00 UTC); nothing more is created in this workspace',
    )
    expect(only?.cure).toContain('look for a second plane-group-sync')
  })
  test('stays short if there are many', () => {
    const [only] = finding(...Array.from({ length: 12 }, (_, n) => applied(`g${n}`)))
    expect(only?.sentence).toMatch(/^12 mappings of this program exist twice/)
    expect(only?.sentence.match(/made at/g)).toHaveLength(10)
    expect(only?.sentence).toContain(' and 2 more; nothing more')
  })
  test('replaces the finding of the duplicate, and no other', () => {
    const twins = new Map([[keyOfGroup('devs'), applied('devs')]])
    const about = (code: Finding['code'], group: string) => ({ code, severity: 'warning', place: keyOfGroup(group), sentence: '' }) as const
    expect(isNamedAsTwin(about('duplicate-mapping', 'devs'), twins)).toBe(true)
    expect(isNamedAsTwin(about('duplicate-mapping', 'ops'), twins)).toBe(false)
    expect(isNamedAsTwin(about('glob-crosses-slash', 'devs'), twins)).toBe(false)
  })
})
