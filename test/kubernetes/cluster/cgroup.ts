import { existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'

const root = '/sys/fs/cgroup'
const prefix = 'plane-group-sync-test-'

/** The folders of a cgroup: one in version 2, one for each controller in version 1. */
export function* foldersOf(name: string): Generator<string> {
  if (existsSync(join(root, 'cgroup.controllers'))) yield join(root, name)
  else for (const controller of readdirSync(root)) yield join(root, controller, name)
}

/** A cgroup below which the kubelet makes those of its pods. Disposing removes all of them. Those that a killed run left are removed, too. */
export function ownCgroup(): Disposable & { readonly name: string } {
  for (const name of namesLeft()) for (const folder of foldersOf(name)) removeCgroup(folder)
  const name = `${prefix}${process.pid}`
  for (const folder of foldersOf(name)) mkdirSync(folder)
  return {
    name,
    [Symbol.dispose]: () => {
      for (const folder of foldersOf(name)) removeCgroup(folder)
    },
  }
}

function* namesLeft(): Generator<string> {
  const [first = root] = foldersOf('.')
  for (const name of readdirSync(first)) {
    if (name.startsWith(prefix) && !existsSync(`/proc/${name.slice(prefix.length)}`)) yield name
  }
}

/** A cgroup without processes is removed by `rmdir`, its children first. Its files cannot be removed, and go with it. */
function removeCgroup(folder: string): void {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) removeCgroup(join(folder, entry.name))
  rmdirSync(folder)
}
