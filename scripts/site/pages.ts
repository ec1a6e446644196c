/** The pages of the site, in the order of its side bar. `reader`: for whom the words are counted. */
export type Group = { readonly title: string; readonly reader: Reader; readonly pages: readonly string[] }
export type Reader = 'newcomer' | 'operator' | 'rest'

export const groups: readonly Group[] = [
  {
    title: 'First steps',
    reader: 'newcomer',
    pages: ['index', 'first-minute', 'first-steps-keycloak', 'first-steps-ldap', 'first-steps-entra'],
  },
  { title: 'Daily life', reader: 'operator', pages: ['adopt', 'pull-requests', 'audit', 'operations'] },
  { title: 'How it decides', reader: 'rest', pages: ['policies', 'guards', 'fences', 'renames', 'month'] },
  { title: 'Run it', reader: 'rest', pages: ['kubernetes', 'upgrade', 'directories', 'journal', 'notify', 'page', 'scale'] },
  {
    title: 'Reference',
    reader: 'rest',
    pages: ['commands', 'settings', 'declaration', 'messages', 'watching', 'metrics', 'sandbox', 'glossary'],
  },
  { title: 'Design', reader: 'rest', pages: ['promises', 'threat-model', 'instead'] },
]

/** The most words that a person has to read. Code, and what is generated from the code of the program, is not counted. */
export const wordsMax: Readonly<Record<Reader, number>> = { newcomer: 2_500, operator: 6_000, rest: 40_000 }

/** Pages that a script writes as a whole, from what the program says. */
export const generatedPages: ReadonlySet<string> = new Set(['commands', 'month'])

/** The most words of a sentence. */
export const sentenceMax = 35
