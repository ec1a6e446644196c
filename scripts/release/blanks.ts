/** Where the project lives is known only when it has a public address. Until then these values are blanks, and nothing is released. */
export type Blanks = Readonly<Record<string, string>>

export const blanksFile = 'scripts/release/blanks.json'

type Kind = { readonly is: string; readonly form: RegExp }

const named: Readonly<Record<string, Kind>> = {
  repository: { is: 'the address of the repository: https://github.com/OWNER/NAME', form: /^https:\/\/github\.com\/[\w.-]+\/[\w.-]+$/ },
  maintainers: { is: 'who reviews and answers: @OWNER or @OWNER/TEAM', form: /^@[\w-]+(?:\/[\w-]+)?$/ },
  npmPackage: { is: 'the name on npm: @SCOPE/plane-group-sync', form: /^@[a-z0-9-]+\/[a-z0-9-]+$/ },
  image: { is: 'the name of the image: ghcr.io/OWNER/plane-group-sync', form: /^[a-z0-9.-]+\.[a-z]+(?:\/[a-z0-9._-]+)+$/ },
  chart: {
    is: 'the folder of the chart in a registry: oci://ghcr.io/OWNER/charts',
    form: /^oci:\/\/[a-z0-9.-]+\.[a-z]+(?:\/[a-z0-9._-]+)+$/,
  },
  signer: {
    is: 'who signs, without the tag: https://github.com/OWNER/NAME/.github/workflows/release.yml',
    form: /^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/\.github\/workflows\/release\.yml$/,
  },
}

/** By `name:tag`, as Dockerfile names it. */
const baseImage: Kind = { is: 'the digest of this image: skopeo inspect --format {{.Digest}} docker://NAME', form: /^sha256:[0-9a-f]{64}$/ }

/** By `owner/name@version`. */
const action: Kind = { is: 'the commit of this version: git ls-remote https://github.com/ACTION VERSION', form: /^[0-9a-f]{40}$/ }

/** With each action at the commit of its version, once this is known. The text may name a version, or a commit with its version behind it. */
export const withCommits = (workflow: string, blanks: Blanks): string =>
  workflow.replaceAll(/(?<=\buses: )([\w-]+\/[\w-]+)@(?:[0-9a-f]{40} # )?(v[\d.]+)$/gm, (_, name: string, version: string) => {
    const commit = blanks[`${name}@${version}`]
    return commit ? `${name}@${commit} # ${version}` : `${name}@${version}`
  })

/** The actions of a workflow with their versions: `actions/checkout@v6.0.1`. */
export const actionsIn = (workflow: string): readonly string[] =>
  [...workflow.matchAll(/\buses: (\S+?)@(?:[0-9a-f]{40} # )?(\S+)$/gm)].map(([, name, version]) => `${name}@${version}`)

const kindOf = (name: string): Kind | undefined => named[name] ?? (name.includes('@') ? action : name.includes(':') ? baseImage : undefined)

/** What is still to fill in, a sentence for each. @param needed the base image and the actions that are in use */
export function missing(blanks: Blanks, needed: readonly string[]): readonly string[] {
  const absent = [...Object.keys(named), ...needed].filter((name) => !(name in blanks))
  return [...absent.map((name) => [name, ''] as const), ...Object.entries(blanks)].flatMap(([name, value]) => {
    const kind = kindOf(name)
    if (kind === undefined) return [`${name}: no blank has this name`]
    if (value === '') return [`${name} is empty: ${kind.is}`]
    return kind.form.test(value) ? [] : [`${name} is ${JSON.stringify(value)}, not ${kind.is}`]
  })
}

/** `.github/CODEOWNERS`: who must agree to a change. */
export const owners = ({ maintainers }: Blanks): string =>
  `# npm run generate writes this file, from scripts/release/blanks.json.\n${maintainers ? `* ${maintainers}` : '# maintainers is empty there.'}\n`

/** `.github/ISSUE_TEMPLATE/config.yml`: what is not for a public issue. */
export function questions({ repository }: Blanks): string {
  const note = '# npm run generate writes this file, from scripts/release/blanks.json.\nblank_issues_enabled: false\n'
  if (!repository) return note
  return `${note}contact_links:
  - name: A weakness
    url: ${repository}/security/advisories/new
    about: Not in public, please. SECURITY.md says what happens then.
`
}
