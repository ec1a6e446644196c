import { expect, test } from 'vitest'
import { forms, frequencyExamples, readFault } from '../../../src/sandbox/fault-forms.ts'
import { SandboxError } from '../../../src/sandbox/sandboxError.ts'

test.each(forms.map(({ example }) => example))('reads its example: %s', (example) => {
  expect(readFault(`POST project-mappings: ${example}`)).toMatchObject({ method: 'POST', path: 'project-mappings' })
})

test.each([
  [
    'POST project-mappings: lost after commit, 20%',
    { method: 'POST', path: 'project-mappings', probability: 0.2, fault: { kind: 'lost', silenceMs: 1_000, when: 'after commit' } },
  ],
  [
    '*: outage 3s, from the 40th, once',
    { path: '*', from: 40, times: 1, fault: { kind: 'outage', silenceMs: 3_000, when: 'before commit' } },
  ],
  ['* *: 429, every 5th, 3 times', { path: '*', every: 5, times: 3, fault: { kind: 'throttled', retryAfterS: undefined } }],
  [
    'GET /api/v1: latency 100ms-1.5s',
    { method: 'GET', path: '/api/v1', fault: { kind: 'latency', fromMs: 100, toMs: 1_500, when: 'before commit' } },
  ],
  [
    'PATCH *: latency 2s after commit',
    { method: 'PATCH', path: '*', fault: { kind: 'latency', fromMs: 2_000, toMs: 2_000, when: 'after commit' } },
  ],
  [
    'projects/: redirect to https://b.example/api',
    { path: 'projects/', fault: { kind: 'redirect', status: 302, location: 'https://b.example/api' } },
  ],
  [
    'projects/: 308 redirect to https://b.example/',
    { path: 'projects/', fault: { kind: 'redirect', status: 308, location: 'https://b.example/' } },
  ],
  ['POST *: 502 after commit, once', { method: 'POST', path: '*', times: 1, fault: { kind: 'status', status: 502, when: 'after commit' } }],
] as const)('%s', (text, rule) => expect(readFault(text)).toEqual(rule))

test.each([
  ['project-mappings', 'begin it with [METHOD] PATH and a colon'],
  ['POST project-mappings: explode', '"explode" is none of: latency 200ms · lost after commit'],
  ['POST *: latency soon', '"latency soon" is none of'],
  ['POST *: 503, often', '"often" is none of: 20% · once · 3 times · from the 40th · every 5th'],
  ['POST *: 503, 150%', '"150%" is more than 100%'],
  ['POST *: 503, 100.001%', '"100.001%" is more than 100%'],
  ['POST *: 503, 0%', 'with "0%" it can never strike'],
  ['POST *: 503, 0 times', 'with "0 times" it can never strike'],
  ['POST *: 503, from the 0th', 'with "from the 0th" it can never strike'],
  ['POST *: 503, every 0th', 'with "every 0th" it can never strike'],
  ['POST *: 503, once, 3 times', '"3 times" says a second time'],
  ['POST *: 503, 10%, 10%', '"10%" says a second time'],
  ['POST *: latency 0ms', '"latency 0ms" is none of'],
  ['POST *: latency 25h', '"latency 25h" is none of'],
  ['POST *: role a becomes a', '"role a becomes a" is none of'],
  [`POST *: redirect to http://${'a'.repeat(1_000)}/`, 'more than 1000 characters'],
])('refuses %s and says what may be said', (text, complaint) => {
  expect(() => readFault(text)).toThrow(SandboxError)
  expect(() => readFault(text)).toThrow(complaint)
})

test.each(frequencyExamples)('reads its example of how often: %s', (example) => {
  expect(Object.keys(readFault(`*: 503, ${example}`))).toHaveLength(3)
})
