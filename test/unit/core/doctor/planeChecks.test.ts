import { expect, test } from 'vitest'
import { checkNames, checksInOrder, isUnwell, resultOf } from '../../../../src/core/doctor/check.ts'
import {
  accessFinding,
  type CredentialFacts,
  credentialCheck,
  isElsewhere,
  isUseless,
  type ReadRefusals,
  serviceCheck,
} from '../../../../src/core/doctor/planeChecks.ts'

const refusal = (code: string, sentence = `said ${code}`) => ({ code, sentence })
const about = { workspace: 'acme', slug: 'acme-1', credential: 'default' }
const access = (mappings?: string, projects?: string, sentence?: string): ReadRefusals => ({
  ...(mappings === undefined ? {} : { mappings: refusal(mappings, sentence) }),
  ...(projects === undefined ? {} : { projects: refusal(projects) }),
})

test.each<[ReadRefusals, string]>([
  [access('forbidden'), 'owner-not-admin'],
  [access('forbidden', 'forbidden'), 'workspace-unknown'],
  [access('notFound', 'notFound'), 'workspace-unknown'],
  [access('notFound'), 'group-sync-absent'],
  [access('rejected'), 'group-sync-absent'],
  [access('forbidden', undefined, 'The token lacks the scope workspaces.group_sync:read.'), 'scope-missing'],
  [access('server', 'server'), 'workspace-unread'],
  [access(), 'workspace-unread'],
])('%j is %s', (seen, code) => {
  const found = accessFinding(about, seen, refusal('failed', 'the settings cannot be read'))
  expect([found.code, found.severity, found.place]).toEqual([code, 'error', 'acme'])
})

test.each<[string | undefined, string, string]>([
  [undefined, 'ok', 'ok'],
  ['unreachable', 'error service-unreachable', 'skipped'],
  ['server', 'error service-failing', 'skipped'],
  ['notJson', 'error service-not-plane', 'skipped'],
  ['credential', 'ok', 'error credential-refused'],
  ['throttled', 'ok', 'warning credential-throttled'],
  ['secret', 'skipped', 'error secret-unreadable'],
  ['forbidden', 'ok', 'info owner-unknown'],
  ['notFound', 'ok', 'info owner-unknown'],
])('the answer %s to the first request', (code, service, credential) => {
  const facts: CredentialFacts = code === undefined ? { name: 'default', owner: 'ann' } : { name: 'default', refusal: refusal(code) }
  const checks = [serviceCheck('https://plane.example.com', [facts], false), credentialCheck(facts, false)]
  const shown = checks.map((check) => [resultOf(check), ...check.findings.map((finding) => finding.code)].join(' '))
  expect(shown).toEqual([service, credential])
})

test('a credential that may only not say whose it is can be used', () => {
  const usable = ['forbidden', 'notFound', 'rejected'].map((code) => isUseless(refusal(code)))
  const useless = ['unreachable', 'server', 'notJson', 'credential', 'secret', 'throttled'].map((code) => isUseless(refusal(code)))
  expect([usable, useless]).toEqual([usable.map(() => false), useless.map(() => true)])
})

test('Plane is not at an address where everything is 404; one 404 alone is not enough', () => {
  const nowhere: CredentialFacts = { name: 'default', refusal: refusal('notFound') }
  expect(isElsewhere([nowhere], [access('notFound', 'notFound')])).toBe(true)
  expect(isElsewhere([nowhere], [access('notFound', 'notFound'), undefined])).toBe(false)
  expect(isElsewhere([nowhere], [access('notFound')])).toBe(false)
  expect(isElsewhere([nowhere, { name: 'other', owner: 'ann' }], [access('notFound', 'notFound')])).toBe(false)
  expect(isElsewhere([], [])).toBe(false)
  const check = serviceCheck('https://plane.example.com', [nowhere], true)
  expect(check.findings.map(({ code }) => code)).toEqual(['service-not-plane'])
  expect(resultOf(credentialCheck(nowhere, true))).toBe('skipped')
})

test('the result of a check is that of its worst finding, and only errors and warnings are unwell', () => {
  const check = (...severities: readonly ('info' | 'warning' | 'error')[]) => ({
    check: 'plan' as const,
    place: 'acme',
    seen: '',
    findings: severities.map((severity) => ({ code: 'held' as const, severity, place: 'acme', sentence: '' })),
  })
  expect([check(), check('info'), check('info', 'warning'), check('warning', 'error', 'info')].map(resultOf)).toEqual([
    'ok',
    'info',
    'warning',
    'error',
  ])
  expect([isUnwell([check(), check('info')]), isUnwell([check('warning')])]).toEqual([false, true])
  expect(resultOf({ ...check('info'), skipped: true })).toBe('skipped')
  const mixed = checksInOrder(checkNames.toReversed().map((name) => ({ ...check(), check: name })))
  expect(mixed.map((one) => one.check)).toEqual(checkNames)
})
