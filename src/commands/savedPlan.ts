import type { WorkspaceName } from '../core/mapping.ts'
import type { Service } from '../core/memory/entry.ts'
import { parsePlan, planBytesMax } from '../render/savedPlan.ts'
import type { Settings } from '../settings/schema.ts'
import { elsewhere, serviceOf } from '../settings/service.ts'
import { type Terminal, UsageError } from './command.ts'
import { inputName, readInput } from './input.ts'
import { type ReviewedPlan, type Shown, shownAs } from './reviewed.ts'
import type { SavedWorkspaces } from './workspaces.ts'

const takesPlan = 'apply takes a plan that plan --out has saved; without a file it makes a fresh plan'

/** A plan that `plan --out` saved, as `apply FILE` uses it. */
export type ReviewedFile = {
  readonly workspaces: SavedWorkspaces
  readonly reviewed: ReadonlyMap<WorkspaceName, ReviewedPlan>
  /** Where it would be written. */
  readonly service: Service
}

/** @throws {UsageError} if the file is no saved plan */
export async function readSavedPlan(file: string, terminal: Terminal, signal: AbortSignal): Promise<ReviewedFile> {
  const from = inputName(file)
  const read = await readInput(file, planBytesMax, terminal, signal)
  if ('why' in read) throw new UsageError(`${from}: ${read.why}`, { cure: takesPlan })
  const parsed = parsePlan(read.bytes.toString('utf8'))
  // A declaration or settings, as for `kubectl apply`.
  const cureOfText = /\.ya?ml$/i.test(file) ? takesPlan : undefined
  if (parsed.kind === 'unreadable') throw new UsageError(`${from} is not a saved plan: ${parsed.why}`, { cure: cureOfText ?? parsed.cure })
  const { workspaces } = parsed.plan
  return {
    workspaces: { from, names: new Set(workspaces.map(({ workspace }) => workspace)) },
    reviewed: new Map(
      workspaces.map(({ workspace, fingerprint, laterUntilMs, changes, waits }) => [
        workspace,
        { fingerprint, laterUntilMs, shown: shownIn(changes, waits) },
      ]),
    ),
    service: {
      host: workspaces[0]?.host ?? '',
      slugs: Object.fromEntries(workspaces.map(({ workspace, slug }) => [workspace, slug])),
    },
  }
}

type SavedWorkspace = Extract<ReturnType<typeof parsePlan>, { readonly kind: 'plan' }>['plan']['workspaces'][number]

const shownIn = (changes: SavedWorkspace['changes'], waits: SavedWorkspace['waits']): ReadonlyMap<string, Shown> =>
  new Map([...changes.map(({ id }) => [id, 'written'] as const), ...waits.map(({ id, reason }) => [id, shownAs(reason)] as const)])

/**
 * @param only the workspaces that are applied
 * @throws {UsageError} if the plan is about another service than the settings. It would be stale in any case; this says why
 */
export function requireSameService(
  { workspaces: { from }, service }: ReviewedFile,
  settings: Settings,
  only: ReadonlySet<string> | undefined,
): void {
  const slugs = Object.entries(service.slugs).filter(([name]) => only?.has(name) !== false)
  const about = elsewhere({ host: service.host, slugs: Object.fromEntries(slugs) }, serviceOf(settings))
  if (about === undefined) return
  throw new UsageError(`${from} was saved for ${about}, as the settings name now`, {
    cure: 'apply it with the settings with which it was saved, or save a new plan: plan --out FILE',
  })
}
