import { readers } from './latency/readers.ts'
import { standIn } from './latency/standIn.ts'
import { groupsOfTree, membersEach } from './latency/world.ts'
import { median, ms, type Row } from './row.ts'

/** A walk takes some 13 s, so that seven of them would take longer than a minute. */
const rounds = 3
const latencyMs = 20
const goal = { time: 1 / 3, requests: 1.3 }

/** Reads 500 groups three deep with the numbers of their members, and compares time and requests with a walk that asks for one list after the other. */
export async function walkRow(): Promise<Row> {
  await using server = await standIn('keycloak', 'tree', latencyMs)
  const [ours, theirs]: [Cost[], Cost[]] = [[], []]
  async function cost(read: () => Promise<number>): Promise<Cost> {
    const before = await server.requests()
    const begun = performance.now()
    const found = await read()
    const tookMs = performance.now() - begun
    if (found !== groupsOfTree) throw new Error(`${found} groups were found`)
    return { tookMs, requests: (await server.requests()) - before }
  }
  for (let round = 0; round < rounds; round++) {
    ours.push(await cost(() => countedGroups(server.url)))
    theirs.push(await cost(() => walk(new URL(server.url))))
  }
  const [our, their] = [ours, theirs].map((costs) => ({
    tookMs: median(costs.map(({ tookMs }) => tookMs)),
    requests: median(costs.map(({ requests }) => requests)),
  })) as [Cost, Cost]
  const [ratio, more] = [our.tookMs / their.tookMs, our.requests / their.requests]
  return {
    measure: `${groupsOfTree} groups by keycloak, three deep, with member counts, ${latencyMs} ms for each answer (median of ${rounds})`,
    figure: `${ms(our.tookMs)}, ${our.requests} requests`,
    against: `one list after the other: ${ms(their.tookMs)}, ${their.requests} requests (${more.toFixed(2)})`,
    ratio,
    goal: `≤ 1/3, requests ≤ ${goal.requests}`,
    reached: ratio <= goal.time && more <= goal.requests,
  }
}

type Cost = { readonly tookMs: number; readonly requests: number }

/** The groups whose number of people was read. */
async function countedGroups(address: string): Promise<number> {
  const reading = await readers.keycloak(address).read(new AbortController().signal)
  if (reading.status !== 'complete') throw new Error(`not read whole: ${reading.status}`)
  return [...reading.value.values()].flat().filter(({ size }) => size?.most === membersEach - 1).length
}

type Walked = { readonly id: string; readonly subGroupCount: number }
const pageSize = 100

/** Asks for a token, the groups, the children of each group that has some, and the members of each: each list to its end, one request at a time. */
async function walk(url: URL): Promise<number> {
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'reader', client_secret: 'the-secret-of-the-reader' })
  const token = await fetch(new URL('/realms/t/protocol/openid-connect/token', url), { method: 'POST', body: form })
  const { access_token } = (await token.json()) as { readonly access_token: string }
  const headers = { authorization: `Bearer ${access_token}` }
  async function list<Item>(path: string): Promise<readonly Item[]> {
    const items: Item[] = []
    for (;;) {
      const query = `first=${items.length}&max=${pageSize}&briefRepresentation=true`
      const page = (await (await fetch(new URL(`/admin/realms/t${path}?${query}`, url), { headers })).json()) as readonly Item[]
      items.push(...page)
      if (page.length < pageSize) return items
    }
  }
  const found: Walked[] = [...(await list<Walked>('/groups'))]
  let counted = 0
  for (const { id, subGroupCount } of found) {
    const path = `/groups/${encodeURIComponent(id)}`
    if (subGroupCount > 0) found.push(...(await list<Walked>(`${path}/children`)))
    const members = await list<{ readonly enabled: boolean }>(`${path}/members`)
    if (members.filter(({ enabled }) => enabled).length === membersEach - 1) counted++
  }
  return counted
}
