import { OperationalError } from '../core/operationalError.ts'
import type { Scrubber } from '../core/scrub.ts'

/**
 * All output has dots in the place of known secrets. In a file that people keep and the program reads again, dots would be another name or role.
 *
 * @param what the document, such as `groups/acme.yaml`
 * @throws {OperationalError} if the value of a known secret occurs in the document
 */
export function requireNoSecretIn(content: string, what: string, { scrub }: Pick<Scrubber, 'scrub'>): void {
  const shown = scrub(content)
  if (shown === content) return
  const after = shown.split('\n')
  const line = content.split('\n').findIndex((text, index) => text !== after[index]) + 1
  throw new OperationalError(
    'SecretInDocument',
    `${what}, line ${line}: the value of a secret occurs in a name there; nothing was written`,
    {
      cure: 'a secret that is also a word or a name is easy to guess: make another secret for this account, then begin again',
    },
  )
}
