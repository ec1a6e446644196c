import { expect } from 'vitest'
import { emptyMemory } from '../../../src/core/memory/memory.ts'
import { openNotifier } from '../../../src/daemon/notice/notifier.ts'
import { openReceiver } from '../receivers.ts'
import { composed, usual } from './composed.ts'
import { type Row, type Tree, when } from './row.ts'

/** Who is told what: the texts that a receiver got, and why messages to it were dropped. */

const usualReceiver = { url: { file: 'webhook' }, caFile: 'ca.pem', format: 'text' }

async function told(settings: Tree): Promise<readonly string[]> {
  await using receiver = await openReceiver('anyJson')
  const fences = {
    'groups.yaml': 'everything',
    'other-groups.yaml': { owner: 'team', workspace: 'acme', workspaceRoles: { groups: ['x'], roles: ['guest'] } },
  }
  const files = { webhook: receiver.address, 'other-webhook': 'http://127.0.0.1/' }
  await using program = await composed({ ...settings, fences }, { files })
  const { loaded, world, logged } = program
  const all = Promise.withResolvers<void>()
  const notifier = openNotifier({
    world,
    run: { run: 'r', memory: () => emptyMemory, append: async () => undefined },
    metrics: { observeMessage: () => all.resolve() },
    isLost: () => false,
  })
  await notifier.tell(failed, loaded)
  if (loaded.settings.notify.some(({ on, owner }) => on.includes('failed') && owner === undefined)) await all.promise
  await notifier.close()
  const lines = logged.map((line) => (JSON.parse(line) as { readonly msg: string }).msg)
  return [...receiver.messages.map((message) => JSON.stringify(message)), ...lines]
}

/** A file that is invalid: the simplest fact. */
const failed = {
  ...{ startedMs: 0, tookMs: 0, directories: [], workspaces: [] },
  declaration: { hash: '', files: 1, kept: 'wrong', keptFiles: [{ file: 'a', isUsed: true }] },
} as const

const fact = 'declaration: a is invalid. The last valid text stays in use; plane-group-sync validate shows what to correct'
const textBody = JSON.stringify({ text: `plane-group-sync at 127․0․0․1∶701\n• ${fact}` })

export const notifyRows: readonly Row[] = [
  {
    setting: 'notify',
    base: usual,
    cases: [
      when([], []),
      when([usualReceiver], [textBody]),
      when([{ ...usualReceiver, link: 'https://a.example.com/' }], [textBody.replace('"}', '\\nhttps://a.example.com/"}')]),
      when(
        [{ ...usualReceiver, name: 'team', url: { file: 'other-webhook' } }],
        ['team hears nothing: its url does not begin with https://', 'team: 1 message dropped: its url does not begin with https://'],
      ),
      when(
        [
          { ...usualReceiver, on: ['waiting'], name: 'x' },
          { ...usualReceiver, url: { file: 'missing' }, owner: 'team' },
        ],
        [expect.stringMatching(/^notify\[1\] hears nothing: secret file .*missing does not exist$/)],
      ),
    ],
    see: told,
  },
]
