import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

export type Ended = {
  /** If a signal ended the process: 128 and the number of the signal, as a shell shows it. */
  readonly code: number | null
  readonly out: string
  readonly err: string
  readonly tookMs: number
}

export type Running = AsyncDisposable & {
  readonly child: ChildProcess
  readonly out: () => string
  readonly err: () => string
  /** Lines of the JSON log so far. */
  readonly log: () => readonly LogLine[]
  /** Calls `what` every few ms until it returns a value. Fails if the program ends before, or after half a minute. */
  readonly until: <T>(what: () => T | undefined | false | Promise<T | undefined | false>) => Promise<T>
  readonly ended: Promise<Ended>
}

export type LogLine = { readonly level: string; readonly msg: string; readonly event?: string } & Readonly<Record<string, unknown>>

const signalCode = ({ signalCode: name }: ChildProcess): number | null => (name === null ? null : 128 + constants.signals[name])

/** Follows the output and the end of a child process. If the scope ends first, the process is killed. */
export function follow(child: ChildProcess): Running {
  const beganMs = performance.now()
  let [out, err] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text))
  // A program that does not read its input must not fail the test that writes it.
  child.stdin?.on('error', () => undefined)
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  const ended = once(child, 'close').then(() => ({
    code: child.exitCode ?? signalCode(child),
    out,
    err,
    tookMs: performance.now() - beganMs,
  }))
  return {
    child,
    out: () => out,
    err: () => err,
    // The last line may be incomplete.
    log: () =>
      err
        .split('\n')
        .slice(0, -1)
        .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as LogLine] : [])),
    async until(what) {
      for (const untilMs = performance.now() + 100_000; performance.now() < untilMs; await sleep(5)) {
        const over = isOver()
        const found = await what()
        if (found !== undefined && found !== false) return found
        if (over) throw new Error(`the program ended with ${child.exitCode ?? child.signalCode}:\n${out}\n${err}`)
      }
      throw new Error(`it did not come to this within 100 s:\n${out}\n${err}`)
    },
    ended,
    async [Symbol.asyncDispose]() {
      if (!isOver()) child.kill('SIGKILL')
      await ended
    },
  }
}
