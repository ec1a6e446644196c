import { expect } from 'vitest'
import { apiKey } from '../../../src/plane/credential.ts'
import { everywhere, never } from '../planeWorld.ts'
import { page, projectMappings, sticky, workspaceMappings } from '../specification-world.ts'
import { creation, items, notCalled, readAll } from './acts.ts'
import type { Section } from './row.ts'

const refused = { status: 'failed', why: expect.stringContaining('refuses the credential "default"') as string }

export const sections: readonly Section[] = [
  {
    section: 'Authentication',
    rows: [
      {
        line: 'header `X-API-Key: <API_KEY>`',
        raw: async ({ ask }) => expect((await ask('GET', 'projects/')).status).toBe(200),
        client: async ({ client, as }) =>
          expect(await client(as.key('expiring-key\n')).reader.projects(never)).toMatchObject({ status: 'complete' }),
      },
      {
        line: 'header `Authorization: Bearer <ACCESS_TOKEN>`',
        raw: async ({ ask, token }) => expect((await ask('GET', 'projects/', { token: await token('projects:read') })).status).toBe(200),
        client: async ({ client, as, sandbox }) => {
          expect(await client(as.oauth('projects:read')).reader.projects(never)).toMatchObject({ status: 'complete' })
          expect(sandbox.requests.map(({ path }) => path)).toEqual(['/auth/o/token/', '/api/v1/workspaces/acme/projects/'])
        },
      },
      {
        line: 'Every request carries one of these credentials.',
        raw: async ({ ask }) => {
          const paths = [
            'projects/',
            items,
            projectMappings,
            workspaceMappings,
            `stickies/${sticky}/`,
            `pages/${page}/`,
            '/api/v1/users/me/',
          ]
          for (const path of paths) expect((await ask('GET', path, { key: null })).status).toBe(401)
        },
        client: async ({ client, as, sandbox }) => {
          const { observed, ...rest } = client()
          await readAll({ observed, ...rest })
          expect(new Set(observed.map((one) => 'status' in one && one.status))).toEqual(new Set([200]))
          const before = sandbox.requests.length
          expect(await client(as.key('')).reader.projects(never)).toMatchObject({ why: expect.stringContaining('is empty') as string })
          expect(sandbox.requests.length).toBe(before)
        },
      },
      {
        line: 'An API key belongs to a user account',
        raw: async ({ ask, sandbox }) => expect((await ask('GET', '/api/v1/users/me/')).json.id).toBe(sandbox.state.users[0]?.id),
        clientless: notCalled,
      },
      {
        line: 'A key with an expiry stops working after it.',
        differs: ['refusedKeyStatus'],
        raw: async ({ ask, by, sandbox }) => {
          expect((await ask('GET', 'projects/', { key: 'expiring-key' })).status).toBe(200)
          const key = sandbox.state.keys.find(({ value }) => value === 'expiring-key')
          if (key !== undefined) key.expiresAt = Date.now()
          expect((await ask('GET', 'projects/', { key: 'expiring-key' })).status).toBe(by({ specification: 401, plane: 403 }))
        },
        client: async ({ client, as, sandbox }) => {
          const { reader } = client(as.key('expiring-key'))
          expect(await reader.projects(never)).toMatchObject({ status: 'complete' })
          for (const key of sandbox.state.keys) key.expiresAt = Date.now()
          expect(await reader.projects(never)).toMatchObject({ ...refused, cure: expect.stringContaining('make a new key') as string })
        },
      },
      {
        line: 'An OAuth access token is limited to the scopes the user granted to the application.',
        raw: async ({ ask, token }) => {
          const narrow = await token('stickies:read')
          expect((await ask('GET', `stickies/${sticky}/`, { token: narrow })).status).toBe(200)
          expect((await ask('GET', `pages/${page}/`, { token: narrow })).status).toBe(403)
        },
        client: async ({ client, as }) => {
          const reading = await client(as.oauth('stickies:read')).reader.projects(never)
          expect(reading).toMatchObject({ status: 'failed', why: expect.stringContaining('projects:read') as string })
          const ungranted = expect.stringContaining('Not granted to this application: everything') as string
          expect(await client(as.oauth('everything')).reader.projects(never)).toMatchObject({ why: ungranted })
        },
      },
      {
        line: 'A request without a key gets an authentication-required error',
        raw: async ({ ask }) => {
          for (const key of [null, '']) {
            const { status, text } = await ask('GET', 'projects/', { key })
            expect([status, text]).toEqual([401, '{"detail":"Authentication credentials were not provided."}'])
          }
        },
        client: async ({ client }) => {
          // The request has no header, as behind a proxy that drops it.
          const credential = { ...apiKey('default', async () => 'good-key'), headers: async () => ({}) }
          const cure = expect.stringContaining('no proxy drops the header') as string
          const reading = client({ credential }).reader.mapping('projectRoles', page as never, never)
          await expect(reading).rejects.toMatchObject({ code: 'credential', status: 401, cure })
        },
      },
      {
        line: 'an invalid or expired key gets an authentication-failure error (HTTP 401)',
        differs: ['refusedKeyStatus'],
        raw: async ({ ask, by }) => {
          for (const key of ['no-such-key', 'expired-key']) {
            const { status, text } = await ask('GET', 'projects/', { key })
            expect([status, text]).toEqual([by({ specification: 401, plane: 403 }), '{"detail":"Given API token is not valid"}'])
          }
        },
        client: async ({ client, as, sandbox }) => {
          for (const key of ['no-such-key', 'expired-key']) {
            const { reader, writer } = client(as.key(key))
            expect(await reader.projects(never)).toMatchObject(refused)
            expect(await writer.write(creation(everywhere), never)).toMatchObject({ kind: 'refused', code: 'credential' })
          }
          expect(sandbox.requests).toHaveLength(4)
        },
      },
      {
        line: 'Keys are secret',
        raw: async ({ ask, key }) => {
          const answers = await Promise.all(['projects/', 'nowhere/', '/api/v1/users/me/'].map((path) => ask('GET', path)))
          for (const { text, headers } of answers) expect(text + JSON.stringify([...headers])).not.toContain(key)
        },
        client: async ({ client, key, sandbox }) => {
          const { reader, writer } = client()
          sandbox.setFaults([`*: redirect to http://elsewhere.example/?key=${key}`])
          const outcome = await writer.write(creation(everywhere), never)
          const told = JSON.stringify([await reader.projects(never), outcome])
          expect(told).toContain('elsewhere.example')
          expect(told).not.toContain(key)
        },
      },
      {
        line: 'a compromised key is replaced by generating a new one',
        raw: async ({ ask, sandbox }) => {
          for (const key of sandbox.state.keys) if (key.value === 'good-key') key.value = 'another-key'
          expect((await ask('GET', 'projects/', { key: 'another-key' })).status).toBe(200)
          expect((await ask('GET', 'projects/')).status).toBeGreaterThan(400)
        },
        client: async ({ client, sandbox }) => {
          let value = 'good-key'
          const { reader } = client({ credential: apiKey('default', async () => value) })
          for (const key of sandbox.state.keys) if (key.value === value) key.value = 'another-key'
          expect(await reader.projects(never)).toMatchObject(refused)
          value = 'another-key'
          expect(await reader.projects(never)).toMatchObject({ status: 'complete' })
        },
      },
    ],
  },
]
