import { readFileSync } from 'node:fs'

/**
 * The peak of the resident memory of this process so far, in MiB: by Linux' own table. `resourceUsage().maxRSS` of a process that a larger one has
 * started begins with the memory of that one (measured).
 */
export const peakRssMiB = (): number => peakIn(readFileSync('/proc/self/status', 'utf8'))

/** @param status `/proc/PID/status` */
export const peakIn = (status: string): number => Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024

const code = `
import { readFileSync, writeSync } from 'node:fs'
process.on('exit', () => writeSync(3, readFileSync('/proc/self/status')))`

/** Arguments of Node: a program then writes its `/proc/self/status` to its descriptor 3 at its end. It is JavaScript, because Node would load a compiler for TypeScript. */
export const writesStatus: readonly string[] = ['--import', `data:text/javascript,${encodeURIComponent(code)}`]
