import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { flowList, flowMap, yamlScalar } from '../../../src/render/yamlText.ts'

describe('a text in YAML', () => {
  test.each(['devs', 'a', '_x', 'team-pay', 'a.b', 'team-pay.devs-2.x_y', 'nobody', 'trues', 'untrue', 'e12a', 'ex', 'xe1', 'offline'])(
    '%s is as it is',
    (text) => {
      expect(yamlScalar(text)).toBe(text)
    },
  )

  test.each([
    ...['true', 'FALSE', 'yes', 'No', 'on', 'off', 'null', 'none', 'y', 'N', 'e1', 'E12', 'inf', 'nan'],
    ...['', '12', '1a', '-a', 'a b', 'a.', 'a..b', '.a', 'a: b', '#a', '*a', 'ä', 'a\nb', '"', 'a,b'],
  ])('%j is quoted', (text) => {
    expect(yamlScalar(text)).toBe(JSON.stringify(text))
    expect(parse(yamlScalar(text))).toBe(text)
  })

  test.each([
    ['a\u200Bb', '"a\\u200bb"'],
    ['\u2028', '"\\u2028"'],
    ['\u{E0001}', '"\\udb40\\udc01"'],
    ['\u00AD', '"\\u00ad"'],
  ])('the invisible characters of %j are escaped', (text, yaml) => {
    expect(yamlScalar(text)).toBe(yaml)
  })
})

test.each([
  [['a'], 'a'],
  [['no'], '"no"'],
  [['a', 'b c'], '[a, "b c"]'],
  [[], '[]'],
])('the list %j is %s', (texts, yaml) => {
  expect(flowList(texts)).toBe(yaml)
})

test('a map has its names and values in their order', () => {
  expect(
    flowMap([
      ['b', '1'],
      ['a', '[x, y]'],
    ]),
  ).toBe('{ b: 1, a: [x, y] }')
})
