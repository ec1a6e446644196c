import { problemAt, valueAt, type YamlDocument } from '../yaml/document.ts'
import type { Problem } from '../yaml/problem.ts'
import type { Settings } from './schema.ts'

/** Problems of the filters that the settings write. The LDAP library reads them, and is only loaded if there is one. */
export async function checkFilters({ directories }: Settings, document: YamlDocument): Promise<readonly Problem[]> {
  const written = Object.entries(directories).flatMap(([name, directory]) => {
    const path = ['directories', name, 'groups', 'filter']
    return directory.kind === 'ldap' && valueAt(document.value, path) !== undefined ? [{ path, text: directory.groups.filter }] : []
  })
  if (written.length === 0) return []
  const { filterCure, filterFrom } = await import('../directories/ldap/filter.ts')
  return written.flatMap(({ path, text }) => {
    const filter = filterFrom(text)
    return 'fault' in filter ? [problemAt(document, path, `this is not an LDAP filter: ${filter.fault}`, filterCure)] : []
  })
}
