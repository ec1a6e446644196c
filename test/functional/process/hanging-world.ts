import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { type FakeEntry, startFakeLdap } from '../directories/fakeLdap.ts'
import { hangingServer } from '../hanging.ts'
import { fakeKeycloak, json } from '../keycloak-fake.ts'
import type { HangingName } from './hanging-table.ts'
import { openPlace, type Place, type PlaceOptions, type StartOptions, writesTo } from './program.ts'

/** A place in which one thing hangs. */
export type HangingPlace = AsyncDisposable & {
  readonly place: Place
  readonly start: StartOptions
  /** A text that the message contains. */
  readonly names: string
  /** Whether the program waits for it now. */
  readonly waits: () => boolean | Promise<boolean>
}

const declaration = { version: 1, workspaces: { acme: { projectRoles: [{ groups: ['devs'], project: 'ENG', role: 'member' }] } } }
/** Only the hanging thing has a short limit, so a test that waits for another limit takes too long. */
const long = { service: { timeout: '120s' } }
const limited = (limit: string) => ({ service: { timeout: limit } })

type Made = {
  readonly options?: Omit<Partial<PlaceOptions>, 'declaration' | 'groups'>
  readonly start?: StartOptions
  readonly names: string
  readonly waits: (place: Place) => boolean | Promise<boolean>
  readonly close?: () => PromiseLike<void>
  readonly prepare?: (place: Place) => Promise<void>
}

/** @param limit the limit of the hanging thing; all other limits are long */
export async function hangingPlace(name: HangingName, limit: string): Promise<HangingPlace> {
  const made = await makers[name](limit)
  const { options = {}, start = {}, names, waits, close, prepare } = made
  const place = await openPlace({ declaration, groups: ['devs'], ...options, settings: options.settings ?? long })
  await prepare?.(place)
  return {
    place,
    start,
    names,
    waits: () => waits(place),
    async [Symbol.asyncDispose]() {
      await place[Symbol.asyncDispose]()
      await close?.()
    },
  }
}

/** Plane at the address of a server that accepts all connections. */
async function plane(limit: string, scheme: 'http' | 'https', answer?: (socket: Socket) => void): Promise<Made> {
  const server = await hangingServer(answer)
  const url = `${scheme}://127.0.0.1:${server.port}`
  return {
    options: { settings: limited(limit) },
    start: { env: { PLANE_BASE_URL: url } },
    names: url,
    waits: () => server.heard() !== '',
    close: () => server[Symbol.asyncDispose](),
  }
}

