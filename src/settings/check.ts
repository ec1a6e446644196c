import { nearest } from '../core/nearest.ts'
import { isLoopback } from '../http/loopback.ts'
import { type Path, placeAt, problemAt, type YamlDocument } from '../yaml/document.ts'
import type { Problem } from '../yaml/problem.ts'
import { shows } from '../yaml/source.ts'
import { ListenError, parseListen } from './listen.ts'
import { ldapAddressPattern, webAddressPattern } from './patterns/address.ts'
import { slugPattern } from './patterns/name.ts'
import { openSchedule, ScheduleError } from './schedule.ts'
import type { CredentialSettings, Settings } from './schema.ts'

/** Checks that a schema cannot express: references between names, and addresses to which a secret would be sent without TLS. */
export function checkSettings(settings: Settings, document: YamlDocument): readonly Problem[] {
  const { service, workspaces, directories } = settings
  const problems: Problem[] = []
  const at: At = (path, message, cure, part) => problems.push(problemAt(document, path, message, cure, part))
  const known = Object.keys(credentialsOf(settings))

  if (known.length === 0)
    at(['service'], '"credential" is missing', 'service.credential: { apiKey: { file: … } }, or PLANE_API_KEY in the environment')
  if (Object.keys(workspaces).length === 0) at(['workspaces'], 'no workspace is named', 'only the workspaces named here are ever touched')
  for (const [name, { credential = 'default' }] of Object.entries(workspaces)) {
    if (known.length === 0 || known.includes(credential)) continue
    const near = nearest(credential, known)
    const path = ['workspaces', name, 'credential']
    // The value may be an API key by mistake, so it is only shown if it looks like a name.
    const { start, end } = placeAt(document, path)
    const named = shows(document.source, start, end) ? `credential "${credential}"` : 'this credential'
    at(
      path,
      `${named} is not one of those in the settings (${known.join(', ')})`,
      near === undefined ? undefined : `did you mean "${near}"?`,
    )
  }
  for (const [name, { slug }] of Object.entries(workspaces)) {
    if (isSlug.test(slug ?? name)) continue
    if (slug === undefined)
      at(['workspaces', name], `workspace "${name}" has no "slug", and its name cannot be one`, `add ${slugCure}: { slug: … }`, 'key')
    else at(['workspaces', name, 'slug'], `"${slug}" cannot be a slug`, `write ${slugCure}`)
  }
  const slugs = Map.groupBy(Object.entries(workspaces), ([name, { slug = name }]) => slug)
  for (const [slug, bound] of slugs) {
    for (const [name] of bound.slice(1))
      at(['workspaces', name], `the slug "${slug}" is used twice: two workspaces of the settings would write to one workspace of Plane`)
  }
  checkWebAddress(service.baseUrl, service.allowPlaintext, ['service', 'baseUrl'], at)
  for (const [name, directory] of Object.entries(directories)) {
    if (directory.kind === 'keycloak') {
      checkWebAddress(directory.url, directory.allowPlaintext, ['directories', name, 'url'], at)
      if (directory.issuer !== undefined) checkWebAddress(directory.issuer, true, ['directories', name, 'issuer'], at)
    }
    if (directory.kind === 'ldap') ldapAddresses(directory, ['directories', name], at)
  }
  const allowed = service.limit.requests - Math.ceil(service.limit.requests * service.limit.reserve)
  if (allowed < 1) at(['service', 'limit'], 'the reserve leaves nothing of the limit', 'lower service.limit.reserve')
  schedule(settings, at)
  listen(settings, at)
  return problems
}

/** Every credential by name; `service.credential` is the one named `default`. */
export function credentialsOf({ service }: Settings): Readonly<Record<string, CredentialSettings>> {
  return { ...service.credentials, ...(service.credential === undefined ? {} : { default: service.credential }) }
}

type At = (path: Path, message: string, cure?: string, part?: 'key') => void

const hasUserinfo = ({ username, password }: URL): boolean => username !== '' || password !== ''
const withoutUserinfo = (path: Path, at: At): void =>
  at(path, 'an address must not contain credentials', 'secrets come by reference: { file: … } or { env: … }')

function checkWebAddress(address: string, allowed: boolean, path: Path, at: At): void {
  const url = new URL(address)
  if (hasUserinfo(url)) withoutUserinfo(path, at)
  else if (!['http:', 'https:'].includes(url.protocol)) at(path, 'this is not an address of HTTP', 'it begins with https://')
  else if (url.search !== '' || url.hash !== '')
    at(path, 'an address must not have a query or a fragment', 'leave out what begins with ? or #')
  else if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowed) {
    at(path, 'plain http: would show the credential to everyone on the way', 'use https://, or say allowPlaintext: true beside it')
  } else if (!isWebAddress.test(address))
    at(path, 'this is not written as an address of HTTP', 'write https://plane.example.com, with a port or a path where they are needed')
}

const isWebAddress = new RegExp(webAddressPattern, 'u')
const isLdapAddress = new RegExp(ldapAddressPattern, 'u')
const slugCure = "the slug from the workspace's address in Plane, which has letters, digits, hyphens and underscores only"
const isSlug = new RegExp(slugPattern, 'u')

function schedule({ schedule: { cron, timezone } }: Settings, at: At): void {
  try {
    openSchedule(cron, timezone)
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error
    at(['schedule', error.part], error.sentence, error.cure)
  }
}

function listen({ http }: Settings, at: At): void {
  try {
    if (http !== 'none') parseListen(http.listen)
  } catch (error) {
    if (!(error instanceof ListenError)) throw error
    at(['http', 'listen'], error.message)
  }
}

type Ldap = Extract<Settings['directories'][string], { kind: 'ldap' }>

function ldapAddresses({ addresses, startTls, allowPlaintext, bind }: Ldap, path: Path, at: At): void {
  for (const [index, address] of addresses.entries()) {
    const url = URL.canParse(address) ? new URL(address) : undefined
    const here = [...path, 'addresses', index]
    if (url !== undefined && hasUserinfo(url)) withoutUserinfo(here, at)
    else if (url === undefined || !isLdapAddress.test(address))
      at(here, 'this is not an address of LDAP', 'it is ldaps://host or ldap://host, with a port where it is not the usual one')
    else if (url.protocol === 'ldaps:' && startTls)
      at(here, 'startTls cannot be used with ldaps://, which uses TLS from the first byte', 'remove startTls, or write ldap://')
    else if (url.protocol === 'ldap:' && !startTls && !allowPlaintext && bind !== 'anonymous' && !isLoopback(url.hostname)) {
      at(
        here,
        'plain ldap:// would show the password to everyone on the way',
        'use ldaps:// or startTls: true, or say allowPlaintext: true beside it',
      )
    }
  }
}
