import type { DirectoryReaders } from '../directories/deadline.ts'
import type { GoogleAccount, GoogleSettings } from '../directories/google/read.ts'
import { complete } from './complete.ts'
import type { DirectoryEnvironment, SettingsOf } from './directoryEnvironment.ts'
import { httpEnvironment, loadedLater } from './overHttp.ts'

export const googleDirectory = (said: SettingsOf<'google'>, environment: DirectoryEnvironment): DirectoryReaders =>
  loadedLater(
    async () =>
      (await import('../directories/google/read.ts')).google(settingsFrom(said, environment), httpEnvironment(environment, said.timeout)),
    said.people !== undefined,
  )

function settingsFrom(said: SettingsOf<'google'>, environment: DirectoryEnvironment): GoogleSettings {
  const { url, tokenUrl, stsUrl, iamUrl, customer, domain, allowPlaintext, caFile, account, groups, people, pageSize, groupsMax } = said
  return complete<GoogleSettings>({
    url: new URL(url),
    tokenUrl: new URL(tokenUrl),
    stsUrl: new URL(stsUrl),
    iamUrl: new URL(iamUrl),
    asked: domain === undefined ? { customer: customer ?? 'my_customer' } : { domain },
    account: accountFrom(account, environment),
    allowPlaintext,
    caFile: caFile === undefined ? undefined : environment.path(caFile),
    name: groups.name,
    people,
    limits: { pageSize, groupsMax },
  })
}

function accountFrom(
  { key, workloadIdentity, token, subject }: SettingsOf<'google'>['account'],
  { world }: DirectoryEnvironment,
): GoogleAccount {
  const whose = subject === undefined ? {} : { subject }
  if (key !== undefined) return { key: () => world.secret(key), ...whose }
  if (token !== undefined) return { token: () => world.secret(token) }
  if (workloadIdentity === undefined) throw new TypeError('the schema of the settings lets an account pass that has no credential')
  const { provider, serviceAccount, token: jwt } = workloadIdentity
  return { workloadIdentity: { provider, serviceAccount, jwt: () => world.secret(jwt) }, ...whose }
}
