import { setImmediate } from 'node:timers/promises'
import { withoutSecretForms } from '../core/secretText.ts'
import { type DeclarationFiles, hashOf } from '../declaration/files.ts'

/** `why`: a file without limits has a secret. `fenced`: the files inside fences that have one. */
export type FoundSecrets = { readonly why?: string; readonly fenced: readonly string[] }

export const secretText = (file: string): string => `${file} contains a secret, or a text that looks like one. Remove it`

/** Secrets belong in no declaration, but a comment may have one. */
export async function findSecrets(
  files: DeclarationFiles['files'],
  scrub: (text: string) => string,
  isFenced: (file: string) => boolean,
): Promise<FoundSecrets> {
  const fenced: string[] = []
  for (const { file, bytes } of files) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
    if (scrub(text) !== text || withoutSecretForms(text) !== text) {
      if (!isFenced(file)) return { why: secretText(file), fenced: [] }
      fenced.push(file)
    }
    // One MiB takes a tenth of a second, so other work gets its turn between two files.
    await setImmediate()
  }
  return { fenced }
}

/** A declaration of which the content of some files is not kept. */
export function withoutFiles<T extends DeclarationFiles>(whole: T, names: readonly string[]): T {
  if (names.length === 0) return whole
  const files = whole.files.filter(({ file }) => !names.includes(file))
  return { ...whole, files, hash: hashOf(files), withheld: [...(whole.withheld ?? []), ...names] }
}
