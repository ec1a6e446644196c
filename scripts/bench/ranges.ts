import { adReader, adSuffix, startAdLike } from '../../test/functional/servers/adLike.ts'
import { startSlapd } from '../../test/functional/servers/slapd.ts'
import { runGroups, settingsFolder } from './groupsCommand.ts'
import { bundleIn, folderWith } from './program.ts'
import { median, ms, type Row } from './row.ts'

const [members, pairs] = [100_000, 7]
const goal = 1.5
/** S-1-5-21-1104. Without its objectSid a group of Active Directory may be a primary group, so the number of its people is not exact. */
const sid = Buffer.from(Uint32Array.of(0x501, 0x0500_0000, 21, 1_104).buffer).toString('base64')

/**
 * The command `groups` from the bundle, for one group of 100,000 members, which a server with Active Directory's rules sends in 67 parts, and for the same group of a slapd,
 * which sends it in one entry. Runs of both alternate. The median of seven pairs counts.
 */
export async function rangesRow(): Promise<Row> {
  const base = `ou=groups,${adSuffix}`
  const group = (objectClass: string, ...more: readonly string[]) =>
    [
      `dn: cn=big,${base}\nobjectClass: ${objectClass}\ncn: big`,
      ...more,
      ...Array.from({ length: members }, (_, n) => `member: cn=u${n},ou=people,${adSuffix}`),
    ].join('\n')
  const above = `dn: ${adSuffix}\nobjectClass: domain\ndc: example\n\ndn: ${base}\nobjectClass: organizationalUnit\nou: groups\n\n`
  await using adLike = await startAdLike(`${above}${group('group', `objectSid:: ${sid}`)}\n`)
  await using slapd = await startSlapd({ groups: 0, members: 0, ldif: `${group('groupOfNames')}\n` })
  await using inParts = await settingsFolder({ ldap: adLike.ldap, reader: adReader, base, filter: '(objectClass=group)' })
  await using whole = await settingsFolder({ ...slapd, base, filter: '(objectClass=groupOfNames)' })

  await using place = await folderWith({})
  const bundle = await bundleIn(place.path)
  const [ours, theirs]: [number[], number[]] = [[], []]
  for (let pair = -1; pair < pairs; pair++) {
    const our = await countedIn(inParts.path, bundle)
    const their = await countedIn(whole.path, bundle)
    // The first pair fills the compile cache and lets the servers compile their code.
    if (pair < 0) continue
    ours.push(our)
    theirs.push(their)
  }
  const [ourMs, theirMs] = [median(ours), median(theirs)]
  return {
    measure: `\`groups\`, one group of ${members} members in parts of 1,500, whole process, from the bundle`,
    figure: ms(ourMs),
    against: `the same group in one entry of slapd: ${ms(theirMs)}`,
    ratio: ourMs / theirMs,
    goal: `≤ ${goal}`,
    reached: ourMs <= goal * theirMs,
  }
}

/** How long a run takes that counts all members. */
async function countedIn(folder: string, program: string): Promise<number> {
  const { tookMs, output } = await runGroups(['--format', 'json'], folder, program, true)
  const { directories } = JSON.parse(output) as {
    readonly directories: readonly { readonly groups: readonly { readonly people?: number }[] }[]
  }
  const people = directories[0]?.groups[0]?.people
  if (people !== members) throw new Error(`${people} members were counted`)
  return tookMs
}
