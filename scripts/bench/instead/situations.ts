import { setTimeout as sleep } from 'node:timers/promises'
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts'
import { median } from '../row.ts'
import { type Bench, type Ended, key, openBench, type Service, type Tool } from './tools.ts'
import { mappingsIn, projects, type Rules, rulesFor, workspaces } from './world.ts'

/** A window of a minute takes 6 s where the limit matters; elsewhere it is out of reach. */
const scale = 10
const limited = { requests: 60, windowMs: 60_000 / scale }
const unlimited = { requests: 10_000, windowMs: 60_000 }

const rules = rulesFor()
const all = mappingsIn(rules)

/** What happened, in the words of a cell. */
export type Situation = { readonly name: string; run(tool: Tool): Promise<string> }

export const situations: readonly Situation[] = [
  {
    name: `first apply of ${all} at 60 a minute: time, answers with 429, reads`,
    run: (tool) =>
      inPlace(tool, limited, rules, async ({ bench, sandbox }) => {
        await bench.run('apply')
        const { requests } = sandbox
        const tookMs = (requests.at(-1)?.receivedAt as number) - (requests[0]?.receivedAt as number)
        const refused = requests.filter(({ status }) => status === 429).length
        const done = made(sandbox) === all ? '' : `, ${made(sandbox)} made, then an error`
        return `${Math.round((tookMs * scale) / 1000)} s, ${refused} × 429, ${gets(requests)} reads${done}`
      }),
  },
  {
    name: 'a plan with nothing to do: calls, time',
    run: (tool) =>
      written(tool, async ({ bench, sandbox }) => {
        const took: number[] = []
        let calls = 0
        for (let n = 0; n < 5; n++) {
          const before = sandbox.requests.length
          took.push((await bench.run('plan')).tookMs)
          calls = sandbox.requests.length - before
        }
        return `${calls}, ${(median(took) / 1000).toFixed(2)} s`
      }),
  },
  {
    name: 'a role was changed in Plane',
    run: (tool) =>
      written(tool, async ({ bench, sandbox }) => {
        const [row] = mappingsOf(sandbox)
        if (row !== undefined) row.role = 'guest'
        const before = sandbox.requests.length
        await bench.run('apply')
        return `${mappingsOf(sandbox)[0]?.role === 'member' ? 'mended' : 'not seen'}, ${sandbox.requests.length - before} calls`
      }),
  },
  {
    name: 'an admin mapping was added by hand',
    run: (tool) =>
      written(tool, async ({ bench, sandbox }) => {
        const [row] = mappingsOf(sandbox)
        if (row === undefined) throw new Error('nothing was made')
        const byHand = { ...row, id: '00000000-0000-4000-8000-000000000001', idp_group_name: 'by-hand', role: 'admin' }
        sandbox.state.workspaces['acme']?.workspaceMappings.push(byHand)
        const { said } = await bench.run('apply')
        const isKept = mappingsOf(sandbox).some(({ idp_group_name: group }) => group === 'by-hand')
        return isKept ? `kept, ${said.includes('by-hand') ? 'and shown as undeclared' : 'not seen'}` : 'deleted, unasked'
      }),
  },
  {
    name: '30 mappings leave the declaration',
    run: (tool) =>
      written(tool, async ({ bench, sandbox }) => {
        const [acme = [], ...others] = Object.values(rules)
        const fewer = { acme: acme.filter(({ group }) => !/team-[678]$/.test(group)), beta: others[0] ?? [], gamma: others[1] ?? [] }
        await bench.declare(fewer)
        const { code } = await bench.run('apply')
        return `${all - made(sandbox)} deleted, exit ${code}`
      }),
  },
  {
    name: 'kill -9 in the middle of 60 creates, ten times, then again: duplicates',
    async run(tool) {
      const few = rulesFor(0.2)
      let twice = 0
      for (let n = 0; n < 10; n++) {
        twice += await inPlace(tool, unlimited, few, async ({ bench, sandbox }) => {
          sandbox.setFaults(['POST *: latency 10ms-40ms'])
          await bench.run('apply', async (kill) => {
            while (posts(sandbox) < 8 + 4 * n) await sleep(2)
            kill()
          })
          await untilDone(bench, sandbox, mappingsIn(few))
          return doubles(sandbox)
        })
      }
      return `${twice}`
    },
  },
  ...[
    ['each tenth answer to a create is lost after the commit', 'POST *: lost after commit for 100ms, every 10th'],
    ['five creates are executed 3 s late', 'POST *: commit late after 3s, every 12th, 5 times'],
  ].map(
    ([name = '', fault = '']): Situation => ({
      name: `${name}: duplicates, runs`,
      run: (tool) =>
        inPlace(tool, unlimited, rulesFor(0.2), async ({ bench, sandbox }) => {
          sandbox.setFaults([fault])
          const runs = await untilDone(bench, sandbox, mappingsIn(rulesFor(0.2)))
          await sleep(4_000)
          return `${doubles(sandbox)}, ${runs} ${runs === 1 ? 'run' : 'runs'}`
        }),
    }),
  ),
  ...[
    ['the lists are empty', 'list lacks 100%'],
    ['the lists lack half of their rows', 'list lacks the same 50%'],
  ].map(
    ([name = '', fault = '']): Situation => ({
      name: `${name}, without a sign: duplicates`,
      run: (tool) =>
        written(tool, async ({ bench, sandbox }) => {
          sandbox.setFaults([`GET workspace-mappings: ${fault}`, `GET project-mappings: ${fault}`])
          await bench.run('apply')
          return `${doubles(sandbox)}`
        }),
    }),
  ),
]

