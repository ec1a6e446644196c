import { expect, test } from 'vitest'
import { doubtOf } from '../../../src/files/believed.ts'

const plane = 65_532
const [root, nobody, other] = [0, 65_534, 1_000]

type Facts = { readonly uid: number; readonly gid: number; readonly mode: number; readonly nlink: number; readonly isFile: boolean }
const own: Facts = { uid: plane, gid: plane, mode: 0o100600, nlink: 1, isFile: true }
const doubt = (facts: Partial<Facts>, accounts: { uid?: number; groups?: readonly number[]; folderUid?: number } = {}) => {
  const { isFile, ...file } = { ...own, ...facts }
  return doubtOf('/j/last.json', { ...file, isFile: () => isFile }, { uid: plane, groups: [plane], folderUid: plane, ...accounts })
}

test.each<[string, Parameters<typeof doubt>]>([
  ['a file of this program', [{}]],
  ['readable by all', [{ mode: 0o100644 }]],
  ['on a volume with fsGroup', [{ mode: 0o100660 }, { folderUid: root }]],
  ['on a volume with fsGroup, in a pod whose own group is another', [{ mode: 0o100660 }, { folderUid: root, groups: [root, plane] }]],
  ['an older file of root on a claim of root', [{ uid: root, gid: plane, mode: 0o100660 }, { folderUid: root }]],
  ['in an emptyDir, which root made for everybody', [{}, { folderUid: root }]],
  ['over NFS that shows one account for all', [{ uid: nobody, gid: nobody }, { folderUid: nobody }]],
  ['of the daemon, read by root', [{}, { uid: root, groups: [root], folderUid: plane }]],
])('believed: %s', (_what, facts) => expect(doubt(...facts)).toBeUndefined())

test.each<[string, Parameters<typeof doubt>, string, string]>([
  ['of another account', [{ uid: other }], 'belongs to account 1000 instead of 65532 (mode 0600)', 'chown 65532 /j/last.json'],
  ['of another account in the folder of root', [{ uid: other }, { folderUid: root }], 'belongs to account 1000', 'chown'],
  ['of another account, read by root', [{ uid: other }, { uid: root, folderUid: root }], 'belongs to account 1000 instead of 0', 'chown 0'],
  ['writable by all', [{ mode: 0o100666 }], 'may be written by every account (mode 0666)', 'chmod o-w /j/last.json'],
  ['of root, writable by all', [{ uid: root, mode: 0o100602 }], 'may be written by every account', 'chmod o-w'],
  ['writable by a group that this process lacks', [{ gid: 100, mode: 0o100660 }], 'may be written by group 100', 'chmod g-w /j/last.json'],
  ['with a second name', [{ nlink: 2 }], 'has a second name', 'remove the other name'],
  ['no file', [{ isFile: false }], 'is not a regular file', 'move it away'],
])('not believed: %s', (_what, facts, why, cure) => {
  expect(doubt(...facts)?.why).toContain(why)
  expect(doubt(...facts)?.cure).toContain(cure)
})
