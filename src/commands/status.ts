import { realClock } from '../compose/realClock.ts'
import { compare } from '../core/compare.ts'
import { OperationalError } from '../core/operationalError.ts'
import type { FenceOwnerOf } from '../core/ownerOf.ts'
import { durationText, listedFirst } from '../core/quantity.ts'
import { visible } from '../core/safeName.ts'
import type { LastDocument } from '../documents/last.ts'
import type { RunningDocument } from '../documents/running.ts'
import type { StatusDocument } from '../documents/status.ts'
import type { Holder } from '../journal/holder.ts'
import { lastDocumentFile } from '../journal/lastDocument.ts'
import { documentText } from '../render/documentText.ts'
import { ofOwner, ownersIn } from '../render/ofOwner.ts'
import { runningText } from '../render/runningText.ts'
import { statusText } from '../render/statusText.ts'
import { fenceOwners } from '../settings/notify.ts'
import { serviceOf } from '../settings/service.ts'
import { type Command, choice, exitCodes, text, UsageError } from './command.ts'
import { groupFormats } from './description.ts'
import { type FoundLast, lastOf, ofWorkspaces } from './leaveLast.ts'
import { ownHolder } from './orders/askDaemon.ts'
import { askRunning } from './orders/askRunning.ts'
import { openSettingsWithoutKey } from './settings.ts'
import { hasColours } from './terminal.ts'
import { onlyWorkspaces } from './workspaces.ts'

export const command: Command = {
  async run({ values, terminal, signal }) {
    const format = choice('format', values.format, groupFormats, 'text')
    const owner = text(values.owner)
    const { settings, path } = await openSettingsWithoutKey(values, terminal, signal)
    const only = onlyWorkspaces(values, settings)
    if (settings.journal === 'none')
      throw new UsageError('these settings have no journal, so a daemon leaves nothing that status could read', {
        cure: 'name a folder with journal.folder; or use plan, which asks Plane',
      })
    const folder = path(settings.journal.folder)
    const service = serviceOf(settings)
    const holder = await ownHolder(folder, service, terminal)
    const asked = holder?.as === 'daemon' ? askRunning({ folder, token: holder.token, service }, undefined, signal) : undefined
    const [foundLast, answer] = await Promise.all([lastOf(folder, service), asked])
    const running = answer?.running
    if (foundLast.kind !== 'last') throw noDocument(foundLast, folder, holder, running)
    const nowMs = realClock.wall()
    const ownerOfFile = fenceOwners(settings)
    const status = statusOf(narrowed(foundLast.last, { only, owner, ownerOfFile }), holder, running, nowMs)
    const shown = { ...status, trouble: status.trouble.map(terminal.secrets.scrub) }
    if (owner !== undefined) terminal.err(ownerNote(owner, ownersIn(foundLast.last, ownerOfFile)))
    const colour = hasColours(terminal.env, terminal.isTerminal.out, values)
    const all = values.all === true
    terminal.out(format === 'json' ? `${documentText(shown)}\n` : `${statusText(shown, { colour, width: terminal.columns, all }, owner)}\n`)
    if (!terminal.isTerminal.out) for (const sentence of shown.trouble) terminal.err(`${sentence}\n`)
    return status.trouble.length === 0 ? exitCodes.done : exitCodes.failed
  },
}

const startIt = 'start the daemon: plane-group-sync run'

function noDocument(
  problem: Exclude<FoundLast, { readonly kind: 'last' }>,
  folder: string,
  holder: Holder | undefined,
  running: RunningDocument | undefined,
) {
  const isDaemon = holder?.as === 'daemon'
  if (problem.kind === 'elsewhere')
    return new OperationalError('LastElsewhere', problem.why, {
      cure: 'name the settings of that service with --config, or give these settings a journal.folder of their own',
    })
  if (problem.kind === 'unusable')
    return new OperationalError('LastUnusable', problem.why, {
      cure: problem.cure ?? (isDaemon ? 'the next cycle of the daemon writes it anew; plan asks Plane' : `${startIt}; plan asks Plane`),
    })
  return new OperationalError(
    'NoLast',
    `${lastDocumentFile(folder)}: there is no such file, so no daemon has ended a cycle with this journal`,
    {
      cure: isDaemon
        ? `the daemon runs: wait until its first cycle ends; ${running === undefined ? 'its log says what it does' : runningText(running, realClock.wall())}`
        : `${startIt}; or use plan, which asks Plane`,
    },
  )
}

/** Names may be wrong, so the owners that have rows are told. Empty if this owner has some. */
function ownerNote(owner: string, known: ReadonlySet<string>): string {
  if (known.has(owner)) return ''
  const owners = [...known].toSorted(compare)
  const names = listedFirst(owners.slice(0, ownersMax).map(visible), owners.length)
  return `Nothing waits because of a rule of ${visible(owner)}${owners.length === 0 ? '' : `; these owners have rows: ${names}`}\n`
}

const ownersMax = 10

type Narrowing = {
  readonly only: ReadonlySet<string> | undefined
  readonly owner: string | undefined
  readonly ownerOfFile: FenceOwnerOf
}

function narrowed(last: LastDocument, { only, owner, ownerOfFile }: Narrowing): LastDocument {
  const named = only === undefined ? last : ofWorkspaces(last, only)
  return owner === undefined ? named : ofOwner(named, owner, ownerOfFile)
}

/** What is wrong with the daemon: none holds the journal, it has missed two cycles, or its last cycles could not be left here. */
function statusOf(last: LastDocument, holder: Holder | undefined, running: RunningDocument | undefined, nowMs: number): StatusDocument {
  const ageMs = Math.max(0, nowMs - Date.parse(last.ended))
  const isDaemon = holder?.as === 'daemon'
  // A cycle that runs is not missed, however long it takes.
  const isOverdue = running === undefined && nowMs > Date.parse(last.overdue)
  const otherHolder =
    holder === undefined
      ? ''
      : `; process ${holder.pid} on ${holder.host} holds it, and is no daemon${holder.as === undefined ? '' : ` but ${holder.as}`}`
  return {
    format: 'plane-group-sync/status',
    version: 1,
    at: new Date(nowMs).toISOString(),
    ageMs,
    daemon: !isDaemon ? 'none' : holder.token === last.lock ? 'running' : 'restarted',
    ...(running === undefined ? {} : { running }),
    trouble: !isDaemon
      ? [`No daemon holds the journal${otherHolder}. What follows is ${durationText(ageMs)} old. To go on, ${startIt}`]
      : isOverdue
        ? [
            `The last cycle in last.json ended ${durationText(ageMs)} ago: since then two cycles are missed, or the file could not be written. The log of the daemon says why`,
          ]
        : [],
    last,
  }
}
