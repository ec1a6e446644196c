import { readLdap } from '../../src/directories/ldap/read.ts'
import { peakRssMiB } from './peak.ts'

/** One reading in a process of its own. Arguments: address, bind DN, password, base. Prints the result as JSON. */
export type LdapRun = { readonly status: string; readonly groups: number; readonly ms: number; readonly rssMiB: number }

const [address = '', dn = '', password = '', base = ''] = process.argv.slice(2)
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
const groups = reading.status === 'failed' ? 0 : reading.value.size
const run: LdapRun = { status: reading.status, groups, ms: reading.tookMs, rssMiB: peakRssMiB() }
process.stdout.write(JSON.stringify(run))
