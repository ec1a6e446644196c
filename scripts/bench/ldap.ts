import { execFileSync, spawnSync } from 'node:child_process'
import { readLdap } from '../../src/directories/ldap/read.ts'

/**
 * 50,000 groups × 20 members of a real slapd, read into the index, against `ldapsearch` of the same. Prints one row.
 * Each of our runs is a process of its own, so that its peak RSS is that of the reading; the fastest of seven on either side counts.
 * To reach: 1.3 × the time of ldapsearch, and 150 MB.
 */
const [groups, members, rounds] = [50_000, 20, 7]
type Run = { readonly status: string; readonly groups: number; readonly ms: number; readonly peakMb: number }

if (process.argv[2] === 'read') {
  process.stdout.write(
    JSON.stringify(await readOnce(process.argv[3] ?? '', process.argv[4] ?? '', process.argv[5] ?? '', process.argv[6] ?? '')),
  )
} else {
  const { startSlapd } = await import('../../test/functional/servers/slapd.ts')
  await using slapd = await startSlapd({ groups, members })
  const { dn, password } = slapd.reader
  const search = ['-LLL', '-x', '-H', slapd.ldap, '-D', dn, '-w', password, '-E', 'pr=500/noprompt', '-b', slapd.groupsBase]
  const ours: Run[] = []
  const theirs: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    spawnSync('ldapsearch', [...search, '(objectClass=groupOfNames)', 'cn', 'member', 'entryUUID'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    theirs.push(performance.now() - started)
    const args = [import.meta.filename, 'read', slapd.ldap, dn, password, slapd.groupsBase]
    ours.push(JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Run)
  }
  const wrong = ours.find((run) => run.status !== 'complete' || run.groups !== groups)
  if (wrong) throw new Error(`not read whole: ${JSON.stringify(wrong)}`)
  const [oursMs, theirsMs, peakMb] = [
    Math.min(...ours.map(({ ms }) => ms)),
    Math.min(...theirs),
    Math.max(...ours.map(({ peakMb }) => peakMb)),
  ]
  const row = [`${groups} LDAP groups × ${members}`, `${oursMs.toFixed(0)} ms`, `ldapsearch ${theirsMs.toFixed(0)} ms`]
  process.stdout.write(
    `| ${[...row, `${(oursMs / theirsMs).toFixed(2)} × (≤ 1.30)`, `peak RSS ${peakMb.toFixed(0)} MB (≤ 150)`].join(' | ')} |\n`,
  )
}

async function readOnce(address: string, dn: string, password: string, base: string): Promise<Run> {
  const reading = await readLdap(
    {
      addresses: [address],
      bind: { dn, password: () => Promise.resolve(password) },
      groups: { base, scope: 'sub', filter: '(objectClass=groupOfNames)', name: 'cn', members: 'member', id: 'entryUUID' },
      pageSize: 500,
      timeoutMs: 30_000,
      groupsMax: 100_000,
      membersMax: 1_000_000,
      referrals: 'fail',
    },
    { now: () => performance.now() },
    new AbortController().signal,
  )
  const size = reading.status === 'failed' ? 0 : reading.value.size
  return { status: reading.status, groups: size, ms: reading.tookMs, peakMb: process.resourceUsage().maxRSS / 1024 }
}
