import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { everySetting } from '../unit/settings/everySetting.ts'
import { problemsOf } from '../unit/settings/problems.ts'
import { configOf, render } from './helm.ts'

const given = ['--set', 'settings.workspaces.acme.slug=acme']
const httpOf = async (...args: readonly string[]) => {
  const settings: unknown = parse(configOf(await render(...given, ...args)))
  return (settings as { readonly http: unknown }).http
}

it('the page is off, and http says nothing of it', async () => {
  expect(await httpOf()).toEqual({ listen: '0.0.0.0:9464' })
})

it('page.enabled gives the program its password and says that TLS is in front; the program accepts that', async () => {
  const http = await httpOf('--set', 'page.enabled=true')
  expect(http).toEqual({ listen: '0.0.0.0:9464', page: { token: { file: '/run/secrets/plane-group-sync/page-token' }, behindTls: true } })
  expect(await problemsOf({ ...everySetting, http })).toEqual([])
  expect(await httpOf('--set', 'page.enabled=true,page.tokenFile=/vault/page')).toMatchObject({ page: { token: { file: '/vault/page' } } })
})

it('without a journal there is no page', async () => {
  await expect(render(...given, '--set', 'page.enabled=true,settings.journal=none')).rejects.toThrow('page.enabled needs a journal')
})
