import { externalBindOf, type LdapSettings, type Search } from './settings.ts'

type Session = Pick<LdapSettings, 'startTls' | 'caFile' | 'bind'>

/**
 * The search as a command line that can be pasted into a shell. It asks for the password (`-W`) instead of carrying it. The key of a certificate must
 * be in a file.
 */
export function ldapsearchLine(address: string, session: Session, search: Omit<Search, 'filter'>, pageSize: number): string {
  const external = externalBindOf(session)
  const simple = session.bind === 'anonymous' ? [] : ['-D', shellWord(session.bind.dn), '-W']
  const words = [
    ...(session.caFile === undefined ? [] : [`LDAPTLS_CACERT=${shellWord(session.caFile)}`]),
    ...(external === undefined
      ? ['ldapsearch -LLL -x']
      : [
          `LDAPTLS_CERT=${shellWord(external.certificateFile)}`,
          `LDAPTLS_KEY=${shellWord(external.keyFile ?? 'FILE')}`,
          'ldapsearch -LLL -Q -Y EXTERNAL',
        ]),
    ...(session.startTls && address.startsWith('ldap:') ? ['-ZZ'] : []),
    ...['-H', address].map(shellWord),
    ...(external === undefined ? simple : []),
    ...['-b', search.base, '-s', search.scope].map(shellWord),
    ...(search.typesOnly === true ? ['-A'] : []),
    ...(pageSize > 0 ? ['-E', `pr=${pageSize}/noprompt`] : []),
    ...[search.filterText, ...search.attributes].map(shellWord),
  ]
  return words.join(' ')
}

const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)
