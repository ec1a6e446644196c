import { join } from 'node:path'
import type { Plugin } from 'rolldown'

const address = "new URL('../worker.ts', import.meta.url)"

/** The worker that reads large files is a file of its own. The code that starts it gets the address of this file. */
export const workerFile = (source: string): Plugin => ({
  name: 'worker-file',
  transform: {
    filter: { id: join(source, 'yaml/readApart.ts') },
    handler(code) {
      if (code.split(address).length !== 2) throw new Error(`${address} must occur once in src/yaml/readApart.ts`)
      const worker = this.emitFile({ type: 'chunk', id: join(source, 'worker.ts'), name: 'worker' })
      // Without a map of this change: only columns of this one line differ.
      return { code: code.replace(address, `new URL(import.meta.ROLLUP_FILE_URL_${worker})`), map: null }
    },
  },
})
