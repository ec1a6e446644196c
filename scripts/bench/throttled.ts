import type { LoggedRequest } from '../../src/sandbox/request-log.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { folderWith, start } from './program.ts'
import type { Row } from './row.ts'

const changes = 300
const limit = 60
/** This window stands for a window of a minute. */
const windowMs = 6_000
const goal = 1.02

/**
 * Measures 300 creates by the real program against a sliding log, from the first request to the last answer. The bound assumes bursts of
 * (limit − reserve) requests. Each burst starts one window after the answer to the first request of the burst before. The last burst takes one
 * round trip for each of its requests.
 *
 * @param reserve in percent
 */
export async function throttledRow(reserve: number): Promise<Row> {
  const groups = Array.from({ length: changes }, (_, index) => `group-${index}`)
  await using sandbox = await startSandbox({ dialect: 'plane', limiter: 'sliding-log', limit: { requests: limit, windowMs } })
  await using folder = await folderWith({
    'config.yaml': `version: 1
service:
  baseUrl: "${sandbox.url}"
  credential: { apiKey: { file: key } }
  limit: { requests: ${limit}, window: ${windowMs}ms, reserve: ${reserve}% }
workspaces: { acme: {} }
declaration: groups.yaml
directories: { corp: { kind: file, path: corp.yaml } }
guards: { creates: { count: ${changes} } }
journal: { folder: state }
`,
    'groups.yaml': JSON.stringify({ version: 1, workspaces: { acme: { projectRoles: [{ groups, project: 'ENG', role: 'member' }] } } }),
    'corp.yaml': JSON.stringify({ groups: groups.map((name) => ({ name })) }),
    key: 'sandbox-key\n',
  })
  await start(['apply', '--yes', '--no-wait', '--config', 'config.yaml'], folder.path).ended

  const { requests } = sandbox
  const tookMs = (requests.at(-1)?.answeredAt as number) - (requests[0]?.receivedAt as number)
  const burst = limit - Math.ceil((limit * reserve) / 100)
  const bursts = Math.ceil(requests.length / burst)
  const last = requests.length - (bursts - 1) * burst
  const boundMs = (bursts - 1) * (windowMs + 1) + last * roundTripMs(requests)
  const refused = requests.filter(({ status }) => status === 429).length
  return {
    measure: `${changes} changes, ${requests.length} requests, limit ${limit}, reserve ${reserve} %`,
    figure: `${(tookMs / 1000).toFixed(2)} s, ${refused} answers with 429`,
    against: `(⌈${requests.length} ÷ ${burst}⌉ − 1) windows of ${windowMs / 1000} s + ${last} round trips: ${(boundMs / 1000).toFixed(2)} s`,
    ratio: tookMs / boundMs,
    goal: `≤ ${goal}, no 429`,
    reached: tookMs <= goal * boundMs && refused === 0,
  }
}

/** The median time between two requests. Most requests do not wait for a window, so this is one round trip. */
function roundTripMs(requests: readonly LoggedRequest[]): number {
  const gaps = requests.slice(1).map(({ receivedAt }, index) => receivedAt - (requests[index] as LoggedRequest).receivedAt)
  return gaps.toSorted((a, b) => a - b)[gaps.length >> 1] as number
}
