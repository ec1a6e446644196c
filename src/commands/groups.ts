import { by } from '../core/compare.ts'
import type { Group, GroupIndex } from '../core/group.ts'
import { checkShrink, type Reading } from '../core/reading.ts'
import { groupListText } from '../render/groupList.ts'
import { type Command, choice, exitCodes, text } from './command.ts'
import { openProgram } from './open.ts'

/** Only the daemon compares a reading with the one before. An empty answer counts as incomplete here, too. */
const noBaseline = { baseline: undefined, limit: { share: 1, minExisting: 0 }, emptyPossible: false }

export const command: Command = {
  summary: 'list the groups in the directories',
  options: {
    directory: { type: 'string', value: 'NAME', describe: 'only this directory' },
    match: { type: 'string', value: 'TEXT', describe: 'only groups whose name contains this text' },
    format: { type: 'string', value: 'FORMAT', describe: 'one of text, json' },
  },
  async run({ values, terminal, signal }) {
    const format = choice('format', values.format, ['text', 'json'], 'text')
    await using open = await openProgram(values, terminal, [], signal)
    const { directories } = open.program.sources
    const only = text(values.directory)
    if (only !== undefined && !directories.has(only)) {
      terminal.err(`the settings name no directory "${only}"; they have ${[...directories.keys()].join(', ') || 'none'}\n`)
      return exitCodes.usage
    }
    const asked = [...directories].filter(([name]) => only === undefined || name === only)
    const readings = await Promise.all(
      asked.map(async ([name, { kind, read }]) => ({
        name,
        kind,
        reading: checkShrink(await read(signal), ({ size }) => size, { ...noBaseline, setting: `directories.${name}.shrink` }),
      })),
    )
    const wanted = (text(values.match) ?? '').toLowerCase()
    terminal.out(
      format === 'json'
        ? `${JSON.stringify({ format: 'plane-group-sync/groups', version: 1, directories: readings.map((one) => plain(one, wanted)) }, undefined, 2)}\n`
        : readings.map((one) => groupListText({ ...one, groups: found(one.reading, wanted) })).join('\n'),
    )
    return readings.every(({ reading }) => reading.status === 'complete') ? exitCodes.done : exitCodes.failed
  },
}

type Read = { readonly name: string; readonly kind: string; readonly reading: Reading<GroupIndex> }

const found = (reading: Reading<GroupIndex>, wanted: string) =>
  reading.status === 'failed'
    ? []
    : [...reading.value.values()]
        .flat()
        .filter(({ name }) => name.toLowerCase().includes(wanted))
        .toSorted(by(({ name }) => name))

function plain({ name, kind, reading }: Read, wanted: string) {
  const why =
    reading.status === 'partial'
      ? { missing: reading.missing }
      : reading.status === 'failed'
        ? { why: reading.why, cure: reading.cure }
        : {}
  return { name, kind, status: reading.status, tookMs: reading.tookMs, ...why, groups: found(reading, wanted).map(groupDocument) }
}

const groupDocument = ({ name, id, place, people }: Group): object => ({ name, id, place, people })
