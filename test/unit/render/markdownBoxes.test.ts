import { describe, expect, test } from 'vitest'
import { invalidBox, unreadBoxes } from '../../../src/render/markdown.ts'
import { about, corp, view } from './sample.ts'

const { declaration } = view()
const kept = (text: string) => view({}, { declaration: { ...declaration, kept: text, keptFiles: [{ file: 'groups.yaml', isUsed: true }] } })

test('the mistakes of a declaration stand once, each in a paragraph of at most 300 characters', () => {
  expect(invalidBox([view(), { about, failed: 'no' }])).toEqual([])
  const [box = '', ...more] = invalidBox([{ about, failed: 'no' }, view(), kept('first mistake\n\nsecond one'), kept('third')])
  expect(box).toBe(
    '> [!WARNING]\n> Invalid: groups.yaml. The last valid text stays in use.\n>\n> first mistake\n>\n> second one\n>\n> plane-group-sync validate shows what to correct',
  )
  expect(more).toEqual([])
  expect(invalidBox([kept('m'.repeat(2_000))]).join('')).toMatch(/\n> m{299}…$/)
})

describe('a directory that was not read whole', () => {
  const down = (n: number) =>
    Array.from({ length: n }, (_, index) => ({ ...corp, name: `corp-${index}`, status: 'failed' as const, why: 'refused' }))

  test('has a box with its cure in a paragraph of its own', () =>
    expect(unreadBoxes(down(1))).toEqual([
      '> [!WARNING]\n> corp-0 could not be read: refused\n>\n> Until corp-0 is read whole, existing mappings stay, new ones wait, and patterns may miss groups; repair this, then plan again',
    ]))

  test('has no cure if a person has stopped the reading', () =>
    expect(unreadBoxes(down(1).map((one) => ({ ...one, stopped: true })))).toEqual(['> [!WARNING]\n> corp-0 could not be read: refused']))

  test('is counted if five others have a box', () => {
    expect(unreadBoxes([])).toEqual([])
    expect(unreadBoxes(down(5))).toHaveLength(5)
    expect(unreadBoxes(down(6))).toEqual([...unreadBoxes(down(5)), '> [!WARNING]\n> 1 more directory could not be read whole'])
    expect(unreadBoxes(down(8)).at(-1)).toBe('> [!WARNING]\n> 3 more directories could not be read whole')
  })

  test('has sentences of at most 500 characters', () => {
    const long = (name: string, why: string) => unreadBoxes([{ ...corp, status: 'partial', name, why }])[0]?.split('\n') ?? []
    expect(long('corp', 'w'.repeat(1_000))[1]).toHaveLength('> '.length + 500)
    expect(long('c'.repeat(1_000), 'why')[3]).toHaveLength('> '.length + 500)
  })
})
