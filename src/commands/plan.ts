import { resolve } from 'node:path'
import { counted } from '../core/quantity.ts'
import type { Waiver } from '../core/waiver.ts'
import type { CycleReport } from '../cycle/cycleReport.ts'
import { applySaved } from '../render/commandLine.ts'
import { savedBesideDaemonText } from '../render/invalidDeclaration.ts'
import { commentMax } from '../render/markdown.ts'
import type { LoadedSettings } from '../settings/load.ts'
import { fenceOwners } from '../settings/notify.ts'
import type { Settings } from '../settings/schema.ts'
import { requireOpenDoor, unmatchedText, waiversOf } from './allowOption.ts'
import { type Call, type Command, choice, exitCodes, type Terminal, text, texts, UsageError } from './command.ts'
import { type Format, failOn, formats } from './description.ts'
import { exitCode, type FailOn } from './exitCode.ts'
import { stream } from './input.ts'
import type { Open } from './open.ts'
import { reportOfOwner } from './planOfOwner.ts'
import { failuresText, renderReport, type ShownHow } from './render.ts'
import { requireNoInput } from './requireNoInput.ts'
import { saveOut } from './saveOut.ts'
import { onlyWorkspaces } from './workspaces.ts'

export const command: Command = {
  async run({ values, terminal, signal }) {
    const format = choice('format', values.format, formats, 'text')
    const lengthMax = lengthOf(text(values['max-length']), format)
    const fails = failsOf(texts(values['fail-on']))
    if (values['detailed-exitcode'] === true) fails.add('changes')
    const waivers = waiversOf(values, terminal)
    const out = text(values.out)
    const owner = text(values.owner)
    if (owner !== undefined && out !== undefined)
      throw new UsageError('--owner shows a part of a plan, and --out saves the whole: leave out one of them')
    const planned = await plannedBy(values, terminal, waivers, signal)
    const { before, fences, ...whole } = planned
    const { report, nowMs, ...how } =
      owner === undefined ? whole : { ...whole, ...reportOfOwner(whole.report, whole.differences, owner, fenceOwners({ fences }), before) }
    const saved = out === undefined ? '' : renderReport(report, 'json', terminal, values, nowMs)
    // Standard output gets one document: the saved form, if it goes there.
    if (out === stream) terminal.out(saved)
    else terminal.out(renderReport(report, format, terminal, values, nowMs, { ...how, lengthMax }))
    if (out !== undefined && out !== stream) {
      await saveOut(out, 'the plan', terminal.secrets.scrub(saved), signal)
      if (terminal.isTerminal.err && values.quiet !== true) terminal.err(`saved; to write exactly this plan: ${applySaved(out)}\n`)
    }
    if (whole.undeclared !== undefined && values.quiet !== true) terminal.err(noDeclarationText(whole.undeclared))
    terminal.err(failuresText(report, terminal))
    const beside = out === undefined ? '' : savedBesideDaemonText(report.declaration, out === stream ? 'apply FILE' : applySaved(out))
    if (beside !== '') terminal.err(`${beside}\n`)
    terminal.err(unmatchedText(waivers, report))
    return signal.aborted ? exitCodes.failed : exitCode(report, fails)
  },
}

/** The next step of a person who has set three variables, and nothing else. */
const noDeclarationText = (mappings: number): string =>
  `Plane has ${counted(mappings, 'mapping')} here, and there is no declaration to compare with. Next, either of these:
  plane-group-sync init
  plane-group-sync export > groups.yaml && plane-group-sync plan --declaration groups.yaml
`

/** `before`: the report of the base. `fences`: of the settings. `undeclared`: how many mappings there are, without any declaration. */
type Planned = {
  readonly report: CycleReport
  readonly nowMs: number
  readonly before?: CycleReport
  readonly fences: Settings['fences']
  readonly undeclared?: number | undefined
} & ShownHow

/** A plan of a recording needs no network, so what asks over it is not loaded. */
async function plannedBy(values: Call['values'], terminal: Terminal, waivers: readonly Waiver[], signal: AbortSignal): Promise<Planned> {
  const listsUnchanged = values.all === true
  const [file, out] = [text(values.recorded), text(values.out)]
  if (file === undefined) {
    const alone = onlyRecorded.find((name) => values[name] !== undefined)
    if (alone !== undefined) throw new UsageError(`--${alone} belongs to --recorded FILE`)
    const place = text(values.declaration)
    if (place !== undefined && out !== undefined)
      throw new UsageError('--out saves a plan for apply, which plans from the declaration of the settings: leave out --declaration')
    const [{ dryCycle, openProgramOf }, { openSettings }] = await Promise.all([import('./open.ts'), import('./settings.ts')])
    const loaded = withDeclaration(await openSettings(values, terminal, signal, 'environment'), place)
    await using open = await openProgramOf(loaded, values, terminal, waivers, signal)
    requireOpenDoor(waivers, loaded.settings)
    if (out !== undefined && out !== stream) await requireNoInput('--out', out, loaded)
    const only = onlyWorkspaces(values, loaded.settings)
    // A plan without a declaration asks Plane nothing, so a wrong key would look right.
    const undeclared = loaded.lacksDeclaration === true ? await mappingsIn(open, signal) : undefined
    return {
      report: await dryCycle(open, { only, listsUnchanged }, signal),
      nowMs: open.world.clock.now(),
      fences: loaded.settings.fences,
      undeclared,
    }
  }
  if (out !== undefined)
    throw new UsageError('--out saves no plan of a recording: what is applied must be planned from what Plane has now', {
      cure: 'leave out --out; -o json prints the plan as a document',
    })
  const { planRecorded } = await import('./recordedPlan.ts')
  return planRecorded(file, values, terminal, waivers, signal)
}

async function mappingsIn({ program }: Pick<Open, 'program'>, signal: AbortSignal): Promise<number> {
  const { allMappings } = await import('./export.ts')
  const all = await Promise.all([...program.sources.bindings.values()].flat().map(({ read }) => allMappings(read, signal)))
  return all.flat().length
}

const onlyRecorded = ['recorded-max-age', 'base', 'base-ref', 'at'] as const

/** The settings with this file or folder in place of their declaration. It is looked for from the current folder, as every file of a command line. */
function withDeclaration(loaded: LoadedSettings, place: string | undefined): LoadedSettings {
  if (place === undefined) return loaded
  const { lacksDeclaration: _, ...named } = loaded
  return { ...named, settings: { ...loaded.settings, declaration: resolve(place) } }
}

function lengthOf(given: string | undefined, format: Format): number | undefined {
  if (given === undefined) return undefined
  if (format !== 'markdown') throw new UsageError('--max-length is for --format markdown: no other format is cut')
  const length = /^\d{1,9}$/.test(given) ? Number(given) : 0
  if (length < commentMax.least)
    throw new UsageError(`--max-length takes a number of characters, ${commentMax.least} or more, not "${given}"`)
  return length
}

/** @param lists the values of `--fail-on`, each with commas; all of them count */
function failsOf(lists: readonly string[]): Set<FailOn> {
  const named = lists.flatMap((list) => list.split(',')).map((word) => word.trim())
  const fails = new Set<FailOn>()
  for (const name of named.filter((word) => word !== '')) {
    const reason = failOn.find((candidate) => candidate === name)
    if (reason === undefined) throw new UsageError(`--fail-on takes ${failOn.join(', ')} (several with commas), not "${name}"`)
    fails.add(reason)
  }
  if (lists.length > 0 && fails.size === 0)
    throw new UsageError(`--fail-on takes ${failOn.join(', ')} (several with commas), not only commas`)
  return fails
}
