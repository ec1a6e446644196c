import { describe, expect, test } from 'vitest'
import { bareId, idText, idWithPeople, partsOfId, peopleMost } from '../../../src/core/idWithPeople.ts'

const id = '0123456789abcdef0123456789abcdef'

describe('an ID with a number of people', () => {
  test.each([
    [id, { id }, -1],
    [`${id}:0`, { id, people: 0 }, 0],
    [`${id}:160`, { id, people: 160 }, 160],
    [`${id}:any`, { id, people: 'any' as const }, Number.POSITIVE_INFINITY],
  ])('%s is read, and written as it was', (text, parts, most) => {
    expect(partsOfId(text)).toEqual(parts)
    expect(idText(parts.id, 'people' in parts ? parts.people : undefined)).toBe(text)
    expect([bareId(text), peopleMost(text)]).toEqual([id, most])
    expect(idWithPeople(32).test(text)).toBe(true)
  })

  test.each(['', ':160', `${id}:`, `${id}:-1`, `${id}:1.5`, `${id}:all`, `${id}:1:2`, id.slice(1), id.toUpperCase()])(
    'no person may give "%s"',
    (text) => expect(idWithPeople(32).test(text)).toBe(false),
  )
})
