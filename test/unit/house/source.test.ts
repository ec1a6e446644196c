import { describe, expect, test } from 'vitest'
import { codeOf, filesBelow, type SourceFile } from './files.ts'

const source = filesBelow('src', '.ts')

/** `file:line: the line` for each line of the code that matches. */
function linesLike(files: readonly SourceFile[], pattern: RegExp, text: (file: SourceFile) => string = codeOf): readonly string[] {
  return files.flatMap((file) =>
    text(file)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file.path}:${index + 1}: ${line.trim()}`] : [])),
  )
}

describe('the source', () => {
  test('touches the process in main.ts only, and asks for its account where files are believed', () => {
    const others = source.filter(({ path }) => path !== 'src/main.ts' && path !== 'src/files/believed.ts')
    expect(linesLike(others, /(?<![\w.])process\b(?!\s*:)/)).toEqual([])
  })

  test("has the machine's time and chance in world.ts only, or with a reason", () => {
    const others = source.filter(({ path }) => !realParts.has(path) && !(path in clockWithReason))
    expect(linesLike(others, /\bDate\.now\b|\bMath\.random\b|\bnew Date\(\)/)).toEqual([])
  })

  test('asks for the date in the places that deal with dates or with the age of readings, and measures no wait with it', () => {
    const asking = source.filter((file) => /(?<!\btype )\bwall\b(?!\(\): number)|\bmomentOf\b/.test(codeOf(file))).map(({ path }) => path)
    expect(asking.toSorted()).toEqual(Object.keys(dateWithReason).toSorted())
  })

  test("has the service's names in plane/wire and the sandbox only", () => {
    const others = source.filter(({ path }) => !path.startsWith('src/plane/wire/') && !path.startsWith('src/sandbox/'))
    const wrong = linesLike(others, /\b[a-z]+(?:_[a-z]+)+\b/)
    expect(wrong.filter((line) => !spoken.test(line))).toEqual([])
  })

  test('has no file over 400 lines', () => {
    expect(source.filter(({ text }) => text.split('\n').length - 1 > 400).map(({ path }) => path)).toEqual([])
  })

  test('measures columns of a terminal in render/width.ts only', () => {
    const others = source.filter(({ path }) => path !== 'src/render/width.ts' && !path.startsWith('src/sandbox/'))
    // `padStart(n, '0')` is for numbers, so it is allowed.
    expect(linesLike(others, /\.pad(?:End|Start)\((?!\d+, '0'\))/, ({ text }) => text)).toEqual([])
  })

  test('never ends the process but in main.ts, and has no empty index or drawer', () => {
    const others = source.filter(({ path }) => path !== 'src/main.ts' && path !== 'src/files/believed.ts')
    expect(linesLike(others, /\bprocess\.exit\(/)).toEqual([])
    const drawer = /\/(?:index|utils?|types|helpers?|common|misc)\.ts$/
    expect(source.map(({ path }) => path).filter((path) => drawer.test(path))).toEqual([])
  })

  test('has nothing left to do', () => {
    const all = [...source, ...filesBelow('scripts', '.ts'), ...filesBelow('test', '.ts'), ...filesBelow('docs', '.md')]
    const mark = /\b(?:TOD[O]|FIXM[E]|XX[X])\b/
    expect(linesLike(all, mark, ({ text }) => text)).toEqual([])
  })
})

/** Names of RFC 6749 and RFC 8693 as openid-client takes them, of Google's key files, one more name of Plane, and a parameter of its addresses. */
const spoken =
  /\b(?:access_token|expires_in|token_endpoint|token_type|error_description|(?:requested|subject)_token(?:_type)?|client_email|private_key(?:_id)?|token_uri|app_installation_id|order_by)\b/

/** Time and chance of the machine. */
const realParts = new Set(['src/compose/environment.ts', 'src/compose/realClock.ts'])

/** The files that use dates, with the reason. All other code uses the steady clock, which does not jump. */
const dateWithReason: Readonly<Record<string, string>> = {
  'src/commands/approve.ts': 'the age of the last cycle, and the plan that is shown',
  'src/commands/printWords.ts': 'the end of a waiver',
  'src/daemon/page.ts': 'the page says how old things are',
  'src/commands/pageReport.ts': 'the date of the readings that the page shows',
  'src/commands/groups.ts': 'as of when accounts have ended, for a transcript',
  'src/commands/record.ts': 'as of when accounts have ended',
  'src/commands/report.ts': 'the moment of a report, and the dates of its readings',
  'src/commands/planOnly.ts': 'gives both clocks to the cycle',
  'src/commands/recordedPlan.ts': 'the date by which a recording is planned',
  'src/commands/takeRecording.ts': 'the date of a recording',
  'src/commands/explain.ts': 'the date by which a recording is explained',
  'src/commands/openRecorded.ts': 'the age of a recording, and the date by which it is planned',
  'src/commands/leaveLast.ts': 'which approvals have ended, and the date of the last success, for status',
  'src/commands/status.ts': 'the age of a document of another process',
  'src/commands/doctor.ts': 'the date of a diagnosis',
  'src/commands/examineFiles.ts': 'rules that have ended, and the age of a document of another process',
  'src/commands/validate.ts': 'rules that have ended',
  'src/commands/writing.ts': 'gives both clocks to the cycle',
  'src/commands/orders/lastRead.ts': 'the plan of what the daemon has read last is that of the present date',
  'src/commands/orders/openOrders.ts': 'until when an approval counts',
  'src/compose/compose.ts': 'the date by which rules end, and the next change of the clocks',
  'src/compose/overHttp.ts': 'gives both clocks to the directories',
  'src/compose/realClock.ts': "the machine's clock itself",
  'src/compose/receiver.ts': 'dates in Retry-After, in an answer without a date of its own',
  'src/compose/cachedReader.ts': 'the age of the group-sync settings, also after a suspension',
  'src/directories/google/tokens.ts':
    'dates of a JWT, which Google compares with its own clock; dates in Retry-After, in an answer without a date of its own',
  'src/directories/overHttp/ask.ts': 'dates in Retry-After and rate limits, in an answer without a date of its own',
  'src/directories/overHttp/reader.ts': 'gives both clocks to the requests',
  'src/directories/overHttp/token.ts': 'gives the clock to tokenRefusal',
  'src/directories/overHttp/tokenRefusal.ts': 'dates in Retry-After and rate limits, in an answer without a date of its own',
  'src/plane/call.ts': 'dates in Retry-After, in an answer without a date of its own',
  'src/plane/credential.ts': 'dates in Retry-After, in an answer without a date of its own',
  'src/plane/rate/queue.ts': 'dates in Retry-After and rate limits, in an answer without a date of its own',
  'src/core/clock.ts': 'from a steady time to a date, and the age of a reading by both clocks',
  'src/cycle/countPeople.ts': 'the age of a kept count, also after a suspension',
  'src/cycle/memberPauses.ts': 'since when a group is unread, and when it is asked for again',
  'src/cycle/cycle.ts': 'the age of all readings of a cycle, also after a suspension',
  'src/cycle/workspace.ts': 'the age of the lists of a slice, also after a suspension',
  'src/daemon/cycles.ts': 'the date of a cycle, for status',
  'src/daemon/daemon.ts': 'the date of the next cycle, for Prometheus',
  'src/daemon/notice/notifier.ts': 'which mappings end soon, and the date of a message',
  'src/daemon/nextRuns.ts': 'ticks of the schedule are dates, for another process',
  'src/daemon/loop.ts': 'ticks of the schedule are dates',
}

const clockWithReason: Readonly<Record<string, string>> = {
  'src/compose/log.ts': 'the time of a line of the log',
  'src/settings/schedule.ts': "node-cron counts from the machine's clock",
  'src/journal/lock.ts': 'goes on while a machine sleeps, which a clock that nobody sets does not',
  'src/sandbox/server.ts': 'the default of an option',
}
