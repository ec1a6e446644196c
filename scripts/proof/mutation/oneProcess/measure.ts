import { rm } from 'node:fs/promises'
import type { Mutant, StrykerReport } from '../mutants.ts'
import { type Event, folder } from './exchange.ts'
import { type Instrumented, instrument } from './instrument.ts'
import { runVitest } from './vitestProcess.ts'

type Status = Mutant['status']
/** What is known of the mutants, by their ids, and of the test files, by their paths. */
type Known = {
  readonly statuses: Map<string, Status>
  /** Mutants with which a test was run. */
  readonly tried: Set<string>
  /** After these mutants, tests failed without them. */
  readonly disturbing: Set<string>
  /** Test file → the mutants that its tests reach. In the order in which the files ran. */
  readonly reached: Map<string, ReadonlySet<string>>
  /** Mutants in code that runs while a module is loaded. */
  readonly loaded: Set<string>
}

/**
 * Tries the mutants of StrykerJS, but without its processes: one process of vitest tries them one after the other. Mutants in code that runs
 * while a module is loaded, and those that spoil the process, are tried in a process of their own.
 *
 * @param sources path → source
 */
export async function measureInOneProcess(sources: ReadonlyMap<string, string>, log: (line: string) => void): Promise<StrykerReport> {
  await rm(folder, { recursive: true, force: true })
  const instrumented = await instrument(sources)
  const unreachable = instrumented.mutants.filter(({ isUnreachable }) => isUnreachable)
  const known: Known = {
    statuses: new Map(unreachable.map(({ id }) => [id, 'Ignored'])),
    tried: new Set(),
    disturbing: new Set(),
    reached: new Map(),
    loaded: new Set(),
  }
  await tryTogether(instrumented, known, log)
  await tryAlone(instrumented, known, log)
  const mutantsOf = (path: string) =>
    instrumented.mutants.filter((one) => one.path === path).map((one) => ({ ...one, status: known.statuses.get(one.id) ?? 'Pending' }))
  return { files: Object.fromEntries([...sources].map(([path, source]) => [path, { source, mutants: mutantsOf(path) }])) }
}

/** One process after the other until all test files are finished. A process ends early if a mutant spoils it. */
async function tryTogether({ mutants, sources }: Instrumented, known: Known, log: (line: string) => void): Promise<void> {
  const isOpen = (id: string) => !known.statuses.has(id) && !known.disturbing.has(id)
  for (let isDone = false; !isDone; ) {
    const each = mutants.filter(({ id }) => isOpen(id)).map(({ id }) => id)
    const skipped = [...known.reached.keys()]
    const { events, isStuck, code } = await runVitest({ sources, skipped, mutants: { each } }, (event) => {
      learn(event, known)
      if (event.kind === 'finished') log(`${known.statuses.size} of ${mutants.length} mutants noticed after ${event.file}`)
      return event.kind === 'disturbed' || (event.kind === 'noticed' && event.isTimeout)
    })
    const last = events.findLast(({ kind }) => kind === 'begins')
    if (isStuck && last?.kind === 'begins' && last.mutant !== undefined) known.statuses.set(last.mutant, 'Timeout')
    isDone = !isStuck && code !== null
    if (!isDone) log('the process was spoiled by a mutant; a new one goes on')
    if (known.reached.size === 0 && isDone) throw new Error('vitest ran no test file')
  }
}

function learn(event: Event, { statuses, tried, disturbing, reached, loaded }: Known): void {
  switch (event.kind) {
    case 'begins':
      if (event.mutant !== undefined) tried.add(event.mutant)
      break
    case 'noticed':
      statuses.set(event.mutant, event.isTimeout ? 'Timeout' : 'Killed')
      break
    case 'disturbed':
      disturbing.add(event.mutant)
      break
    case 'finished':
      reached.set(event.file, new Set(event.reached))
      for (const mutant of event.loaded) loaded.add(mutant)
      break
    case 'broken':
      throw new Error(`without mutants, a test fails: ${event.test}: ${event.error}`)
    default:
      event satisfies never
  }
}

/** Each mutant that is left. */
async function tryAlone({ mutants, sources }: Instrumented, known: Known, log: (line: string) => void): Promise<void> {
  const left = mutants.filter(({ id }) => !known.statuses.has(id))
  const needsStart = ({ id }: { readonly id: string }) => known.loaded.has(id) || known.disturbing.has(id) || !known.tried.has(id)
  for (const { id } of left.filter((one) => !needsStart(one))) known.statuses.set(id, 'Survived')
  for (const { id, path, location } of left.filter(needsStart)) {
    const tests = known.loaded.has(id)
      ? testsOfLoaded(
          mutants.filter((one) => one.path === path),
          known,
        )
      : testsOf([id], known)
    const status = tests.length === 0 ? 'NoCoverage' : await statusAlone(id, sources, tests)
    known.statuses.set(id, status)
    log(`${known.statuses.size} of ${mutants.length} mutants tried: ${path}:${location.start.line}: ${status}`)
  }
}

/** The test files that reach one of these mutants. */
const testsOf = (ids: readonly string[], { reached }: Known): readonly string[] =>
  [...reached].filter(([, reached]) => ids.some((id) => reached.has(id))).map(([file]) => file)

/** For code that runs while a module is loaded: the test files that reach other code of the module, or all if it has no other code. */
function testsOfLoaded(ofFile: readonly { readonly id: string }[], known: Known): readonly string[] {
  const some = testsOf(
    ofFile.map(({ id }) => id),
    known,
  )
  return some.length > 0 ? some : [...known.reached.keys()]
}

async function statusAlone(only: string, sources: Readonly<Record<string, string>>, tests: readonly string[]): Promise<Status> {
  const { events, isStuck, code } = await runVitest({ sources, tests, mutants: { only } }, ({ kind }) => kind === 'noticed')
  if (isStuck) return 'Timeout'
  if (events.some(({ kind }) => kind === 'noticed')) return 'Killed'
  return code === 0 ? 'Survived' : 'RuntimeError'
}
