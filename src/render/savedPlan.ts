import type { Change, ChangeId } from '../core/change.ts'
import { jsonIn } from '../core/jsonText.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import { planFormat } from '../core/plan.ts'
import { changeFromDocument } from './documentParts.ts'
import { documentFormat } from './json.ts'

/** The parts of a saved plan that `apply` needs: the reviewed plan's fingerprint and changes, for each workspace. */
type SavedPlan = {
  readonly workspaces: readonly {
    readonly workspace: WorkspaceName
    readonly slug: string
    readonly host: string
    readonly fingerprint: string
    readonly laterUntilMs: number
    readonly changes: readonly Change[]
    /** The changes that the plan holds, and the reasons. */
    readonly waits: readonly { readonly id: ChangeId; readonly reason: SavedReason }[]
  }[]
}

type SavedReason = { readonly kind: string; readonly why?: string }
type DocumentHold = { readonly change?: { readonly id: ChangeId }; readonly reason: SavedReason }

type ParsedPlan =
  | { readonly kind: 'plan'; readonly plan: SavedPlan }
  | { readonly kind: 'unreadable'; readonly why: string; readonly cure: string }

/** Far above the plan of a large workspace; a larger file is not a plan. */
export const planBytesMax = 100_000_000
/** A character has at least a byte. */
const charactersMax = planBytesMax

/**
 * Reads a document of `planJson`. It checks all that `apply` relies on: format, version, fingerprints, the shape of the changes. Unknown keys
 * are ignored, because keys may be added within a version.
 */
export function parsePlan(text: string): ParsedPlan {
  if (text.length > charactersMax) return unreadable(`it has ${text.length} characters`)
  // Some editors begin a file with a byte order mark, which a reader may ignore (RFC 8259 §8.1).
  const document = jsonIn(text.startsWith('\ufeff') ? text.slice(1) : text)
  if (document === undefined) return unreadable('it is not JSON, or cut off')
  if (!isRecord(document) || document.format !== documentFormat) return unreadable(`its format is not ${documentFormat}`)
  if (document.version !== planFormat) {
    return unreadable(`it is of version ${JSON.stringify(document.version)}, this program applies version ${planFormat}`)
  }
  if (!Array.isArray(document.workspaces) || document.workspaces.length === 0) return unreadable('it has no workspaces')
  const workspaces = new Map<WorkspaceName, SavedPlan['workspaces'][number]>()
  for (const [index, entry] of (document.workspaces as readonly unknown[]).entries()) {
    const place = `workspaces[${index}]`
    if (!isRecord(entry) || !isText(entry.workspace)) return unreadable(`${place} has no name`)
    const workspace = entry.workspace as WorkspaceName
    if (workspaces.has(workspace)) return unreadable(`${place} names a workspace that an earlier entry names, too`)
    if (entry.standing === 'failed') return unreadable(`the workspace ${JSON.stringify(entry.workspace)} could not be planned`)
    if (!isText(entry.fingerprint) || !/^[0-9a-f]{64}$/.test(entry.fingerprint)) return unreadable(`${place} has no fingerprint`)
    const laterUntilMs = isText(entry.laterUntil) ? Date.parse(entry.laterUntil) : Number.NaN
    if (Number.isNaN(laterUntilMs)) return unreadable(`${place} has no laterUntil`)
    if (!isText(entry.slug) || !isText(entry.host)) return unreadable(`${place} has no slug or no host`)
    if (!Array.isArray(entry.changes)) return unreadable(`${place} has no changes`)
    const read = entry.changes.map(changeIn)
    const wrong = read.indexOf(undefined)
    if (wrong >= 0) return unreadable(`${place}.changes[${wrong}] is no change that this program knows`)
    if (!Array.isArray(entry.holds) || !entry.holds.every(isHold)) return unreadable(`${place} has no holds`)
    workspaces.set(workspace, {
      workspace,
      slug: entry.slug,
      host: entry.host,
      fingerprint: entry.fingerprint,
      laterUntilMs,
      changes: read.filter((change) => change !== undefined),
      waits: (entry.holds as readonly DocumentHold[]).flatMap(({ change, reason }) =>
        change === undefined ? [] : [{ id: change.id, reason }],
      ),
    })
  }
  return { kind: 'plan', plan: { workspaces: [...workspaces.values()] } }
}

const unreadable = (why: string): ParsedPlan => ({
  kind: 'unreadable',
  why,
  cure: 'save it again with plan --out, with this version of the program',
})

function changeIn(document: unknown): Change | undefined {
  try {
    return changeFromDocument(document)
  } catch {
    return undefined
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isHold = (value: unknown): boolean =>
  isRecord(value) &&
  isRecord(value.reason) &&
  isText(value.reason.kind) &&
  (value.change === undefined || (isRecord(value.change) && isText(value.change.id)))
