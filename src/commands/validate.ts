import { visible } from '../core/safeName.ts'
import { readDeclared } from '../settings/declared.ts'
import { brokenFiles } from '../settings/references.ts'
import { invalidFiles, renderProblems } from '../yaml/frame.ts'
import { type Command, exitCodes } from './command.ts'
import { InvalidSettings, openSettings } from './settings.ts'

export const command: Command = {
  async run({ values, terminal, signal }) {
    const loaded = await openSettings(values, terminal, signal)
    const broken = await brokenFiles(loaded, terminal.env, signal)
    if (broken.length > 0) throw new InvalidSettings(invalidFiles(broken))
    const { declared, hints } = await readDeclared(loaded, signal)
    const count = (one: (list: { rules: readonly unknown[]; removed: readonly unknown[]; unmanaged: readonly unknown[] }) => number) =>
      [...declared.workspaces.values()].reduce((sum, workspace) => sum + one(workspace), 0)
    const [rules, removed, unmanaged] = [count((w) => w.rules.length), count((w) => w.removed.length), count((w) => w.unmanaged.length)]
    const workspaces = declared.workspaces.size
    const also = [removed > 0 ? `${removed} removed` : '', unmanaged > 0 ? `${unmanaged} unmanaged` : ''].filter((part) => part !== '')
    terminal.out(
      `valid: ${plural(rules, 'rule')} for ${plural(workspaces, 'workspace')} in ${plural(declared.files, 'file')}${also.map((part) => `, ${part}`).join('')} · declaration ${declared.hash.slice(0, 7)} · ${visible(loaded.file)}\n`,
    )
    if (hints.length > 0) terminal.out(`\n${renderProblems(hints)}\n`)
    return exitCodes.done
  },
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
