import { join } from 'node:path'
import { toolsOfServer } from './cluster/cluster.ts'
import { done } from './programs.ts'

/** Teaches the cluster the kinds of the Prometheus Operator that the chart makes. A second call changes nothing. */
export async function addMonitoringKinds(): Promise<void> {
  await done('kubectl', ['apply', '--server-side', '-f', join(toolsOfServer, 'kinds')])
  await done('kubectl', ['wait', '--for=condition=Established', '--timeout=60s', 'crd', ...kinds])
}

const kinds = ['servicemonitors', 'prometheusrules'].map((name) => `${name}.monitoring.coreos.com`)
