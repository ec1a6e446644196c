import { loadavg } from 'node:os'
import { startSlapd } from '../../test/functional/servers/slapd.ts'
import { pageSize, runGroups, settingsFolder } from './groupsCommand.ts'
import { bundleIn, folderWith, fromSource } from './program.ts'
import { median, ms, type Row } from './row.ts'
import { type Timed, timed } from './timed.ts'

const [members, rounds] = [20, 9]
const filter = '(objectClass=groupOfNames)'
/** What the program asks of each entry, by default. */
const attributes = ['cn', 'member', 'objectSid', 'entryUUID', 'objectGUID', 'nsUniqueId']

/** `args`: after the command. */
type List = {
  readonly groups: number
  readonly measure: string
  readonly args: readonly string[]
  readonly goal: { readonly ratio: number; readonly rssMiB: number }
}
const none = { measure: '`groups --match none`', args: ['--match', 'none'], goal: { ratio: 1.4, rssMiB: 140 } }
const all = { measure: '`groups`', args: [], goal: { ratio: 1.5, rssMiB: 160 } }
const sizes: readonly (readonly List[])[] = [10_000, 50_000].map((groups) => [
  { groups, ...none },
  { groups, ...all },
])

/**
 * The command `groups` from the bundle and from the source, for 10,000 and 50,000 groups × 20 members of a real slapd, from start to exit, and `ldapsearch` for the same
 * attributes. Runs of all of them and of a Node that does nothing alternate, and their outputs are thrown away. The medians of nine rounds count. The memory is
 * that of a run before them, which also fills the compile cache and the cache of slapd.
 */
export async function* groupsRows(): AsyncIterable<Row> {
  await using place = await folderWith({})
  const bundle = await bundleIn(place.path)
  for (const lists of sizes) {
    const [{ groups } = { groups: 0 }] = lists
    await using slapd = await startSlapd({ groups, members })
    const { dn, password } = slapd.reader
    await using folder = await settingsFolder({ ...slapd, base: slapd.groupsBase, filter })
    const connection = ['-LLL', '-x', '-H', slapd.ldap, '-D', dn, '-w', password, '-E', `pr=${pageSize}/noprompt`, '-b', slapd.groupsBase]
    const search = [...connection, filter, ...attributes]
    for (const list of lists) {
      const rss = { bundle: await peakOf(list, folder.path, bundle), source: await peakOf(list, folder.path, fromSource) }
      const run = (program: string) =>
        timed(process.execPath, [program, 'groups', '--config', 'config.yaml', '--quiet', ...list.args], folder.path)
      const runs: Runs = { bundle: [], source: [], theirs: [], bare: [], loads: [] }
      for (let round = 0; round < rounds; round++) {
        runs.loads.push(loadavg()[0] ?? 0)
        runs.bundle.push(await run(bundle))
        runs.theirs.push(await timed('ldapsearch', search))
        runs.source.push(await run(fromSource))
        runs.bare.push(await timed(process.execPath, ['-e', '0']))
      }
      yield rowOf(list, 'bundle', runs, rss.bundle)
      yield rowOf(list, 'source', runs, rss.source)
    }
  }
}

const peakOf = async ({ args }: List, cwd: string, program: string): Promise<number> => (await runGroups(args, cwd, program)).rssMiB

/** `bare`: Node's own start. */
type Runs = Readonly<Record<'bundle' | 'source' | 'theirs' | 'bare', Timed[]>> & { readonly loads: number[] }

const tookOf = (runs: readonly Timed[]): number => median(runs.map(({ tookMs }) => tookMs))
const processorOf = (runs: readonly Timed[]): number => median(runs.map(({ processorMs }) => processorMs))

function rowOf({ groups, measure, goal }: List, from: 'bundle' | 'source', runs: Runs, rssMiB: number): Row {
  const [ourMs, theirMs] = [tookOf(runs[from]), tookOf(runs.theirs)]
  const load = `load ${Math.min(...runs.loads).toFixed(0)} to ${Math.max(...runs.loads).toFixed(0)}`
  return {
    measure: `${measure}, ${groups} LDAP groups × ${members} members, whole process, from the ${from} (${load})`,
    figure: `${ms(ourMs)}; processor ${ms(processorOf(runs[from]))}, of which ${ms(processorOf(runs.bare))} are Node's bare start; peak RSS ${rssMiB.toFixed(0)} MiB`,
    against: `ldapsearch of the same: ${ms(theirMs)}; processor ${ms(processorOf(runs.theirs))}`,
    ratio: ourMs / theirMs,
    goal: `≤ ${goal.ratio}, ≤ ${goal.rssMiB} MiB`,
    reached: ourMs <= goal.ratio * theirMs && rssMiB <= goal.rssMiB,
  }
}
