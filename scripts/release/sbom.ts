import { createHash } from 'node:crypto'

/** A part of what is released, by its package URL (https://github.com/package-url/purl-spec). */
export type Part = {
  readonly type: 'application' | 'library' | 'container' | 'operating-system'
  readonly name: string
  readonly version: string
  readonly purl: string
  /** An SPDX expression. */
  readonly license?: string
  /** As in a lock: `sha512-…`, in Base64. */
  readonly integrity?: string
}

/** A bill of materials in the form of CycloneDX 1.6. Two of one release are equal to the byte. */
export function bill(subject: Part, parts: readonly Part[], at: Date): string {
  const sorted = [...new Map(parts.map((part) => [part.purl, part])).values()].toSorted((a, b) => (a.purl < b.purl ? -1 : 1))
  const content = {
    metadata: { timestamp: at.toISOString().replace(/\.\d+Z/, 'Z'), component: component(subject) },
    components: sorted.map(component),
    dependencies: [{ ref: subject.purl, dependsOn: sorted.map(({ purl }) => purl) }],
  }
  const head = { $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json', bomFormat: 'CycloneDX', specVersion: '1.6' }
  return `${JSON.stringify({ ...head, serialNumber: `urn:uuid:${uuidOf(JSON.stringify(content))}`, version: 1, ...content }, undefined, 2)}\n`
}

const component = ({ type, name, version, purl, license, integrity }: Part) => ({
  type,
  'bom-ref': purl,
  name,
  version,
  ...(integrity && { hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex') }] }),
  ...(license && { licenses: [{ expression: license }] }),
  purl,
})

/** A UUID of version 8, which is made from the content. */
function uuidOf(content: string): string {
  const hex = createHash('sha256').update(content).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}

export const npmPart = (name: string, version: string, license?: string, integrity?: string): Part => ({
  type: 'library',
  name,
  version,
  purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  ...(license && { license }),
  ...(integrity && { integrity }),
})

/** The packages in the bundle, from its `THIRD-PARTY.txt`. @param lock the text of package-lock.json, which has their hashes */
export function bundledParts(thirdParty: string, lock: string): readonly Part[] {
  const { packages } = JSON.parse(lock) as { readonly packages: Readonly<Record<string, { readonly integrity?: string }>> }
  const parts = [...thirdParty.matchAll(/^-{80}\n(\S+) (\d\S*) \(([^)]+)\)$/gm)].map(([, name = '', version = '', license = '']) =>
    npmPart(name, version, license, packages[`node_modules/${name}`]?.integrity),
  )
  if (parts.length === 0) throw new Error('THIRD-PARTY.txt names no package')
  return parts
}

/** Debian's packages, from `/var/lib/dpkg/status`. @param release the text of `/etc/os-release` */
export function debianParts(status: string, release: string): readonly Part[] {
  const distro = `debian-${/^VERSION_ID="?([^"\n]+)/m.exec(release)?.[1] ?? 'unknown'}`
  return status.split('\n\n').flatMap((entry) => {
    const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(entry)?.[1]
    const [name, version, arch] = [field('Package'), field('Version'), field('Architecture')]
    if (name === undefined || version === undefined || field('Status') !== 'install ok installed') return []
    const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${arch}&distro=${distro}`
    return [{ type: 'library' as const, name, version, purl }]
  })
}
