/** Where a release comes from, in the words of SLSA's provenance 1.0 (https://slsa.dev/spec/v1.0/provenance): the predicate that is signed for each file. */
export type Origin = {
  readonly repository: string
  readonly commit: string
  readonly version: string
  readonly baseImage: string
  readonly builder: string
  readonly invocation?: string
  readonly at: Date
}

export const provenance = ({ repository, commit, version, baseImage, builder, invocation, at }: Origin): string => {
  const [base = '', digest] = baseImage.split('@sha256:')
  const predicate = {
    buildDefinition: {
      buildType: `${repository}/blob/v${version}/docs/dev/release.md`,
      externalParameters: { repository, ref: `refs/tags/v${version}`, command: 'npm run release' },
      resolvedDependencies: [
        { uri: `git+${repository}@refs/tags/v${version}`, digest: { gitCommit: commit } },
        { uri: `docker://${base}`, ...(digest && { digest: { sha256: digest } }) },
      ],
    },
    runDetails: { builder: { id: builder }, metadata: { ...(invocation && { invocationId: invocation }), startedOn: at.toISOString() } },
  }
  return `${JSON.stringify(predicate, undefined, 2)}\n`
}
