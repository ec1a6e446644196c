/** The files of a plan in pull requests, which `init` writes: host → path in the repository → the file here. */
const sources = {
  github: Object.fromEntries(
    ['record', 'plan', 'comment'].map((name) => [`.github/workflows/${name}.yml`, `config/pull-requests/github/${name}.yml`]),
  ),
  gitlab: { '.gitlab-ci.yml': 'config/pull-requests/gitlab/.gitlab-ci.yml' },
} as const

/** The bundle has no files of YAML, so their texts are code. */
export async function workflowFiles(read: (path: string) => Promise<string>): Promise<string> {
  const hosts = await Promise.all(
    Object.entries(sources).map(async ([host, files]) => {
      const texts = await Promise.all(Object.entries(files).map(async ([to, from]) => `    ${quoted(to)}: ${quoted(await read(from))},`))
      return [`  ${host}: {`, ...texts, '  },'].join('\n')
    }),
  )
  return `// Generated from config/pull-requests by "npm run generate".

/** The files of a plan in pull requests: host → path in the repository → text. */
export const workflowFiles: Readonly<Record<'github' | 'gitlab', Readonly<Record<string, string>>>> = {
${hosts.join('\n')}
}
`
}

/** As Biome writes it: with the quotation marks that need fewer escapes. */
function quoted(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  const count = (sign: string) => escaped.split(sign).length
  return count("'") <= count('"') ? `'${escaped.replaceAll("'", "\\'")}'` : `"${escaped.replaceAll('"', '\\"')}"`
}
