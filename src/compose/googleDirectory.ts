import type { ReadGroups } from '../directories/deadline.ts'
import type { GoogleAccount, GoogleSettings } from '../directories/google/read.ts'
import type { DirectoryReader } from '../directories/overHttp/reader.ts'
import { complete } from './complete.ts'
import type { DirectorySurroundings, SettingsOf } from './directorySurroundings.ts'
import { httpEnvironment } from './overHttp.ts'

/** The code is loaded at the first reading, so that commands that read no directory start sooner. */
export function googleDirectory(said: SettingsOf<'google'>, surroundings: DirectorySurroundings): ReadGroups {
  let reader: Promise<DirectoryReader> | undefined
  const open = async () =>
    (await import('../directories/google/read.ts')).google(settingsFrom(said, surroundings), httpEnvironment(surroundings, said.timeout))
  return async (signal, deadline) => {
    reader ??= open()
    return (await reader).read(signal, deadline)
  }
}

function settingsFrom(said: SettingsOf<'google'>, surroundings: DirectorySurroundings): GoogleSettings {
  const { url, tokenUrl, stsUrl, iamUrl, customer, domain, allowPlaintext, caFile, account, groups, pageSize, groupsMax } = said
  return complete<GoogleSettings>({
    url: new URL(url),
    tokenUrl: new URL(tokenUrl),
    stsUrl: new URL(stsUrl),
    iamUrl: new URL(iamUrl),
    asked: domain === undefined ? { customer: customer ?? 'my_customer' } : { domain },
    account: accountFrom(account, surroundings),
    allowPlaintext,
    caFile: caFile === undefined ? undefined : surroundings.path(caFile),
    name: groups.name,
    limits: { pageSize, groupsMax },
  })
}

function accountFrom(
  { key, workloadIdentity, token, subject }: SettingsOf<'google'>['account'],
  { world }: DirectorySurroundings,
): GoogleAccount {
  const whose = subject === undefined ? {} : { subject }
  if (key !== undefined) return { key: () => world.secret(key), ...whose }
  if (token !== undefined) return { token: () => world.secret(token) }
  if (workloadIdentity === undefined) throw new TypeError('the schema of the settings lets an account pass that has no credential')
  const { provider, serviceAccount, token: jwt } = workloadIdentity
  return { workloadIdentity: { provider, serviceAccount, jwt: () => world.secret(jwt) }, ...whose }
}
