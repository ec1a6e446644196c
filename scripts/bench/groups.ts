import { spawn } from 'node:child_process'
import { startSlapd } from '../../test/functional/servers/slapd.ts'
import { pageSize, runGroups, settingsFolder, untilExit } from './groupsCommand.ts'
import { median, ms, type Row } from './row.ts'

const [groups, members, pairs] = [50_000, 20, 7]
const filter = '(objectClass=groupOfNames)'
/** What the program asks of each entry, by default. */
const attributes = ['cn', 'member', 'primaryGroupToken', 'entryUUID', 'objectGUID', 'nsUniqueId']

/** `args`: after the command. */
const lists = [
  { measure: '`groups --match none`', args: ['--match', 'none'], goal: { ratio: 1.4, rssMiB: 140 } },
  { measure: '`groups`', args: [], goal: { ratio: 1.5, rssMiB: 160 } },
] as const

/**
 * The command `groups` from the source, for 50,000 groups × 20 members of a real slapd, from start to exit, and `ldapsearch` for the same attributes.
 * Runs of both alternate, and their outputs are thrown away. The median of seven pairs counts, and the highest memory.
 */
export async function groupsRows(): Promise<readonly Row[]> {
  await using slapd = await startSlapd({ groups, members })
  const { dn, password } = slapd.reader
  await using folder = await settingsFolder({ ...slapd, base: slapd.groupsBase, filter })
  const search = ['-LLL', '-x', '-H', slapd.ldap, '-D', dn, '-w', password, '-E', `pr=${pageSize}/noprompt`, '-b', slapd.groupsBase]

  async function measured({ measure, args, goal }: (typeof lists)[number]): Promise<Row> {
    const [ours, theirs]: [number[], number[]] = [[], []]
    let rssMiB = 0
    for (let pair = -1; pair < pairs; pair++) {
      const our = await runGroups(args, folder.path)
      const theirMs = await untilExit(spawn('ldapsearch', [...search, filter, ...attributes], { stdio: ['ignore', 'ignore', 'inherit'] }))
      // The first pair fills the compile cache and the cache of slapd.
      if (pair < 0) continue
      ours.push(our.tookMs)
      theirs.push(theirMs)
      rssMiB = Math.max(rssMiB, our.rssMiB)
    }
    const [ourMs, theirMs] = [median(ours), median(theirs)]
    return {
      measure: `${measure}, ${groups} LDAP groups × ${members} members, whole process`,
      figure: `${ms(ourMs)}, peak RSS ${rssMiB.toFixed(0)} MiB`,
      against: `ldapsearch of the same: ${ms(theirMs)}`,
      ratio: ourMs / theirMs,
      goal: `≤ ${goal.ratio}, ≤ ${goal.rssMiB} MiB`,
      reached: ourMs <= goal.ratio * theirMs && rssMiB <= goal.rssMiB,
    }
  }

  const rows: Row[] = []
  for (const list of lists) rows.push(await measured(list))
  return rows
}
