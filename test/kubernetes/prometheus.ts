import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { inject } from 'vitest'
import { freePort } from '../functional/freePorts.ts'
import { until } from './until.ts'

type Series = Readonly<Record<string, string>>
type Alert = { readonly labels: Series; readonly annotations: Series; readonly state: 'pending' | 'firing' }

/** A real Prometheus on loopback, with these rules. It reads the metrics of one pod once a second, through the API server. */
export type Prometheus = AsyncDisposable & {
  /** The series of a query at this moment. @throws if the query is wrong */
  query(expression: string): Promise<readonly { readonly metric: Series }[]>
  alerts(): Promise<readonly Alert[]>
}

type Config = {
  readonly clusters: readonly { readonly cluster: { readonly server: string; readonly 'certificate-authority': string } }[]
  readonly users: readonly { readonly user: { readonly token: string } }[]
}

/** @param labels what the Prometheus Operator would add to each series of the pod */
export async function startPrometheus(namespace: string, pod: string, labels: Series, rules: object): Promise<Prometheus> {
  await using left = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'prometheus-'))
  left.defer(() => rm(folder, { recursive: true }))
  const kubeconfig = inject('kubeconfig')
  const { clusters, users } = JSON.parse(await readFile(kubeconfig, 'utf8')) as Config
  const [{ cluster } = { cluster: undefined }] = clusters
  if (cluster === undefined) throw new Error(`${kubeconfig} has no cluster`)
  const tls = { ca_file: resolve(dirname(kubeconfig), cluster['certificate-authority']), server_name: 'kubernetes' }
  const scrape = {
    job_name: 'plane-group-sync',
    scheme: 'https',
    metrics_path: `/api/v1/namespaces/${namespace}/pods/${pod}:9464/proxy/metrics`,
    authorization: { credentials: users[0]?.user.token },
    tls_config: tls,
    static_configs: [{ targets: [new URL(cluster.server).host], labels }],
  }
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: [join(folder, 'rules.yaml')],
    scrape_configs: [scrape],
  }
  await mkdir(join(folder, 'data'))
  await writeFile(join(folder, 'rules.yaml'), JSON.stringify(rules))
  await writeFile(join(folder, 'prometheus.yaml'), JSON.stringify(config), { mode: 0o600 })

  const here = `127.0.0.1:${await freePort()}`
  const args = [`--config.file=${folder}/prometheus.yaml`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=${here}`]
  const child = spawn('prometheus', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (said = (said + text).slice(-4_000)))
  const ended = once(child, 'close')
  left.defer(async () => {
    child.kill()
    await ended
  })

  const ask = async <Data>(path: string): Promise<Data> => {
    const answer = await fetch(`http://${here}/api/v1/${path}`)
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { data: Data }).data
  }
  const query = async (expression: string) =>
    (await ask<{ result: readonly { metric: Series }[] }>(`query?query=${encodeURIComponent(expression)}`)).result
  const read = async () => ((await query('plane_group_sync_build_info')).length > 0 ? true : undefined)
  await until('the metrics of the pod in Prometheus', read, { state: async () => said })
  const stack = left.move()
  return {
    query,
    alerts: async () => (await ask<{ alerts: readonly Alert[] }>('alerts')).alerts,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
