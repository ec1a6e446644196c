import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { filterFault } from '../../../src/directories/scim/filter.ts'

// The examples of RFC 7644, figure 2, and others of the same syntax.
test.each([
  'userName eq "bjensen"',
  'name.familyName co "O\'Malley"',
  'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"',
  'title pr',
  'meta.lastModified gt "2011-05-13T04:42:34Z"',
  'title pr and userType eq "Employee"',
  'title pr or userType eq "Intern"',
  'schemas eq "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"',
  'userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")',
  'userType ne "Employee" and not (emails co "example.com" or emails.value co "example.org")',
  'userType eq "Employee" and emails[type eq "work" and value co "@example.com"]',
  'displayName SW "plane-" AND NOT (displayName EW "-old")',
  'active eq true and level ge 3 and note eq null',
  'displayName eq "a \\"quoted\\" (name) [x]"',
])('%s is a filter', (text) => {
  expect(filterFault(text)).toBeUndefined()
})

test.each([
  ['', 'it is empty'],
  ['  ', 'it is empty'],
  ['displayName', 'a part of it'],
  ['displayName sw', 'a part of it'],
  ['displayName sw plane', 'a value is not in double quotes'],
  ["displayName sw 'plane'", 'a value is not in double quotes'],
  ['displayName sw “plane”', 'a value is not in double quotes'],
  ['displayName sw "plane', 'no quotation mark at its end'],
  ['displayName sw "\\x"', 'a wrong escape'],
  ['displayName starts "plane"', 'a part of it'],
  ['(displayName=plane*)', 'a word that is neither'],
  ['(displayName pr', 'its parentheses or brackets do not match'],
  ['emails[type eq "work"', 'its parentheses or brackets do not match'],
  ['displayName pr and', 'a part of it'],
  ['not displayName pr', 'a part of it'],
  ['displayName pr externalId pr', 'a part of it'],
])('%j is none: %s', (text, fault) => {
  expect(filterFault(text)).toContain(fault)
})

test('any text of its words is answered soon', () => {
  const word = fc.constantFrom('a', 'eq', '"x"', '(', ')', '[', ']', 'not', 'and', 'pr', '"', ' ')
  fc.assert(
    fc.property(fc.array(word, { maxLength: 600 }), (words) => {
      filterFault(words.join(' '))
    }),
  )
  expect(filterFault(`${'('.repeat(1_900)}a pr`)).toBe('its parentheses or brackets do not match')
})