type Here = { readonly bench: Bench; readonly sandbox: Sandbox }

async function inPlace<T>(tool: Tool, limit: Omit<Service, 'url'>, declared: Rules, work: (here: Here) => Promise<T>): Promise<T> {
  const state = { keys: [{ value: key }], workspaces: Object.fromEntries(workspaces.map((workspace) => [workspace, { projects }])) }
  await using sandbox = await startSandbox({ dialect: 'plane', limiter: 'sliding-log', limit, state })
  await using bench = await openBench(tool, { url: sandbox.url, ...limit })
  await bench.declare(declared)
  return await work({ bench, sandbox })
}

/** The same after a first apply of all mappings. */
const written = (tool: Tool, work: (here: Here) => Promise<string>): Promise<string> =>
  inPlace(tool, unlimited, rules, async (here) => {
    const first = await here.bench.run('apply')
    if (made(here.sandbox) !== all) throw new Error(`${tool.name} made ${made(here.sandbox)} of ${all}:\n${first.said.slice(-2_000)}`)
    return work(here)
  })

/** Applies again until all is made and an apply succeeds. Returns the number of runs. */
async function untilDone(bench: Bench, sandbox: Sandbox, count: number): Promise<number> {
  for (let runs = 1; ; runs++) {
    const { code, said }: Ended = await bench.run('apply')
    if (code === 0 && made(sandbox) >= count) return runs
    if (runs === 20) throw new Error(`not done after ${runs} runs:\n${said.slice(-2_000)}`)
  }
}

const mappingsOf = ({ state }: Sandbox) =>
  Object.entries(state.workspaces).flatMap(([, { workspaceMappings, projectMappings }]) => [...projectMappings, ...workspaceMappings])
const made = (sandbox: Sandbox): number => mappingsOf(sandbox).length
const gets = (requests: Sandbox['requests']): number => requests.filter(({ method }) => method === 'GET').length
const posts = ({ requests }: Sandbox): number => requests.filter(({ method }) => method === 'POST').length

function doubles({ state }: Sandbox): number {
  const keys = Object.entries(state.workspaces).flatMap(([workspace, { workspaceMappings, projectMappings }]) => [
    ...workspaceMappings.map(({ idp_group_name: group }) => `${workspace} ${group}`),
    ...projectMappings.map(({ idp_group_name: group, project }) => `${workspace} ${project} ${group}`),
  ])
  return keys.length - new Set(keys).size
}
