/**
 * A module that writes the most memory that a process had, in kilobytes, into the file `peak` of its folder when it ends. A test cannot ask the system
 * after the end.
 */
const report = `import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
if (isMainThread) process.on('exit', () => writeFileSync('peak', String(process.resourceUsage().maxRSS)))`

export const reportingPeak = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(report)}` }
