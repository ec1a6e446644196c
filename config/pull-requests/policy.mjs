// A policy of your own, on the JSON of a plan: node policy.mjs plan.json. Here: who gives "admin" says why. Exit code 1 refuses.
import { readFileSync } from 'node:fs'

const { workspaces } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const refused = workspaces.flatMap(({ changes = [], holds = [], later = [] }) =>
  [...changes, ...later, ...holds.flatMap(({ change }) => change ?? [])] // what waits for an approval is among the holds
    .filter(({ action, role, because }) => action !== 'delete' && role === 'admin' && !because?.reason),
)
for (const { key } of refused) process.stdout.write(`refused, since the rule has no reason: ${JSON.stringify(key)}\n`)
process.exitCode = refused.length === 0 ? 0 : 1
