import { expect, test } from 'vitest'
import type { Revision } from '../../../src/core/revision.ts'
import { declarationText, revisionText } from '../../../src/render/revision.ts'

const id = '4f2c91e0'.repeat(5)

test.each<readonly [Revision, string]>([
  [{ kind: 'commit', id }, 'commit 4f2c91e'],
  [{ kind: 'editedAfter', id }, 'edited after 4f2c91e'],
  [{ kind: 'said', id, by: '.revision' }, '4f2c91e, said by .revision'],
  [{ kind: 'said', id, by: 'link' }, '4f2c91e, said by the link of git-sync'],
])('%j is said as %s', (revision, text) => {
  expect(revisionText(revision)).toBe(text)
})

test('the hash and the commit stand beside each other, and a commit that is not known is not there', () => {
  const declaration = { hash: '7c1e22b0', files: 14 }
  const code = (hash: string) => `\`${hash}\``
  expect(declarationText({ ...declaration, revision: { kind: 'commit', id } }, code)).toBe('`7c1e22b` (14 files, commit 4f2c91e)')
  expect(declarationText({ ...declaration, files: 1 }, code)).toBe('`7c1e22b` (1 file)')
})
