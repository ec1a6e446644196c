import { hangingServer } from '../hanging.ts'
import type { Kind } from './faults.ts'
import type { FaultyDirectory } from './faultyDirectory.ts'
import { type FaultyProxy, faultyProxy, type Passed, send } from './faultyProxy.ts'
import { strikeOf } from './httpFaults.ts'
import type { HttpKind } from './httpKind.ts'
import { entraKind } from './kinds/entra.ts'
import { googleKind } from './kinds/google.ts'
import { keycloakKind } from './kinds/keycloak.ts'
import { oktaKind } from './kinds/okta.ts'
import { scimCursorKind, scimKind } from './kinds/scim.ts'
import { listed, type Trial } from './lists.ts'
import { teams } from './teams.ts'

export const httpKinds: Readonly<Record<Exclude<Kind, 'ldap' | 'file'>, HttpKind>> = {
  keycloak: keycloakKind,
  entra: entraKind,
  okta: oktaKind,
  google: googleKind,
  scim: scimKind,
  scimCursor: scimCursorKind,
}

export async function httpDirectory(kind: HttpKind, fault: Trial | undefined): Promise<FaultyDirectory> {
  const elsewhere = await hangingServer()
  const order = fault === 'swapped' ? kind.order : 'name'
  const server = await kind.start(teams, order)
  const finished = (passed: Passed, url: URL) => server.finish?.(passed, url) ?? passed
  let isOn = false
  let struck = false
  const counts = new Map<string, number>()
  const strike = fault && strikeOf(fault, { kind, server, order, proxy: () => proxy, elsewhere: `http://127.0.0.1:${elsewhere.port}` })
  const proxy: FaultyProxy = await faultyProxy(server.url, async (exchange) => {
    const page = kind.page(exchange.url)
    const nth = (counts.get(exchange.path) ?? 0) + 1
    counts.set(exchange.path, nth)
    const pass = async (path?: string) => finished(await exchange.pass(path), exchange.url)
    const did = isOn && page !== undefined && strike ? await strike({ ...exchange, pass, page, nth }) : 'spared'
    struck ||= did !== 'spared'
    if (did === 'answered') return
    let passed = await pass()
    if (isOn && fault === 'otherTotal') {
      const other = kind.otherTotal?.(passed, exchange.url, nth)
      struck ||= other !== undefined
      passed = other ?? passed
    }
    send(exchange.response, passed)
  })
  return {
    settings: server.settings(proxy.url),
    address: proxy.url.host,
    secret: server.secret,
    struck: () => struck,
    async strike() {
      isOn = true
      counts.clear()
      if (fault === 'gone') proxy.kill()
      const groups = fault === undefined || (fault === 'seesNothing' && kind.tellsTotal) ? undefined : listed[fault]
      if (groups) await server.change(groups)
      struck = fault === 'gone' || groups !== undefined
    },
    leaked: elsewhere.heard,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
      await elsewhere[Symbol.asyncDispose]()
    },
  }
}
