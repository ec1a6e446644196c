import { spawn } from 'node:child_process'
import { startSlapd } from '../../test/functional/servers/slapd.ts'
import { pageSize, runGroups, settingsFolder, untilExit } from './groupsCommand.ts'
import { bundleIn, folderWith } from './program.ts'
import { median, ms, type Row } from './row.ts'

const [groups, members, rounds] = [50_000, 20, 7]
const filter = '(objectClass=groupOfNames)'
/** What the program asks of each entry, by default. */
const attributes = ['cn', 'member', 'objectSid', 'entryUUID', 'objectGUID', 'nsUniqueId']

/** `args`: after the command. */
type List = {
  readonly measure: string
  readonly args: readonly string[]
  readonly goal: { readonly ratio: number; readonly rssMiB: number }
}
const lists: readonly List[] = [
  { measure: '`groups --match none`', args: ['--match', 'none'], goal: { ratio: 1.4, rssMiB: 140 } },
  { measure: '`groups`', args: [], goal: { ratio: 1.5, rssMiB: 160 } },
]

/**
 * The command `groups` from the bundle and from the source, for 50,000 groups × 20 members of a real slapd, from start to exit, and `ldapsearch` for the same attributes.
 * Runs of all three alternate, and their outputs are thrown away. The median of seven rounds counts, and the highest memory.
 */
export async function groupsRows(): Promise<readonly Row[]> {
  await using slapd = await startSlapd({ groups, members })
  const { dn, password } = slapd.reader
  await using folder = await settingsFolder({ ...slapd, base: slapd.groupsBase, filter })
  await using place = await folderWith({})
  const bundle = await bundleIn(place.path)
  const search = ['-LLL', '-x', '-H', slapd.ldap, '-D', dn, '-w', password, '-E', `pr=${pageSize}/noprompt`, '-b', slapd.groupsBase]
  const rows: Row[] = []
  for (const list of lists) {
    const runs: { ours: Run[]; source: Run[]; theirs: number[] } = { ours: [], source: [], theirs: [] }
    for (let round = -1; round < rounds; round++) {
      const our = await runGroups(list.args, folder.path, bundle)
      const source = await runGroups(list.args, folder.path)
      const theirMs = await untilExit(spawn('ldapsearch', [...search, filter, ...attributes], { stdio: ['ignore', 'ignore', 'inherit'] }))
      // The first round fills the compile cache and the cache of slapd.
      if (round < 0) continue
      runs.ours.push(our)
      runs.source.push(source)
      runs.theirs.push(theirMs)
    }
    rows.push(rowOf(list, 'bundle', runs.ours, runs.theirs), rowOf(list, 'source', runs.source, runs.theirs))
  }
  return rows
}

type Run = { readonly tookMs: number; readonly rssMiB: number }

function rowOf({ measure, goal }: List, from: string, ours: readonly Run[], theirs: readonly number[]): Row {
  const [ourMs, theirMs] = [median(ours.map(({ tookMs }) => tookMs)), median(theirs)]
  const rssMiB = Math.max(...ours.map((run) => run.rssMiB))
  return {
    measure: `${measure}, ${groups} LDAP groups × ${members} members, whole process, from the ${from}`,
    figure: `${ms(ourMs)}, peak RSS ${rssMiB.toFixed(0)} MiB`,
    against: `ldapsearch of the same: ${ms(theirMs)}`,
    ratio: ourMs / theirMs,
    goal: `≤ ${goal.ratio}, ≤ ${goal.rssMiB} MiB`,
    reached: ourMs <= goal.ratio * theirMs && rssMiB <= goal.rssMiB,
  }
}
