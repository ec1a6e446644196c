import { rm, truncate } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import type { Place } from '../process/program.ts'
import type { FaultyDirectory } from './faultyDirectory.ts'
import { listed, type Trial } from './lists.ts'
import { type Team, teams } from './teams.ts'

const file = 'outer.yaml'
const linesOf = (groups: readonly Team[]): string =>
  groups.length === 0 ? 'groups: []\n' : `groups:\n${groups.map(({ name }) => `  - { name: ${name} }\n`).join('')}`

const usual = linesOf(teams)
const texts: Readonly<Partial<Record<Trial, string>>> = {
  halfEntry: usual.replace('name: team-05', ''),
  cutText: usual.slice(0, usual.indexOf('team-07')),
  html: '<!doctype html><h1>Sign in</h1>',
  nothing: '',
  bomb: gzipSync(Buffer.alloc(10 * 1024 * 1024, ' ')).toString('latin1'),
  deep: `groups: ${'['.repeat(500_000)}${']'.repeat(500_000)}`,
}

export async function fileDirectory(fault: Trial | undefined): Promise<FaultyDirectory> {
  let struck = false
  return {
    settings: { kind: 'file', path: file },
    address: file,
    secret: 'no-secret-is-needed',
    prepare: (place) => place.write(file, usual),
    struck: () => struck,
    async strike(place: Place) {
      if (fault === undefined) return
      struck = true
      const list = listed[fault]
      if (fault === 'gone') await rm(place.path(file))
      else if (fault === 'huge') await truncate(place.path(file), 2 * 1024 ** 3)
      else await place.write(file, list === undefined ? (texts[fault] ?? usual) : linesOf(list))
    },
    leaked: () => '',
    [Symbol.asyncDispose]: async () => undefined,
  }
}
