import { describe, expect, test } from 'vitest'
import { parseGroups } from '../../../src/directories/file.ts'
import { people } from '../bounds.ts'

const parse = (text: string) => parseGroups({ bytes: new TextEncoder().encode(text), file: 'groups.yaml' })

function problemsOf(text: string): string[] {
  const parsed = parse(text)
  return parsed.valid ? [] : parsed.problems.map(({ at, message }) => `${at.line}:${at.column} ${message}`)
}

describe('a group file', () => {
  test('lists groups, each with the line that it is on', () => {
    const text = [
      'groups:',
      '  - name: engineering',
      '    id: 6f1c',
      '    people: 63',
      '  - { name: "a/b, c", members: [anna, ben, anna] }',
      '  - name: ÜBER',
    ].join('\n')
    expect(parse(text)).toEqual({
      valid: true,
      groups: [
        { name: 'engineering', id: '6f1c', place: 'groups.yaml:2', size: people(63) },
        { name: 'a/b, c', id: 'a/b, c', place: 'groups.yaml:5', size: people(2) },
        { name: 'ÜBER', id: 'ÜBER', place: 'groups.yaml:6' },
      ],
      memberships: new Map([['a/b, c', { people: ['anna', 'ben'] }]]),
    })
  })

  test('may be JSON, and may be empty', () => {
    expect(parse('{"groups": [{"name": "a", "people": 0}]}')).toMatchObject({ valid: true, groups: [{ name: 'a', size: people(0) }] })
    expect(parse('groups: []\n')).toEqual({ valid: true, groups: [], memberships: new Map() })
  })

  test('keeps two groups of one name apart by their places', () => {
    expect(parse('groups:\n- name: a\n- name: a\n')).toMatchObject({ groups: [{ place: 'groups.yaml:2' }, { place: 'groups.yaml:3' }] })
  })

  test('gives groups of one name, which the claim cannot tell apart, the members of each other', () => {
    expect(parse('groups:\n- { name: a, members: [ann] }\n- { name: a, members: [ben, Ann] }\n')).toMatchObject({
      groups: [{ size: people(1) }, { size: people(2) }],
      memberships: new Map([['a', { people: ['ann', 'ben'] }]]),
    })
  })

  test.each(['{ name: a, people: 5 }', '{ name: a }'])(
    'does not know the members of groups of one name if one has no list: %s',
    (other) => {
      const list = '{ name: a, members: [ann] }'
      for (const [one, two] of [
        [list, other],
        [other, list],
      ])
        expect(parse(`groups:\n- ${one}\n- ${two}\n- { name: b, members: [ben] }\n`)).toMatchObject({
          memberships: new Map([['b', { people: ['ben'] }]]),
        })
    },
  )

  test('keeps an id that is the name of its own group', () => {
    expect(parse('groups:\n- { name: a, id: a }\n- { name: b, id: b }\n')).toMatchObject({ valid: true })
  })

  test.each([
    ['nothing', '', '1:1'],
    ['a null list', 'groups:\n', '1:8'],
    ['no list', 'groups: engineering\n', '1:9'],
    ['an unknown key', 'groups:\n- name: a\n  nmae: b\n', '3:3 unknown key "nmae"'],
    ['a number for a name', 'groups:\n- name: 2024\n', '2:9'],
    ['an empty name', 'groups:\n- name: ""\n', '2:9'],
    ['no name', 'groups:\n- id: x\n', '2:3'],
    ['a name of 256 characters', `groups:\n- name: ${'a'.repeat(256)}\n`, '2:9'],
    ['people and members', 'groups:\n- name: a\n  people: 1\n  members: [b]\n', '2:3'],
    ['an id twice', 'groups:\n- { name: a, id: x }\n- { name: b, id: x }\n', '3:18 the group in line 2 has the same id'],
    [
      'the name of another group as an id',
      'groups:\n- name: a\n- { name: b, id: a }\n',
      '3:18 this id is the name of a group without an id',
    ],
    ['a blank member', 'groups:\n- { name: a, members: [ann, " "] }\n', '2:29 a member must be a text with visible characters'],
    ['a member with a control character', 'groups:\n- { name: a, members: ["a\\0b"] }\n', '2:24 a member must be'],
    ['half a person', 'groups:\n- name: a\n  people: 1.5\n', '3:11'],
    ['a key twice', 'groups: []\ngroups: []\n', '2:1'],
    ['a directive', '%YAML 1.1\n---\ngroups: []\n', '1:1'],
    ['a tag', 'groups: !!seq []\n', '1:9'],
    ['an alias', 'groups: [{name: &a b}, {name: *a}]\n', '1:17'],
    ['a second document', 'groups: []\n---\ngroups: []\n', '2:1'],
    ['an open bracket', 'groups: [\n', ''],
  ])('%s is refused where it is', (_, text, place) => {
    expect(problemsOf(text)[0]).toMatch(new RegExp(`^${place}`))
  })

  test('all problems are told at once', () => {
    expect(problemsOf('groups:\n- name: 1\n- nam: a\n  name: b\n')).toHaveLength(2)
  })

  test.each([
    ['nested lists', '['.repeat(500_000)],
    ['aliases of aliases', `a: &a [${'x,'.repeat(50)}]\n${'b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n'.repeat(20)}groups: []\n`],
    ['two megabytes', `groups: []\n#${'x'.repeat(2_000_000)}\n`],
    ['what is not UTF-8', '\uFFFF'],
  ])('%s: refused, not crashed', (_, text) => {
    expect(parse(text).valid).toBe(false)
  })
})
