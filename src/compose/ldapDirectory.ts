import type { GroupIndex } from '../core/group.ts'
import type { Reading } from '../core/reading.ts'
import type { ReadGroups } from '../directories/deadline.ts'
import type { LdapCall } from '../directories/ldap/loggedClient.ts'
import type { LdapSettings } from '../directories/ldap/settings.ts'
import { complete } from './complete.ts'
import type { DirectorySurroundings, SettingsOf } from './directorySurroundings.ts'

/** Certificates and the password are read again at each reading. The code is loaded at the first one. */
export function ldapDirectory(said: SettingsOf<'ldap'>, { name, path, world }: DirectorySurroundings): ReadGroups {
  const { clock, debug, logCall } = world
  const caFile = said.caFile === undefined ? undefined : path(said.caFile)
  return async (signal): Promise<Reading<GroupIndex>> => {
    const [{ readLdap }, { readCaFile }, { DirectoryError }] = await Promise.all([
      import('../directories/ldap/read.ts'),
      import('../directories/certificateFile.ts'),
      import('../directories/directoryError.ts'),
    ])
    const atMs = clock.now()
    try {
      const ca = await readCaFile(caFile, signal)
      const onCall = logCall === undefined ? {} : { onCall: (call: LdapCall) => logCall({ directory: name, ...call }) }
      return await readLdap(settingsFrom(said, { ca, caFile, world }), { now: clock.now, log: debug, ...onCall }, signal)
    } catch (error) {
      if (!(error instanceof DirectoryError)) throw error
      return {
        status: 'failed',
        why: error.message,
        ...(error.cure === undefined ? {} : { cure: error.cure }),
        atMs,
        tookMs: clock.now() - atMs,
      }
    }
  }
}

type Trust = Pick<DirectorySurroundings, 'world'> & { readonly ca: string | undefined; readonly caFile: string | undefined }

function settingsFrom(said: SettingsOf<'ldap'>, { ca, caFile, world }: Trust): LdapSettings {
  const { addresses, startTls, allowPlaintext, serverName, bind, groups, pageSize, groupsMax, membersMax, referrals } = said
  return complete<LdapSettings>({
    addresses,
    startTls,
    allowPlaintext,
    serverName,
    ca,
    caFile,
    bind: bind === 'anonymous' ? bind : { dn: bind.dn, password: () => world.secret(bind.password) },
    groups: complete<LdapSettings['groups']>({
      base: groups.base,
      scope: groups.scope,
      filter: groups.filter,
      name: groups.name,
      members: groups.member,
      id: groups.id,
    }),
    pageSize,
    timeoutMs: said.timeout,
    groupsMax,
    membersMax,
    referrals,
  })
}
