import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { exitCodes } from '../../src/commands/command.ts'
import { command } from '../../src/commands/groups.ts'
import { type FakeEntry, startFakeLdap } from './directories/fakeLdap.ts'
import { terminalOf } from './terminal.ts'

/** The default of `groupsMax`. A JavaScript call accepts only some 120,000 arguments, so the list must not be spread into a call. */
const groupsMax = 200_000
const pageSize = 5_000

const entry = (n: number): FakeEntry => ({ dn: `cn=g${n},ou=groups`, attributes: { cn: [`g${n}`] } })

test.each(['text', 'json'])('groups prints as many groups as a directory may have, as %s', async (format) => {
  await using server = await startFakeLdap({
    search: (_, page) => ({
      entries: Array.from({ length: pageSize }, (_, n) => entry((page - 1) * pageSize + n)),
      cookie: page * pageSize < groupsMax ? `${page}` : '',
    }),
  })
  const folder = await mkdtemp(join(tmpdir(), 'many-groups-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const settings = {
    version: 1,
    service: { baseUrl: 'http://127.0.0.1:9', credential: { apiKey: { env: 'KEY' } } },
    workspaces: { acme: {} },
    declaration: 'groups.yaml',
    directories: { corp: { kind: 'ldap', addresses: [server.url], bind: 'anonymous', groups: { base: 'ou=groups' }, pageSize } },
    journal: 'none',
  }
  const config = join(folder, 'config.yaml')
  await writeFile(config, JSON.stringify(settings))
  const terminal = terminalOf({ env: { KEY: 'aSecret' } })
  const code = await command.run({ values: { config, format }, positionals: [], terminal, signal: new AbortController().signal })
  expect([code, terminal.said.err]).toEqual([exitCodes.done, ''])
  if (format === 'text') {
    const [heading, ...rows] = terminal.said.out.trimEnd().split('\n')
    expect(heading).toMatch(/^corp \(ldap\) complete · 200,000 groups/)
    expect(new Set(rows).size).toBe(groupsMax)
  } else {
    const { directories } = JSON.parse(terminal.said.out) as { directories: { groups: { name: string }[] }[] }
    expect(new Set(directories[0]?.groups.map(({ name }) => name)).size).toBe(groupsMax)
  }
})
