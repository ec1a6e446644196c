import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { settingsJsonSchema } from '../../../src/settings/jsonSchemas.ts'
import { edited, everySetting } from './everySetting.ts'
import { problemsOf } from './problems.ts'

const acceptedByEditors = new Ajv2020({ strict: false, validateFormats: false }).compile(settingsJsonSchema())

const key = { key: { file: 'google.json' } }
const token = { token: { file: 'google-token' } }
const workloadIdentity = everySetting.directories.workload.account.workloadIdentity
const plainHttp = 'plain http:// would show the credential to everyone on the way'

const refused: readonly (readonly [string, object, string])[] = [
  ['nothing', { account: {} }, 'the account has nothing that proves its identity'],
  ['a user alone', { account: { subject: 'a@example.com' } }, 'the account has nothing that proves its identity'],
  ['two proofs', { account: { ...key, ...token } }, 'an account has either "key" or "token"'],
  ['three proofs', { account: { ...key, ...token, workloadIdentity } }, 'an account has either "key" or "workloadIdentity"'],
  [
    'a token for a user',
    { account: { ...token, subject: 'a@example.com' } },
    'a token already belongs to one account, so "subject" has no effect',
  ],
  ['a customer and a domain', { account: key, customer: 'C1', domain: 'example.com' }, 'a reading has either "customer" or "domain"'],
  ...(['url', 'tokenUrl', 'stsUrl', 'iamUrl'] as const).map(
    (name) => [`plain http in ${name}`, { account: key, [name]: 'http://h.example.com' }, plainHttp] as const,
  ),
]
test.each(refused)('%s: refused by the program and by the schema for editors', async (_, part, message) => {
  const settings = edited(everySetting, ['directories', 'workspace'], { kind: 'google', ...part })
  expect(await problemsOf(settings)).toContain(message)
  expect(acceptedByEditors(settings)).toBe(false)
})

const accepted: readonly (readonly [string, object])[] = [
  ['a key', { account: key }],
  ['a key for a user', { account: { ...key, subject: 'a@example.com' } }],
  ['a workload', { account: { workloadIdentity } }],
  ['a workload for a user, of a domain', { account: { workloadIdentity, subject: 'a@example.com' }, domain: 'example.com' }],
  ['a token', { account: token, customer: 'my_customer' }],
  ['plain http to this machine', { account: key, url: 'http://127.0.0.1:1', tokenUrl: 'http://localhost:1/token' }],
  ['plain http that is allowed', { account: key, tokenUrl: 'http://h.example.com/token', allowPlaintext: true }],
]
test.each(accepted)('%s: accepted by both', async (_, part) => {
  const settings = edited(everySetting, ['directories', 'workspace'], { kind: 'google', ...part })
  expect(await problemsOf(settings)).toEqual([])
  expect([acceptedByEditors(settings), acceptedByEditors.errors]).toEqual([true, null])
})
