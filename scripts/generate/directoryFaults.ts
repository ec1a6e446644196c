import { type Effect, type Fault, type Kind, kinds } from '../../test/functional/directoryFaults/faults.ts'

/** The table of docs/dev/directory-faults.md: a row for each fault, a column for each kind of directory, and notes below it. */
export function renderFaultyDirectories(faults: readonly Fault[]): string {
  const head = ['fault', ...kinds.map((kind) => columns[kind])]
  const body = faults.map(({ what, does }) => [what, ...kinds.map((kind) => words[does[kind]])])
  const table = [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`)
  const notes = new Set(faults.flatMap(({ note }) => note ?? []))
  return [...table, '', ...[...notes].map((note) => `- ${note}`)].join('\n')
}

const columns: Readonly<Record<Kind, string>> = {
  ldap: 'LDAP',
  keycloak: 'Keycloak',
  entra: 'Entra',
  okta: 'Okta',
  google: 'Google',
  scim: 'SCIM by index',
  scimCursor: 'SCIM by cursor',
  file: 'file',
}

const words: Readonly<Record<Effect, string>> = { held: 'held', whole: 'whole', 'names held': 'names held', none: '–' }
