import { expect, test } from 'vitest'
import { keyWithoutBlank } from '../../../src/yaml/cures.ts'

test.each([
  ['group:/design', 'group'],
  ['group:"design"', 'group'],
  ['role:member', 'role'],
  ['role:{capture:level}', 'role'],
  ['group: design', undefined],
  ['group:', undefined],
  ['https://plane.example.com', undefined],
  ['08:30', undefined],
  ['a b:c', undefined],
  [':member', undefined],
])('%s lacks a blank after the key %s', (text, key) => expect(keyWithoutBlank(text)).toBe(key))
