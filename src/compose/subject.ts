import { createHash } from 'node:crypto'
import { budgetNear } from '../core/budgetNear.ts'
import type { Waiver } from '../core/guards.ts'
import type { Memory } from '../core/memory.ts'
import type { Policy } from '../core/policy.ts'
import type { SubjectAbout } from '../cycle.ts'
import type { Plane } from '../plane/client.ts'
import type { PlaneWorkspace } from '../plane/mappings.ts'
import type { Queue } from '../plane/queue.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { type Asking, doubting } from './reader.ts'

/** One workspace of the settings, bound to its slug, its credential and what talks to the service with it. */
export type Bound = {
  readonly workspace: PlaneWorkspace
  readonly credential: string
  readonly plane: Plane
  readonly read: Asking
  readonly policy: Policy
  readonly suspend: boolean | 'grants'
}

type Surroundings = {
  readonly loaded: LoadedSettings
  readonly waivers: readonly Waiver[]
  readonly memory: () => Memory
  readonly now: () => number
  readonly host: string
  readonly queue: Queue
}

/** What a cycle sees of one workspace: it can read, and nothing of it can write. */
export function subjectOf(
  { workspace, credential, read: asking, policy, suspend }: Bound,
  { loaded, waivers, memory, host, queue }: Surroundings,
): SubjectAbout & { readonly credential: string } {
  const { roles, guards, service } = loaded.settings
  const read = doubting(asking, workspace.name, service.shrink, memory)
  return {
    workspace: workspace.name,
    credential,
    suspend,
    read,
    guards,
    waivers,
    options: { origin: `${host}/${workspace.slug}`, policy, roles, hash: sha256 },
    async about(existing, signal) {
      const { limit: requests } = queue.view()
      const { reserve, window } = service.limit
      const groupSync = existing ? await read.groupSync(signal).catch(() => undefined) : undefined
      return {
        ...{ workspace: workspace.name, slug: workspace.slug, host, policy, suspend, credential, roles },
        perMinute: Math.max(1, Math.floor((requests * (1 - reserve) * 60_000) / window)),
        quietCalls,
        unknownOutcomeWaitMs: service.unknownOutcomeWait,
        ...(groupSync === undefined ? {} : { groupSync }),
      }
    },
    findings({ changes }) {
      const { limit, others } = queue.view()
      const { reserve, window } = service.limit
      const seen = { credential, limit, allowed: limit - Math.ceil(limit * reserve), others, windowMs: window }
      return budgetNear(seen, quietCalls + changes.length)
    },
  }
}

/** Of one fresh read: both lists and a page of projects. */
const quietCalls = 3

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
