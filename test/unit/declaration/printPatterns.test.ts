import { expect, test } from 'vitest'
import type { GroupName, Key, Mapping, MappingId, ProjectIdentifier, Role } from '../../../src/core/mapping.ts'
import { patternComments, proposedPatterns } from '../../../src/declaration/printPatterns.ts'

const mapping = (group: string, project: string, role: string | null = 'member'): Mapping => ({
  id: `${group} ${project}` as MappingId,
  key: `acme/project/${project}/${group}` as Key,
  group: group as GroupName,
  target: { kind: 'project', project: project as ProjectIdentifier },
  role: role as Role,
})
const names = (...groups: string[]) => groups as GroupName[]
const globsOf = (mappings: readonly Mapping[], known: readonly string[]) =>
  proposedPatterns(mappings, [...mappings.map(({ group }) => group), ...names(...known)]).map(({ glob, adds }) => [glob, ...adds])

test('a glob for groups with one beginning, one target and one role, with the groups that it would add: none that has another rule there', () => {
  const mappings = [
    mapping('eng-web', 'ENG'),
    mapping('eng-db', 'ENG'),
    mapping('ops', 'ENG'),
    mapping('eng-ui', 'OPS'),
    mapping('eng-x', 'ENG', 'admin'),
  ]
  expect(globsOf(mappings, ['eng-web', 'eng-db', 'eng-interns', 'english', 'ops'])).toEqual([['eng-*', 'eng-interns', 'eng-ui']])
})

test('of globs for the same groups the one that adds least; also by a common end, and by the path of Keycloak', () => {
  const teams = [mapping('acme-eng-web', 'ENG'), mapping('acme-eng-db', 'ENG')]
  expect(globsOf(teams, ['acme-sales', 'acme-eng-x'])).toEqual([['acme-eng-*', 'acme-eng-x']])
  expect(globsOf([mapping('web-admins', 'ENG'), mapping('db-admins', 'ENG')], ['hr-admins'])).toEqual([['*-admins', 'hr-admins']])
  expect(globsOf([mapping('/eng/web', 'ENG'), mapping('/eng/db', 'ENG')], [])).toEqual([['/eng/*']])
})

test('nothing for one group, for a mapping without a role, and for names that a glob cannot say', () => {
  expect(globsOf([mapping('eng-web', 'ENG')], ['eng-x'])).toEqual([])
  expect(globsOf([mapping('eng-a', 'ENG', null), mapping('eng-b', 'ENG', null)], [])).toEqual([])
  expect(globsOf([mapping('eng-[a', 'ENG'), mapping('eng-*b', 'ENG')], [])).toEqual([])
})

test('a group that no directory has is not among those for which a glob stands', () => {
  const mappings = [mapping('eng-web', 'ENG'), mapping('eng-db', 'ENG'), mapping('eng-gone', 'ENG')]
  expect(proposedPatterns(mappings, names('eng-web', 'eng-db', 'eng-x'))).toMatchObject([
    { glob: 'eng-*', for: ['eng-web', 'eng-db'], adds: ['eng-x'] },
  ])
  expect(proposedPatterns(mappings, names('/eng/eng-web', '/eng/eng-db'))).toEqual([])
})

test('the comments: each line is one, whatever a group is called', () => {
  const evil = 'eng-\n- group: all\n  role: admin'
  const text = patternComments(
    proposedPatterns([mapping('eng-web', 'ENG'), mapping('eng-db', 'ENG')], names('eng-web', 'eng-db', 'eng-a', evil)),
  )
  expect(
    text
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('#')),
  ).toEqual([])
  expect(text).toContain('# - groupGlob: "eng-*" # for 2 groups above in ENG; adds 2 groups today: ')
  expect(text).toContain('#   project: ENG\n#   role: member\n')
  expect(patternComments([])).toBe('')
})
