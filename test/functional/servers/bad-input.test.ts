import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { flat, give } from '../bad-input-world.ts'
import { type BadDirectory, badDirectories } from './bad-input-table.ts'
import { type Slapd, startSlapd } from './slapd.ts'

test.each(badDirectories)('$what', async (row) => {
  const { exit, out, err, writes } = await giveWithSlapd(row)
  expect(flat(out)).toContain(flat(row.shows))
  expect(exit, `${out}${err}`).toBe(row.exit)
  expect(writes).toHaveLength(row.writes ?? 0)
})

test('with nothing wrong, the same declaration writes a hundred mappings', async () => {
  const { files } = badDirectories.find(({ diesAtPage }) => diesAtPage !== undefined) as BadDirectory
  const config = files?.['config.yaml']?.replace('workspaces:', '  limit: { requests: 1000 }\nworkspaces:') as string
  const fine = { what: '', shows: '', exit: 0, files: { ...files, 'config.yaml': config } } as const
  const { exit, writes } = await giveWithSlapd({ ...fine, service: { limit: { requests: 1_000, windowMs: 60_000 } } })
  expect(exit).toBe(0)
  expect(writes).toHaveLength(100)
})

async function giveWithSlapd(row: BadDirectory) {
  await using slapd = await startSlapd({ groups: 2_500, members: 1, ...row.slapd })
  await using proxy = await killingProxy(slapd, row.diesAtPage ?? Number.POSITIVE_INFINITY)
  return await give(row, [
    { word: 'LDAPS', address: slapd.ldaps, shown: 'ldaps://ldap.example.com' },
    { word: 'LDAP', address: proxy.url, shown: 'ldap://ldap.example.com' },
    { word: 'PASSWORD', address: slapd.reader.password, shown: '(the password)' },
  ])
}

/** The paging control (RFC 2696), which every request for a page carries. */
const pagedResults = '1.2.840.113556.1.4.319'

/** Passes everything on, and kills the server when a page is asked for. */
async function killingProxy(slapd: Slapd, page: number): Promise<AsyncDisposable & { readonly url: string }> {
  let pages = 0
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(slapd.ldap).port), '127.0.0.1')
    const end = () => [client, upstream].forEach((socket) => socket.destroy())
    client.on('error', end).on('close', end)
    upstream.on('error', end).on('close', end).pipe(client)
    client.on('data', (data) => {
      if (data.includes(pagedResults)) pages++
      if (pages >= page) void slapd.kill()
      else upstream.write(data)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { url: `ldap://127.0.0.1:${port}`, [Symbol.asyncDispose]: async () => void server.close() }
}
