import { expect, test } from 'vitest'
import { changedProjectFinding, changedProjectText } from '../../../src/core/findings/missingProjects.ts'
import type { ProjectChanged } from '../../../src/core/hold.ts'
import type { ProjectIdentifier } from '../../../src/core/mapping.ts'

const changed = (replaced: boolean, called?: string): ProjectChanged => ({
  kind: 'projectChanged',
  project: 'ENG' as ProjectIdentifier,
  replaced,
  pass: 'c0ffee',
  ...(called === undefined ? {} : { called: called as ProjectIdentifier }),
})

test.each([
  ['renamed', changed(false, 'ENGX'), ['project ENG is called ENGX now', 'write ENGX instead of ENG in the file']],
  [
    'gone',
    changed(false),
    [
      'project ENG is gone, or the owner of the credential cannot see it any more',
      'remove it from the file, or add the owner of the credential to the project',
    ],
  ],
  [
    'swapped',
    changed(true, 'OPS'),
    [
      'identifier ENG belongs to another project now; the project that had it is called OPS',
      'if the old project is meant, write OPS in the file; if the new one is meant: apply --allow c0ffee',
    ],
  ],
  [
    'made again',
    changed(true),
    [
      'identifier ENG belongs to another project now; the project that had it is gone, or the owner of the credential cannot see it',
      'if the old project is meant, write its current identifier in the file; if the new one is meant: apply --allow c0ffee',
    ],
  ],
])('a project that was %s is told with what to do, at the place of the text', (_how, reason, [sentence, cure]) => {
  expect(changedProjectText(reason, 'any')).toEqual({ sentence, cure })
  const because = { at: { file: 'groups.yaml', line: 3, column: 5 } }
  expect(changedProjectFinding({ because, reason }, 'any')).toEqual({
    code: 'project-changed',
    severity: 'warning',
    place: 'groups.yaml:3:5',
    sentence,
    cure,
  })
})
