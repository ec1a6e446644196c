import { expect, test } from 'vitest'
import { givesAway, isFilePath, namesSecret, secretValueIn, withoutSecretForms } from '../../../src/core/secretText.ts'
import { cpuMsOf } from '../cpuTime.ts'

test.each([
  ['schemes', 'a://'.repeat(250_000)],
  ['signs', '@'.repeat(1_000_000)],
  ['colons', ':'.repeat(1_000_000)],
  ['parameters', `?${'key'.repeat(330_000)}`],
  ['question marks', '?key'.repeat(250_000)],
  ['keys', '-----BEGIN PRIVATE KEY-----'.repeat(37_000)],
  ['dashes', '-'.repeat(1_000_000)],
  ['names', 'plane_'.repeat(160_000)],
])('secrets are looked for in a megabyte of %s in no time', (_, text) => {
  const cpuMs = cpuMsOf(() => {
    withoutSecretForms(text)
    givesAway(text)
    secretValueIn(text)
    isFilePath(text)
    namesSecret(text)
  })
  expect(cpuMs).toBeLessThan(2_000)
})
