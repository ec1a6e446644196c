import { type FakeAnswer, type FakeEntry, type FakeSearch, startFakeLdap } from '../directories/fakeLdap.ts'
import type { FaultyDirectory } from './faultyDirectory.ts'
import { faultyWire, type WireFault } from './faultyWire.ts'
import { listed, renamedTeams, swappedTeams, type Trial } from './lists.ts'
import { pageSize, type Team, teams } from './teams.ts'

const base = 'ou=groups'
const bindDn = 'cn=reader'

const entryOf = ({ key, name }: Team): FakeEntry => ({
  dn: `cn=${name},${base}`,
  attributes: { cn: name === '' ? [] : [name], entryUUID: [`00000000-0000-4000-8000-${`${key}`.padStart(12, '0')}`] },
})

/** The pages of a list. The cookie is the number of the next page. */
function pageOf(groups: readonly Team[], page: number): FakeAnswer {
  const entries = groups.slice((page - 1) * pageSize, page * pageSize).map(entryOf)
  return { entries, cookie: page * pageSize < groups.length ? `${page + 1}` : '' }
}

const startPage = ({ page }: FakeSearch): number => Number(page?.cookie === '' ? 1 : (page?.cookie ?? 1))

/** The search for page 2 is the fourth message of the program, after bind, "Who am I?" and page 1. Its ids begin with 2. */
const idOfPage2 = Buffer.from([0x02, 0x01, 0x05])
/** A message that is whole, and an entry in it whose length is that of a longer one. */
const cutMessage = Buffer.from([0x30, 0x08, ...idOfPage2, 0x64, 0x40, 0x04, 0x01, 0x61])

type Answering = (page: number, usual: FakeAnswer, nth: number) => FakeAnswer

/** A sequence of the BER (X.690 §8.1) with its tag, and a length of four bytes. */
const sequence = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const head = Buffer.from([tag, 0x84, 0, 0, 0, 0])
  head.writeUInt32BE(Buffer.concat(parts).length, 2)
  return Buffer.concat([head, ...parts])
}

/** An entry whose attributes are sequences inside each other. */
function deepEntry(depth: number): Buffer {
  const heads = Buffer.alloc(6 * depth)
  for (let level = 0; level < depth; level++) {
    heads.set([0x30, 0x84], 6 * level)
    heads.writeUInt32BE(6 * (depth - level - 1), 6 * level + 2)
  }
  return sequence(0x30, idOfPage2, sequence(0x64, Buffer.from('\x04\x01a', 'latin1'), heads))
}

/** A message that says that it has 2 GB, and begins to send them. */
const hugeMessage = Buffer.concat([Buffer.from([0x30, 0x84, 0x7f, 0xff, 0xff, 0xff]), Buffer.alloc(1024 * 1024)])
const onPage =
  (wanted: number, answer: (usual: FakeAnswer) => FakeAnswer): Answering =>
  (page, usual) =>
    page === wanted ? answer(usual) : usual
const error = (page: number): Answering => onPage(page, () => ({ result: 80 }))

/** The page 2 has no groups, and those of it come with the next page. */
const withEmptyPage: Answering = (page, usual) => {
  if (page === 1) return { ...usual, cookie: '2.5' }
  return page === 2.5 ? { entries: [], cookie: '2' } : usual
}

