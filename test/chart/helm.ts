import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { toolsFolder } from '../toolsFolder.ts'

export const chart = 'helm/plane-group-sync'
const home = join(toolsFolder, 'kubernetes', 'helm')
/** The environment in which the tools are found. */
export const toolsEnv = {
  ...process.env,
  PATH: `${join(toolsFolder, 'kubernetes', 'bin')}:${process.env['PATH']}`,
  HELM_CACHE_HOME: home,
  HELM_CONFIG_HOME: home,
  HELM_DATA_HOME: home,
}

/** Helm lists each mistake for each kind of directory. Node's own limit, 1 MiB, would cut a thousand of them off without a word. */
const outputBytesMax = 256 * 2 ** 20

/** Runs one of the programs that `.ci/install-kubernetes-tools` installs; rejects with its standard error. */
export const tool = async (name: string, ...args: readonly string[]): Promise<string> => {
  try {
    return (await promisify(execFile)(name, args, { env: toolsEnv, timeout: 30_000, maxBuffer: outputBytesMax })).stdout
  } catch (error) {
    const { code, stderr, stdout } = error as { code?: unknown; stderr?: string; stdout?: string }
    if (code === 'ENOENT') throw new Error(`${name} is not installed: run .ci/install-kubernetes-tools`, { cause: error })
    throw new Error(`${stdout ?? ''}${stderr ?? ''}`, { cause: error })
  }
}

/** The values without which the chart renders nothing. */
export const needed: readonly string[] = ['--values', `${chart}/ci/needed-values.yaml`]

/**
 * The output of `helm template` for the chart; if the arguments name no file of values, with the values that it needs. Some builds of Helm assume
 * Kubernetes 1.20, so this function always passes the version.
 */
export const render = (...args: readonly string[]): Promise<string> =>
  tool('helm', 'template', 'demo', chart, '--kube-version', '1.35.0', ...(args.includes('--values') ? [] : needed), ...args)

export type Manifest = { readonly kind: string; readonly metadata: { readonly name: string }; readonly [field: string]: unknown }

export const manifests = (rendered: string): Manifest[] => parseAllDocuments(rendered).map((document) => document.toJS() as Manifest)

/** The text of the `config.yaml` that the pod reads. */
export const configOf = (rendered: string): string => {
  for (const { kind, metadata, data } of manifests(rendered)) {
    if (kind === 'ConfigMap' && metadata.name.endsWith('-settings')) return (data as { 'config.yaml': string })['config.yaml']
  }
  throw new Error('no ConfigMap with settings')
}
