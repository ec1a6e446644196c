import type { LdapSettings, Search } from './settings.ts'

type Session = Pick<LdapSettings, 'startTls' | 'caFile' | 'bind'>

/** The search as a command line that can be pasted into a shell. It asks for the password (`-W`) instead of carrying it. */
export function ldapsearchLine(address: string, session: Session, search: Omit<Search, 'filter'>, pageSize: number): string {
  const words = [
    ...(session.caFile === undefined ? [] : [`LDAPTLS_CACERT=${shellWord(session.caFile)}`]),
    'ldapsearch -LLL -x',
    ...(session.startTls && address.startsWith('ldap:') ? ['-ZZ'] : []),
    ...['-H', address].map(shellWord),
    ...(session.bind === 'anonymous' ? [] : ['-D', shellWord(session.bind.dn), '-W']),
    ...['-b', search.base, '-s', search.scope].map(shellWord),
    ...(pageSize > 0 ? ['-E', `pr=${pageSize}/noprompt`] : []),
    ...[search.filterText, ...search.attributes].map(shellWord),
  ]
  return words.join(' ')
}

const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)
