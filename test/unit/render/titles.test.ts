import { expect, test } from 'vitest'
import { canvasOf } from '../../../src/render/canvas.ts'
import { plansText } from '../../../src/render/plansText.ts'
import { titleLines } from '../../../src/render/title.ts'
import { widthOf } from '../../../src/render/width.ts'
import { at, create, everyOutcome, inSet, sixDeletes, view } from './sample.ts'

const many = Array.from({ length: 60 }, (_, index) => create(`P${index}`, `group-${index}`, 'member', at(`a.yaml:${index}`)))
const protectedOne = create('ENG', 'leads', 'admin', { ...at('a.yaml:1'), allowProtected: true })

/** Lines that begin a section, and the lines into which they are broken. */
const titles = (text: string) => text.split('\n').filter((line) => /^\S/.test(line))

test.each([40, 60])('no title of a section is wider than %i columns', (width) => {
  const options = { colour: false, width }
  for (const text of [
    plansText([view({ changes: [protectedOne, ...many] })], options),
    plansText([view({ changes: many, holds: inSet([protectedOne, ...many], sixDeletes) })], options),
    plansText([view({ changes: many }, { applied: everyOutcome })], options),
  ]) {
    for (const title of titles(text)) expect(widthOf(title), title).toBeLessThanOrEqual(width)
  }
})

test('a broken title is indented, so that its second line is no title', () => {
  const text = plansText([view({ changes: [protectedOne] })], { colour: false, width: 60 })
  expect(text).toContain('\n1 protected role, approved in the file (allowProtected);\n  will be applied\n')
})

test('a title that just fits has one line', () => {
  const canvas = canvasOf({ colour: false, width: 40 }, 0)
  const after = ', with its end'
  const title = `${'title '.repeat(4)}ab`
  expect(widthOf(title + after)).toBe(40)
  expect(titleLines('bold', title, canvas, after)).toEqual([title + after])
  expect(titleLines('bold', `${title}c`, canvas, after)).toHaveLength(2)
})
