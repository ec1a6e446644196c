import { expect, test } from 'vitest'
import { planMarkdown } from '../../../src/render/markdown.ts'
import { unsizedText } from '../../../src/render/people.ts'
import { plansText } from '../../../src/render/plansText.ts'
import { people } from '../bounds.ts'
import { at, corp, create, held, view } from './sample.ts'

const of = (group: string, more: object = {}) => create('ENG', group, 'member', { ...at('a.yaml:1', { directory: 'corp' }), ...more })
const many = (n: number) => Array.from({ length: n }, (_, index) => of(`g${index}`))

test('why rows have no number of people stands once, in text and Markdown', () => {
  const one = view({ changes: many(20), holds: [held(of('waits'), { kind: 'suspended', what: 'all' })] })
  const sentence = 'corp does not say how many people are in the groups of 21 changes; to see it, set directories.corp.people'
  const outputs = [plansText([one], { colour: false, width: 300 }), planMarkdown([one])]
  for (const output of outputs) expect(output.split(sentence)).toHaveLength(2)
})

test('it is not said where each row has a number, where a finding says it, and of changes that no directory was asked about', () => {
  expect(unsizedText(view({ changes: [of('devs', { size: people(3) }), create('ENG', 'x', 'member')] }))).toBe('')
  expect(unsizedText(view({ changes: many(1) }, { directories: [] }))).toBe('')
  const finding = { code: 'people-unread', severity: 'warning', place: 'corp', sentence: 'no right' } as const
  expect(unsizedText(view({ changes: many(1), findings: [finding] }))).toBe('')
})

test('it says what to do, by the kind of the directory', () => {
  const text = unsizedText(view({ changes: many(1) }, { directories: [{ ...corp, kind: 'file' }] }))
  expect(text).toBe('corp does not say how many people are in the groups of 1 change; to see it, write people: or members: at its groups')
})
