/** How a file names the version of the program, or of the chart. Each group is one version. */
const places: Readonly<Record<string, RegExp>> = {
  'package-lock.json': /"name": "plane-group-sync",\s+"version": "(.*)"/g,
  'helm/plane-group-sync/Chart.yaml': /^(?:version|appVersion): (.*)$/gm,
  Dockerfile: /^ARG VERSION=(.*)$/gm,
}

/** What pages say: the package's file, an image, a chart, the output of the program, `ref: { tag: … }`. */
const inPages = /(?:plane-group-sync[-@: ]|[Vv]ersion |\btag: |targetRevision: )v?(\d+\.\d+\.\d+(?:-[\w.]+)?)/g

/** Pages that name other versions, too: of changes, of recorded measurements, of other programs. */
const history = /(?:^|\/)CHANGELOG\.md$|^docs\/(?:decisions|upgrade)|^docs\/dev\/(?!release)|^test\//

/** The places that name another version than package.json: `README.md names 0.1.0`. None if all agree. */
export function otherVersions(version: string, files: readonly { readonly path: string; readonly text: string }[]): readonly string[] {
  return files.flatMap(({ path, text }) => {
    if (history.test(path)) return []
    const named = [...text.matchAll(places[path] ?? inPages)].map(([, name = '']) => name)
    const none = path in places && named.length === 0 ? [`${path} names no version`] : []
    return [...none, ...named.filter((name) => name !== version).map((name) => `${path} names ${name}`)]
  })
}

export const versionFiles = Object.keys(places)
