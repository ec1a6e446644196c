import { keyIn } from './members.ts'

/** What all people of a directory have in their texts, or all lack: mail addresses have an @, logins and ids have no blanks. */
const signs = [
  { sign: '@', called: '"@"' },
  { sign: ' ', called: 'a blank' },
] as const

/**
 * Why a word can be no person of these groups: every person is known by a text of another form, such as a mail address. Undefined if the word has the form
 * of some person, or if no person is known. No text of a person is in the hint.
 *
 * @param key of the word, by `personKey`
 * @param texts of people, by `personTexts`; each group of people may repeat them
 */
export function wordHint(key: string, texts: Iterable<readonly string[]>): string | undefined {
  const forms = signs.map((sign) => ({ ...sign, inAll: true, inNone: true }))
  let isEmpty = true
  for (const people of texts) {
    for (const text of people) {
      const own = keyIn(text)
      if (own === '') continue
      isEmpty = false
      for (const form of forms) {
        if (own.includes(form.sign)) form.inNone = false
        else form.inAll = false
      }
    }
  }
  if (isEmpty) return undefined
  for (const { sign, called, inAll, inNone } of forms) {
    if (inAll && !key.includes(sign)) return `every person is known by a text with ${called}, and this one has none`
    if (inNone && key.includes(sign)) return `no person is known by a text with ${called}`
  }
  return undefined
}
