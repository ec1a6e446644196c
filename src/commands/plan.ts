import { writeFile } from 'node:fs/promises'
import { OperationalError } from '../core/operationalError.ts'
import { runCycle } from '../cycle/cycle.ts'
import { writeErrnoText } from '../files/errno.ts'
import { InvalidDeclaration } from '../settings/declared.ts'
import { type Command, choice, exitCodes, text, UsageError } from './command.ts'
import { exitCode, type FailOn, failOn } from './exitCode.ts'
import { withLastValid } from './lastDeclaration.ts'
import { openProgram } from './open.ts'
import { formats, renderReport } from './render.ts'
import { waiversOf } from './waivers.ts'
import { onlyWorkspaces } from './workspaces.ts'

export const command: Command = {
  summary: 'show what would change, and why',
  options: {
    format: { type: 'string', value: 'FORMAT', describe: 'one of text, json, markdown' },
    all: { type: 'boolean', describe: 'show each change, each hold and each unchanged mapping in a row of its own' },
    out: { type: 'string', value: 'FILE', describe: 'save the plan to this file, for "apply FILE"' },
    'detailed-exitcode': { type: 'boolean', describe: 'exit with 2 if there are changes' },
    'fail-on': { type: 'string', value: 'LIST', describe: `exit with 2 if the plan has any of these: ${failOn.join(',')}` },
    allow: {
      type: 'string',
      multiple: true,
      value: 'ID',
      describe: 'show the plan as if the plan or change with this ID passed the guards',
    },
  },
  async run({ values, terminal, signal }) {
    const format = choice('format', values.format, formats, 'text')
    const fails = failsOf(text(values['fail-on']))
    if (values['detailed-exitcode'] === true) fails.add('changes')
    await using open = await openProgram(values, terminal, waiversOf(values, terminal.env), signal)
    const { now, wall } = open.world.clock
    const only = onlyWorkspaces(values, open.loaded.settings)
    const cycle = { now, wall, memory: () => open.memory, listsUnchanged: values.all === true, ...(only === undefined ? {} : { only }) }
    open.world.cycle.begin()
    const report = await runCycle(open.program.sources, cycle, undefined, signal).catch(async (error: unknown) => {
      throw error instanceof InvalidDeclaration ? await withLastValid(error, open.loaded, open.world.clock, signal) : error
    })
    terminal.out(renderReport(report, format, terminal, values, now()))
    const out = text(values.out)
    if (out !== undefined) await save(out, terminal.secrets.scrub(renderReport(report, 'json', terminal, values, now())))
    return signal.aborted ? exitCodes.failed : exitCode(report, fails)
  },
}

function failsOf(list: string | undefined): Set<FailOn> {
  const named = (list ?? '').split(',').map((one) => one.trim())
  const fails = new Set<FailOn>()
  for (const name of named.filter((one) => one !== '')) {
    const found = failOn.find((one) => one === name)
    if (found === undefined) throw new UsageError(`--fail-on takes ${failOn.join(', ')} (several with commas), not "${name}"`)
    fails.add(found)
  }
  return fails
}

async function save(file: string, document: string): Promise<void> {
  await writeFile(file, document).catch((error: unknown) => {
    throw new OperationalError('PlanNotSaved', `--out ${file}: the plan could not be saved: ${writeErrnoText(error)}`, { cause: error })
  })
}