const answers: Readonly<Partial<Record<Trial, Answering>>> = {
  errorFirst: error(1),
  errorMiddle: error(2),
  errorLast: error(3),
  errorOnce: (page, usual, nth) => (page === 2 && nth === 1 ? { result: 80 } : usual),
  halfEntry: onPage(2, ({ entries = [], ...more }) => ({
    ...more,
    entries: entries.map((entry, n) => (n === 1 ? { ...entry, attributes: { entryUUID: entry.attributes['entryUUID'] ?? [] } } : entry)),
  })),
  emptyPage: withEmptyPage,
  repeatedPage: onPage(2, (usual) => ({ ...usual, entries: teams.slice(0, pageSize).map(entryOf) })),
  endlessQuick: endless,
  endlessSlow: endless,
  cutText: onPage(2, () => ({ raw: cutMessage, cookie: '3' })),
  html: onPage(2, () => ({ raw: Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n<h1>Sign in</h1>') })),
  nothing: onPage(2, () => ({})),
  partOnly: onPage(2, ({ entries = [] }) => ({ entries: entries.slice(0, 2), result: 4, cookie: '' })),
  rightsLost: onPage(2, () => ({ result: 50 })),
  throttled: onPage(2, () => ({ result: 51 })),
  redirect: onPage(2, () => ({ result: 10 })),
  linkElsewhere: onPage(2, (usual) => ({ ...usual, references: ['ldap://elsewhere.example.com/ou=groups'] })),
  huge: onPage(2, () => ({ raw: hugeMessage })),
  deep: onPage(2, () => ({ raw: deepEntry(1_000_000) })),
}

function endless(page: number, usual: FakeAnswer): FakeAnswer {
  const entries = Array.from({ length: pageSize }, (_, n) => entryOf({ key: page * 10 + n, name: `x${page}-${n}` }))
  return { entries: page === 1 ? (usual.entries ?? []) : entries, cookie: `${page + 1}` }
}

const within = (kind: 'cut' | 'stall' | 'reset', page: number) => (at: number) => (at === page ? { kind, afterBytes: 100 } : undefined)
const wires: Readonly<Partial<Record<Trial, (page: number) => WireFault | undefined>>> = {
  cutFirst: within('cut', 1),
  cutMiddle: within('cut', 2),
  cutLast: within('cut', 3),
  stallFirst: within('stall', 1),
  stallMiddle: within('stall', 2),
  stallLast: within('stall', 3),
  resetMiddle: within('reset', 2),
  killFirst: (page) => (page === 1 ? { kind: 'kill' } : undefined),
  killMiddle: (page) => (page === 2 ? { kind: 'kill' } : undefined),
  killLast: (page) => (page === 3 ? { kind: 'kill' } : undefined),
  endlessSlow: () => ({ kind: 'delay', ms: 150 }),
}

/** The list after the first page was read. */
const later: Readonly<Partial<Record<Trial, readonly Team[]>>> = { renamed: renamedTeams, swapped: swappedTeams }

export async function ldapDirectory(fault: Trial | undefined): Promise<FaultyDirectory> {
  let groups = teams
  let isOn = false
  let struck = false
  const counts = new Map<number, number>()
  const server = await startFakeLdap({
    search(search) {
      const page = startPage(search)
      const nth = (counts.get(page) ?? 0) + 1
      counts.set(page, nth)
      const changed = fault === undefined || !isOn || page === 1 ? undefined : later[fault]
      struck ||= changed !== undefined
      const all = changed ?? groups
      const usual = fault === 'twoNames' && isOn ? twoNamed(pageOf(all, page)) : pageOf(all, page)
      const answer = isOn && fault !== undefined ? (answers[fault]?.(page, usual, nth) ?? usual) : usual
      struck ||= answer !== usual
      return answer
    },
  })
  const older = await startFakeLdap({ search: (search) => pageOf(teams.slice(0, 2), startPage(search)) })
  const wire = await faultyWire(Number(new URL(server.url).port), (page) => {
    const found = isOn && fault !== undefined ? wires[fault]?.(page) : undefined
    struck ||= found !== undefined
    return found
  })
  const addresses = [`ldap://127.0.0.1:${wire.port}`, ...(fault === 'lagging' ? [older.url] : [])]
  return {
    settings: {
      kind: 'ldap',
      addresses,
      bind: { dn: bindDn, password: { env: 'OUTER_SECRET' } },
      groups: { base, filter: '(cn=*)' },
      pageSize,
    },
    address: new URL(addresses[0] ?? '').host,
    secret: 'the-password-of-the-reader',
    struck: () => struck,
    async strike() {
      isOn = true
      counts.clear()
      const list = fault === 'twoNames' || fault === undefined ? undefined : listed[fault]
      groups = list ?? groups
      if (fault === 'gone' || fault === 'lagging') wire.kill()
      struck = fault === 'gone' || fault === 'lagging' || fault === 'twoNames' || list !== undefined
    },
    leaked: () => '',
    async [Symbol.asyncDispose]() {
      await wire[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
      await older[Symbol.asyncDispose]()
    },
  }
}

const twoNamed = ({ entries = [], ...more }: FakeAnswer): FakeAnswer => ({
  ...more,
  entries: entries.map((entry) =>
    entry.dn.startsWith('cn=team-05,') ? { ...entry, attributes: { ...entry.attributes, cn: ['team-05', 'team five'] } } : entry,
  ),
})