function drip(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n[')
  const timer = setInterval(() => socket.write(' '), 50)
  socket.on('close', () => clearInterval(timer))
}

/** A directory beside the usual one. Its own limit is short. */
const withDirectory = (slow: object) => ({
  settings: { ...long, directories: { slow: { readingTimeout: '120s', timeout: '120s', ...slow } } },
})

async function ldap(limit: string, scheme: 'ldap' | 'ldaps'): Promise<Made> {
  const server = await hangingServer()
  const address = `${scheme}://127.0.0.1:${server.port}`
  return {
    options: withDirectory({ kind: 'ldap', addresses: [address], bind: 'anonymous', groups: { base: 'ou=groups' }, timeout: limit }),
    names: address,
    waits: () => server.sockets.size > 0,
    close: () => server[Symbol.asyncDispose](),
  }
}

const keycloak = (url: string, limits: object) =>
  withDirectory({ kind: 'keycloak', url, realm: 't', client: { id: 'reader', secret: { env: 'PLANE_API_KEY' } }, ...limits })

/** Replaces the resolver by one that never answers, because a test cannot replace the resolver of the machine. It writes the file `asked`. */
const silentResolver = `import dns from 'node:dns'
import { writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const { lookup } = dns
dns.lookup = (host, ...rest) => (host.endsWith('.example.com') ? writeFileSync('asked', '') : lookup(host, ...rest))
syncBuiltinESMExports()`

const withSilentResolver = `--import data:text/javascript,${encodeURIComponent(silentResolver)}`
const hasAsked = ({ read }: Place) =>
  read('asked').then(
    () => true,
    () => false,
  )

const pipe = (name: string) => async (place: Place) => {
  await place.write('unused', '')
  await once(spawn('sh', ['-c', `rm -f "$1" && mkfifo "$1"`, 'sh', place.path(name)]), 'exit')
}

const makers: Readonly<Record<HangingName, (limit: string) => Promise<Made>>> = {
  planeSilent: (limit) => plane(limit, 'http'),
  planeTls: (limit) => plane(limit, 'https'),
  planeDrips: (limit) => plane(limit, 'http', drip),
  planeWrite: async (limit) => ({
    options: { settings: limited(limit), sandbox: { faults: ['POST project-mappings: latency 60s after commit'] } },
    names: 'devs',
    waits: ({ sandbox }) => writesTo(sandbox).length > 0,
  }),
  async proxy(limit) {
    const server = await hangingServer()
    const url = `http://127.0.0.1:${server.port}`
    return {
      options: { settings: limited(limit) },
      start: { env: { PLANE_BASE_URL: 'https://plane.example.com', https_proxy: url } },
      names: `the proxy ${url}`,
      waits: () => server.heard() !== '',
      close: () => server[Symbol.asyncDispose](),
    }
  },
  resolver: async (limit) => ({
    options: { settings: limited(limit) },
    start: {
      env: {
        PLANE_BASE_URL: 'https://plane.example.com',
        NODE_OPTIONS: withSilentResolver,
      },
    },
    names: 'the resolver did not answer for the name plane.example.com',
    waits: (place) => hasAsked(place),
  }),
  ldapResolver: async (limit) => ({
    options: withDirectory({
      ...{ kind: 'ldap', addresses: ['ldap://ldap.example.com'], allowPlaintext: true, bind: 'anonymous', groups: { base: 'ou=groups' } },
      timeout: limit,
    }),
    start: { env: { NODE_OPTIONS: withSilentResolver } },
    names: 'ldap://ldap.example.com',
    waits: (place) => hasAsked(place),
  }),
  ldapSilent: (limit) => ldap(limit, 'ldap'),
  ldapTls: (limit) => ldap(limit, 'ldaps'),
  async ldapEndless(limit) {
    const entry = (n: number): FakeEntry => ({ dn: `cn=g${n},ou=groups`, attributes: { cn: [`g${n}`] } })
    const server = await startFakeLdap({ search: (_search, number) => ({ entries: [entry(number)], cookie: 'more' }) })
    return {
      options: withDirectory({
        ...{ kind: 'ldap', addresses: [server.url], bind: 'anonymous', groups: { base: 'ou=groups' } },
        readingTimeout: limit,
      }),
      names: 'slow',
      waits: () => server.searches.length > 0,
      close: () => server[Symbol.asyncDispose](),
    }
  },
  async keycloakSilent(limit) {
    const server = await hangingServer()
    const url = `http://127.0.0.1:${server.port}`
    return {
      options: keycloak(url, { timeout: limit }),
      names: url,
      waits: () => server.heard() !== '',
      close: () => server[Symbol.asyncDispose](),
    }
  },
  async keycloakEndless(limit) {
    const pages = (nth: number) => Array.from({ length: 100 }, (_, n) => ({ id: `${nth}-${n}`, name: `${nth}-${n}`, subGroupCount: 0 }))
    const server = await fakeKeycloak([{ name: 'devs' }], (key, nth, response) => {
      if (key !== 'groups') return false
      setTimeout(() => json(response, 200, pages(nth)), 400)
      return true
    })
    return {
      options: keycloak(server.url.origin, { readingTimeout: limit }),
      names: 'slow',
      waits: () => server.asked.includes('groups'),
      close: () => server[Symbol.asyncDispose](),
    }
  },
  directoryPipe: async () => ({ names: 'directory.yaml', waits: () => false, prepare: pipe('directory.yaml') }),
  declarationPipe: async () => ({ names: 'groups.yaml', waits: () => false, prepare: pipe('groups.yaml') }),
  log: async () => ({
    start: { wrap: (command) => ['bash', '-c', 'exec "$@" 2> >(exec sleep 30 >/dev/null 2>&1)', 'bash', ...command] },
    names: '',
    waits: () => false,
  }),
}
