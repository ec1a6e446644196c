import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const read = (path: string): string => readFileSync(path, 'utf8')

it('the lockfile, the chart and the label of the image have the version of package.json', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  expect({
    lockfile: (JSON.parse(read('package-lock.json')) as { version: string }).version,
    chart: (parse(read('helm/plane-group-sync/Chart.yaml')) as { appVersion: string }).appVersion,
    image: /^ARG VERSION=(.*)$/m.exec(read('Dockerfile'))?.[1],
  }).toEqual({ lockfile: version, chart: version, image: version })
})
