import { describe, expect, test } from 'vitest'
import { mappingsAndProjects, mayNameProjects } from '../../../src/core/existing.ts'
import type { List, Mapping } from '../../../src/core/mapping.ts'
import type { Reading } from '../../../src/core/reading.ts'
import { complete, failed, mapping, partial, pattern, projectsOf, rule, type SmallWorld, seenOf, target } from './smallWorld.ts'

describe('the list of projects is read', () => {
  const unmanaged = (where?: string) => {
    const { groups, because } = rule('legacy', 'workspace', 'guest')
    return [{ groups, because, ...(where === undefined ? {} : { target: target(where) }) }]
  }
  const everywhere = [rule('devs', 'workspace', 'member'), rule('devs', '*', 'member')]
  const captured = { kind: 'captured', capture: 'app', map: new Map() } as const
  test.each<[string, SmallWorld, boolean]>([
    ['if one of the rules names a project', { rules: [...everywhere, rule('devs', 'ENG', 'member')] }, true],
    [
      'if a rule may name one by a capture',
      { rules: [...everywhere, pattern('(?<app>.*)-team', 'workspace', 'guest', { target: captured })] },
      true,
    ],
    ['if a removal names one', { removed: ['* devs', 'ENG devs'] }, true],
    ['if an unmanaged entry names one', { unmanaged: [...unmanaged(), ...unmanaged('ENG')] }, true],
    [
      'not for the workspace and all projects',
      { rules: everywhere, removed: ['workspace devs', '* devs'], unmanaged: [...unmanaged(), ...unmanaged('workspace')] },
      false,
    ],
    ['not for an empty declaration', {}, false],
  ])('%s', (_when, world, expected) => expect(mayNameProjects(seenOf(world).declared)).toBe(expected))
})

describe('the mappings that were read', () => {
  const [one, two] = [mapping('ENG devs guest', 1), mapping('workspace devs guest', 2)]
  test('are those of complete and of partial lists; a list that failed has none', () => {
    const projects = complete(projectsOf('ENG'))
    const read = (second: Reading<readonly Mapping[]>) =>
      mappingsAndProjects({
        lists: new Map<List, Reading<readonly Mapping[]>>([
          ['projectRoles', complete([one])],
          ['workspaceRoles', second],
        ]),
        projects,
      })
    expect(read(partial([two]))).toEqual({ existing: [one, two], projects })
    expect(read(failed)).toEqual({ existing: [one], projects })
  })
  test('come without projects if no projects were read', () => {
    expect(mappingsAndProjects({ lists: new Map() })).toStrictEqual({ existing: [] })
  })
})
