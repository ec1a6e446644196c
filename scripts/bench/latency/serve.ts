import { type FakeAnswer, type FakeEntry, startFakeLdap } from '../../../test/functional/directories/fakeLdap.ts'
import { fakeKeycloak } from '../../../test/functional/keycloak-fake.ts'
import { entraStandIn } from '../../../test/functional/standIns/entra.ts'
import { user as entraUser } from '../../../test/functional/standIns/entraMembers.ts'
import { googleStandIn } from '../../../test/functional/standIns/google.ts'
import { user as googleUser } from '../../../test/functional/standIns/googleMembers.ts'
import { group as oktaGroup, oktaStandIn } from '../../../test/functional/standIns/okta.ts'
import { user as oktaUser } from '../../../test/functional/standIns/oktaMembers.ts'
import { standInScim } from '../../../test/functional/standIns/scim.ts'
import { startDelay } from './delay.ts'
import { everybody, groupAt, groupDn, type Kind, oktaToken, peopleOf, personDn, type Shape, suffix, tree } from './world.ts'

/** A stand-in for a directory in a process of its own, behind a latency. Arguments: kind, shape as JSON, latency in ms. Sends its address to its parent, and the number of its requests when it is asked. */
export type Served = { readonly url: string } | { readonly requests: number }

/** `requests`: how many have come so far. */
type Server = { readonly url: string; readonly requests: () => number }

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

const starts: Readonly<Record<Kind, (groups: number, shape: Shape) => Promise<Server>>> = {
  async okta(count) {
    const id = (n: number) => groupAt.okta(n).id
    const groups = numbers(count).map((n) => oktaGroup(id(n), `group ${n}`))
    const users = Object.fromEntries(numbers(count).map((n) => [id(n), peopleOf(n).map((one) => oktaUser(one))]))
    const server = await oktaStandIn({ groups, users, rateLimit: 1_000_000, apiTokens: [oktaToken] })
    return { url: server.url.href, requests: () => server.asked.length }
  },
  async google(count) {
    const members = Object.fromEntries(numbers(count).map((n) => [groupAt.google(n).id, peopleOf(n).map((one) => googleUser(one))]))
    const server = await googleStandIn([], { members })
    return { url: server.url.href, requests: () => server.asked.length }
  },
  async entra(count) {
    const id = (n: number) => groupAt.entra(n).id
    const groups = numbers(count).map((n) => ({ id: id(n), displayName: `group ${n}` }))
    const members = Object.fromEntries(numbers(count).map((n) => [id(n), peopleOf(n).map((one) => entraUser(100_000 + one))]))
    const server = await entraStandIn({ groups, members })
    return { url: server.url.href, requests: () => server.asked.length }
  },
  async keycloak(count, shape) {
    const flat = numbers(count).map((n) => ({ name: `g${n}`, named: peopleOf(n).map((one) => `person-${one}`) }))
    const server = await fakeKeycloak(shape === 'tree' ? tree : flat)
    return { url: server.url.href, requests: () => server.asked.length }
  },
  async scim(count) {
    const member = (n: number) => ({ value: `user-${n}`, type: 'User' })
    const groups = numbers(count).map((n) => ({ ...groupAt.scim(n), displayName: `group ${n}`, members: peopleOf(n).map(member) }))
    const users = numbers(everybody).map((n) => ({ id: `user-${n}`, emails: [{ value: `person-${n}@example.com` }], active: true }))
    const server = await standInScim(groups, undefined, { users })
    return { url: server.url.href, requests: () => server.requests.length }
  },
  async ldap(count) {
    const server = await startFakeLdap({ search: ldapAnswer(count) })
    return { url: server.url, requests: () => server.searches.length }
  },
}

function ldapAnswer(count: number): (search: { readonly base: string; readonly page?: LdapPage }) => FakeAnswer {
  const people = numbers(everybody).map(
    (n): FakeEntry => ({ dn: personDn(n), attributes: { objectClass: ['person'], mail: [`person-${n}@example.com`] } }),
  )
  const groups = new Map(numbers(count).map((n) => [groupDn(n), { dn: groupDn(n), attributes: { member: peopleOf(n).map(personDn) } }]))
  return ({ base, page }) => {
    if (base !== `ou=people,${suffix}`) {
      const group = groups.get(base)
      return group === undefined ? { result: 32 } : { entries: [group] }
    }
    const from = Number(page?.cookie ?? 0)
    const to = from + (page?.size ?? everybody)
    return { entries: people.slice(from, to), cookie: to < people.length ? `${to}` : '' }
  }
}
type LdapPage = { readonly size: number; readonly cookie: string } | undefined

const [kind, shape, latencyMs] = process.argv.slice(2)
const asked = JSON.parse(shape ?? '') as Shape
const server = await starts[kind as Kind](asked === 'tree' ? 0 : asked.groups, asked)
const tell = (served: Served) => process.send?.(served)
process.on('message', () => tell({ requests: server.requests() }))
process.on('disconnect', () => process.exit())
const url = new URL(server.url)
// The port of another scheme than http cannot be set on a URL.
const port = await startDelay(Number(url.port), Number(latencyMs))
tell({ url: server.url.replace(`:${url.port}`, `:${port}`) })
