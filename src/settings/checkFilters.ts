import { problemAt, valueAt, type YamlDocument } from '../yaml/document.ts'
import type { Problem } from '../yaml/problem.ts'
import type { Settings } from './schema.ts'

/** Problems of the filters that the settings write. */
export const checkFilters = async (settings: Settings, document: YamlDocument): Promise<readonly Problem[]> => [
  ...(await checkLdapFilters(settings, document)),
  ...(await checkScimFilters(settings, document)),
]

/** The LDAP library reads the filters, and is only loaded if there is one. */
async function checkLdapFilters({ directories }: Settings, document: YamlDocument): Promise<readonly Problem[]> {
  const written = Object.entries(directories).flatMap(([name, directory]) => {
    if (directory.kind !== 'ldap') return []
    return (['groups', 'people'] as const).flatMap((of) => {
      const path = ['directories', name, of, 'filter']
      const text = directory[of]?.filter
      return text === undefined || valueAt(document.value, path) === undefined ? [] : [{ path, text }]
    })
  })
  if (written.length === 0) return []
  const { filterCure, filterFrom } = await import('../directories/ldap/filter.ts')
  return written.flatMap(({ path, text }) => {
    const filter = filterFrom(text)
    return 'fault' in filter ? [problemAt(document, path, `this is not an LDAP filter: ${filter.fault}`, filterCure)] : []
  })
}

async function checkScimFilters({ directories }: Settings, document: YamlDocument): Promise<readonly Problem[]> {
  const written = Object.entries(directories).flatMap(([name, directory]) =>
    directory.kind === 'scim' && directory.groups.filter !== undefined ? [{ name, text: directory.groups.filter }] : [],
  )
  if (written.length === 0) return []
  const { filterFault, scimFilterCure } = await import('../directories/scim/filter.ts')
  return written.flatMap(({ name, text }) => {
    const fault = filterFault(text)
    const path = ['directories', name, 'groups', 'filter']
    return fault === undefined ? [] : [problemAt(document, path, `this is not a SCIM filter: ${fault}`, scimFilterCure)]
  })
}
