import type { Blanks } from './blanks.ts'

/** The section of a version in a changelog, or of what is not released yet; undefined if there is none. */
export function sectionOf(changelog: string, version: string): string | undefined {
  const heading = new RegExp(`^## \\[${RegExp.escape(version)}\\]${version === 'Unreleased' ? '' : String.raw` - \d{4}-\d\d-\d\d`}$`, 'm')
  const at = heading.exec(changelog)
  if (at === null) return undefined
  const [section = ''] = changelog.slice(at.index + at[0].length).split(/^## /m)
  return section.trim()
}

/** GitHub refuses longer notes. */
export const notesMax = 125_000

/** Links in the changelog lead from the project's folder. In the notes they lead to the same file of this version. */
export const absoluteLinks = (text: string, repository: string, version: string): string =>
  text.replaceAll(/\]\((?![a-z]+:|#)([^)\s]+)\)/g, (_, target: string) => `](${repository}/blob/v${version}/${target})`)

/** How a reader checks what they downloaded. */
export const howToVerify = (blanks: Blanks, version: string, imageDigest: string): string => `## Verify
\`\`\`sh
sha256sum --check --ignore-missing SHA256SUMS
cosign verify-blob --bundle SHA256SUMS.sigstore.json ${signedBy(blanks, version)} SHA256SUMS
cosign verify ${signedBy(blanks, version)} ${blanks['image']}@${imageDigest}
\`\`\`
`

const signedBy = (blanks: Blanks, version: string): string =>
  `--certificate-identity ${blanks['signer']}@refs/tags/v${version} --certificate-oidc-issuer https://token.actions.githubusercontent.com`
