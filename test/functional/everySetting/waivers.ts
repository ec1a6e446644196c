import { usual } from './composed.ts'
import { planOrProblem } from './fences.ts'
import { type Row, when } from './row.ts'

const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
const acme = {
  projectRoles: [{ group: 'devs', project: 'ENG', role: 'admin' }],
  waivers: [{ group: 'devs', project: 'ENG', from: 'none', to: 'admin', until: tomorrow, reason: 'x' }],
}
const refused = ['this file may not have "waivers"']

/** Each row shows the plan of a file with a waiver for a protected role, or the problem of it. */
export const waiverRows: readonly Row[] = [
  {
    setting: 'waivers.files',
    base: usual,
    cases: [when(['other.yaml'], refused), when(['*.yaml'], ['create ENG devs = admin, of undefined'])],
    see: (settings) => planOrProblem(settings, acme),
  },
]
