import { expect, test } from 'vitest'
import { acceptsGzip } from '../../../src/daemon/http.ts'

test.each([
  ['gzip', true],
  ['GZIP', true],
  ['x-gzip', true],
  ['deflate, gzip;q=1.0, *;q=0.5', true],
  ['gzip;q=0.001', true],
  ['gzip ; q=0.5 , identity;q=0.5', true],
  ['*', true],
  ['br, *;q=0.1', true],
  ['gzip, identity;q=0', true],
  [undefined, false],
  ['', false],
  ['identity', false],
  ['br, zstd', false],
  ['gzip;q=0', false],
  ['gzip;q=0.000', false],
  ['gzip;q=0, *', false],
  ['*;q=0', false],
  ['gzip;q=0.5, identity', false],
  ['gzip;q=0.2, identity;q=0.8', false],
  ['gzip;q=none', false],
  ['gzip;q=2', false],
  ['gzip;q=-1', false],
  ['not-gzip', false],
  [',,;;q=,', false],
])('Accept-Encoding: %s → %s', (header, expected) => {
  expect(acceptsGzip(header)).toBe(expected)
})
