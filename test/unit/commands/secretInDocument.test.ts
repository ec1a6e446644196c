import { expect, test } from 'vitest'
import { requireNoSecretIn } from '../../../src/commands/secretInDocument.ts'
import { openScrubber } from '../../../src/core/scrub.ts'

test('a document in which a secret occurs is refused with its line, and never with the secret', () => {
  const secrets = openScrubber()
  secrets.add('admin')
  expect(() => requireNoSecretIn('groups:\n  - eng\n', 'groups/acme.yaml', secrets)).not.toThrow()
  expect(() => requireNoSecretIn('groups:\n  - eng-admins\n', 'groups/acme.yaml', secrets)).toThrow(
    'groups/acme.yaml, line 2: the value of a secret occurs in a name there; nothing was written',
  )
})
