import { realClock } from '../compose/realClock.ts'
import { closedDoor } from '../core/doors.ts'
import { visible } from '../core/safeName.ts'
import type { Approvable, WaitingPlan } from '../render/approvable.ts'
import { isSayable, waiverYaml } from '../render/waiverYaml.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { type Call, type ExitCode, exitCodes } from './command.ts'

/** `several`: the ID, if it is that of several changes: of a set or of the whole plan. */
export type Known = {
  readonly workspace: string
  readonly id: string
  readonly several?: string
  readonly plan: WaitingPlan
  readonly approvables: readonly Approvable[]
}

/** How long words let their changes pass, and why. */
type WordsEnd = { readonly reason: string; readonly forMs: number }

type Words = Extract<Approvable, { readonly kind: 'words' }>

/** Prints which approvals lack the number of people. @returns whether there are any */
export function reportUncounted(known: readonly Known[], { terminal }: Pick<Call, 'terminal'>): boolean {
  const rows = known.flatMap(({ id, approvables }) =>
    approvables.flatMap((approvable) =>
      approvable.kind === 'uncounted' ? [`${id}: ${visible(approvable.sentence)}\n  ${visible(approvable.cure)}\n`] : [],
    ),
  )
  for (const row of rows) terminal.err(row)
  return rows.length > 0
}

/** Prints the YAML. What words cannot say is told on standard error. */
export function printWords(
  known: readonly Known[],
  { reason, forMs }: WordsEnd,
  { settings }: LoadedSettings,
  { terminal }: Pick<Call, 'terminal'>,
): ExitCode {
  const entries = new Map<string, readonly Words[]>()
  let isWhole = !reportUncounted(known, { terminal })
  for (const { workspace, id, approvables } of known)
    for (const approvable of approvables) {
      if (approvable.kind === 'words' && isSayable(approvable)) entries.set(workspace, [...(entries.get(workspace) ?? []), approvable])
      else if (approvable.kind !== 'uncounted') {
        isWhole = false
        const cure = approvable.kind === 'pass' ? approvable.cure : 'a role is called none, which means no mapping in words'
        const now = settings.approvals === 'any' ? '  beside a daemon: add --now\n' : ''
        terminal.err(`No words of a file approve ${id}: ${visible(approvable.sentence)}\n  ${visible(cure)}\n${now}`)
      }
    }
  if (entries.size > 0 && !mayHaveWaivers(settings))
    terminal.err(
      `No file may have these words: name one in the setting waivers.files${settings.approvals === 'any' ? '; or, beside a daemon, add --now' : ''}.\n`,
    )
  if (entries.size > 0) terminal.out(terminal.secrets.scrub(waiverYaml(entries, { untilMs: realClock.wall() + forMs, reason })))
  return isWhole ? exitCodes.done : exitCodes.refused
}

/** Refuses `--now`, and prints the words that a file can have instead. */
export function printInstead(known: readonly Known[], wanted: WordsEnd, loaded: LoadedSettings, call: Call): ExitCode {
  const { sentence } = closedDoor([])
  call.terminal.err(`Nothing was approved: ${sentence}. Write these words in a file that may have waivers, and let it be reviewed:\n`)
  printWords(known, wanted, loaded, call)
  return exitCodes.refused
}

const mayHaveWaivers = ({ waivers, fences = {} }: LoadedSettings['settings']): boolean =>
  waivers.files.length > 0 || Object.values(fences).some((fence) => fence !== 'everything' && fence.may.includes('waivers'))
