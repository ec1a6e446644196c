import { nearest } from '../core/nearest.ts'
import { padEnd, widthOf } from '../render/width.ts'
import { commands } from './all.ts'
import { type Command, commonOptions, type Option } from './command.ts'

const wide = 26

export function usage(): string {
  const verbs = Object.entries(commands).map(([name, { summary }]) => `  ${padEnd(name, 10)} ${summary}`)
  return `plane-group-sync keeps the group mappings of Plane workspaces equal to what a YAML file declares.

Usage: plane-group-sync COMMAND [OPTIONS]

${verbs.join('\n')}

plane-group-sync COMMAND --help shows the options of a command; --version shows the version.
`
}

export function usageOf(name: string, { summary, takes, options, examples = [], details }: Command): string {
  return `${summary[0]?.toUpperCase()}${summary.slice(1)}.

Usage: plane-group-sync ${name}${takes === undefined ? '' : ` ${takes}`} [OPTIONS]

${examples.map(({ does, line }) => `  # ${does}\n  plane-group-sync ${name} ${line}\n\n`).join('')}${lines(options)}
Common options
${lines(commonOptions)}${details === undefined ? '' : `\n${details()}`}`
}

function lines(options: Readonly<Record<string, Option>>): string {
  return Object.entries(options)
    .map(([name, { value, short, describe }]) => {
      const flag = `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`
      return `  ${padEnd(flag, wide)} ${widthOf(flag) > wide ? `\n${' '.repeat(wide + 3)}` : ''}${describe}\n`
    })
    .join('')
}

/** The error of `parseArgs` in our words. Its own message gives advice about positional arguments after the error itself. */
export function misused(name: string, options: Readonly<Record<string, Option>>, { message }: Error): string {
  const [, unknown] = /^Unknown option '-{1,2}([^']*)'/.exec(message) ?? []
  const near = unknown === undefined ? undefined : nearest(unknown, Object.keys(options))
  const [, valueless] = /^Option '.*?--([^ ']+) <value>' argument missing/.exec(message) ?? []
  const meant = near === undefined ? '' : `; did you mean "--${near}"?`
  const what =
    unknown !== undefined
      ? `${name} has no option "--${unknown}"${meant}`
      : valueless !== undefined
        ? `--${valueless} needs a value`
        : message
  return `${what}\n  plane-group-sync ${name} --help shows its options`
}

export function unknownCommand(name: string): string {
  const near = nearest(name, Object.keys(commands))
  return `plane-group-sync has no command "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}\n\n${usage()}`
}
