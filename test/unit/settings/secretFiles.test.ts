import { expect, test } from 'vitest'
import type { LoadedSettings } from '../../../src/settings/load.ts'
import { secretFilesOf } from '../../../src/settings/references.ts'
import { settingsSchema } from '../../../src/settings/schema.ts'
import { everySetting } from './everySetting.ts'

const filesOf = (more: object) => {
  const settings = settingsSchema.parse({ ...everySetting, ...more })
  return secretFilesOf({ settings, path: (name: string) => `/etc/${name}` } as LoadedSettings)
}
const receivers = [
  { url: { file: 'a' }, format: 'text', caFile: 'a.pem' },
  { url: { env: 'B' }, format: 'text' },
]

test('the files of secrets have a name for each that uses them: also the page, and the receivers', () => {
  const http = { listen: '127.0.0.1:9464', page: { token: { file: 'page-password' } } }
  expect(Object.fromEntries(filesOf({ http, notify: receivers }))).toMatchObject({
    'http.page': ['/etc/page-password'],
    notify: ['/etc/a.pem', '/etc/a'],
  })
})

test('a page without a password, and one whose password is in a variable, have no file', () => {
  const listen = '127.0.0.1:9464'
  expect(filesOf({ http: { listen, page: { open: true } } }).get('http.page')).toBeUndefined()
  expect(filesOf({ http: { listen, page: { token: { env: 'PAGE' } } } }).get('http.page') ?? []).toEqual([])
  expect(filesOf({ http: 'none', notify: [] }).get('notify')).toBeUndefined()
})
