import { parentPort, workerData } from 'node:worker_threads'
import type { ApartTask } from './yaml/readApart.ts'

/*
 * A worker of the program. It reads the files that would keep the process from other work for too long.
 */

// The library makes an error for each mistake of a file, and a stack takes more memory than the rest of an error.
Error.stackTraceLimit = 0

async function run({ kind, input }: { readonly kind: ApartTask; readonly input: never }): Promise<void> {
  switch (kind) {
    case 'declaration':
      return (await import('./declaration/inWorker.ts')).answer(input)
    case 'groups':
      return parentPort?.postMessage((await import('./directories/file.ts')).parseGroups(input), [])
    case 'settings':
      return parentPort?.postMessage(await (await import('./settings/load.ts')).checkedSettings(input), [])
    default:
      kind satisfies never
  }
}

// Not awaited: the bundler joins fewer files if a module waits at its top level.
void run(workerData)
