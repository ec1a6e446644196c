import { complete, defined } from '../core/optionalFields.ts'
import type { Reading } from '../core/reading.ts'
import type { DirectoryReaders } from '../directories/deadline.ts'
import type { LdapCall } from '../directories/ldap/connection.ts'
import type { Capabilities } from '../directories/ldap/read.ts'
import type { ExternalBind, LdapSettings } from '../directories/ldap/settings.ts'
import type { DirectoryEnvironment, SettingsOf } from './overHttp.ts'

/** Certificates, keys and the password are read again at each reading. The code is loaded at the first one. */
export function ldapDirectory(settings: SettingsOf<'ldap'>, environment: DirectoryEnvironment): DirectoryReaders {
  const { name, path, world } = environment
  const { clock, debug, logCall } = world
  const caFile = settings.caFile === undefined ? undefined : path(settings.caFile)
  const onCall = logCall === undefined ? {} : { onCall: (call: LdapCall) => logCall({ directory: name, ...call }) }
  const capabilities: Capabilities = { now: clock.now, log: debug, ...onCall }

  type Failed = Extract<Reading<never>, { status: 'failed' }>
  async function reading<R extends Reading<unknown>>(
    read: (settings: LdapSettings) => Promise<R>,
    signal: AbortSignal,
  ): Promise<R | Failed> {
    const [{ readCaFile }, { DirectoryError }] = await Promise.all([
      import('../directories/credentials.ts'),
      import('../directories/directoryError.ts'),
    ])
    const atMs = clock.now()
    try {
      const ca = await readCaFile(caFile, signal)
      const bind = await bindFrom(settings, environment, signal)
      return await read(settingsFrom(settings, { ca, caFile, bind }))
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

  return {
    async read(signal) {
      const { readLdap } = await import('../directories/ldap/read.ts')
      return reading((settings) => readLdap(settings, capabilities, signal), signal)
    },
    ...(settings.people && {
      members: async (groups, asOfMs, signal, deadline) => {
        const { readLdapMembers } = await import('../directories/ldap/readMembers.ts')
        return reading((settings) => readLdapMembers(settings, groups, asOfMs, { ...capabilities, deadline }, signal), signal)
      },
    }),
  }
}

async function bindFrom(
  { bind }: SettingsOf<'ldap'>,
  { path, world }: DirectoryEnvironment,
  signal: AbortSignal,
): Promise<LdapSettings['bind']> {
  if (bind === 'anonymous') return bind
  const { dn, password, external, proof } = bind
  if (password !== undefined) return { dn, password: () => world.secret(password), ...defined({ proof }) }
  if (external === undefined) throw new TypeError('the schema of the settings lets an account pass that has nothing to prove its identity')
  const [{ readClientCertificate }, { privateKeysIn }] = await Promise.all([
    import('../directories/credentials.ts'),
    import('../http/signingKey.ts'),
  ])
  const source = { certificateFile: path(external.certificateFile), key: () => world.secret(external.key) }
  const pair = await readClientCertificate(`bind.dn "${dn}"`, 'bind.external', source, signal)
  for (const secret of privateKeysIn(pair.key)) world.secretSeen(secret)
  const keyFile = 'file' in external.key ? path(external.key.file) : undefined
  return complete<ExternalBind>({ dn, external: pair, certificateFile: source.certificateFile, keyFile, proof })
}

type Parts = Pick<LdapSettings, 'bind'> & { readonly ca: string | undefined; readonly caFile: string | undefined }

function settingsFrom(settings: SettingsOf<'ldap'>, { ca, caFile, bind }: Parts): LdapSettings {
  const { addresses, startTls, allowPlaintext, serverName, groups, pageSize, groupsMax, membersMax, referrals } = settings
  return complete<LdapSettings>({
    addresses,
    startTls,
    allowPlaintext,
    serverName,
    ca,
    caFile,
    bind,
    groups: complete<LdapSettings['groups']>({
      base: groups.base,
      scope: groups.scope,
      filter: groups.filter,
      name: groups.name,
      members: groups.member,
      id: groups.id,
    }),
    people: settings.people,
    pageSize,
    timeoutMs: settings.timeout,
    groupsMax,
    membersMax,
    referrals,
  })
}
