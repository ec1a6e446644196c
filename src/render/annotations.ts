import { visible } from '../core/safeName.ts'
import type { ValidationProblem } from '../documents/validation.ts'

const commands = { error: 'error', warning: 'warning', note: 'notice' } as const

/** A problem as a workflow command of GitHub, which shows it beside its line of the file in a pull request. No line break at the end. */
export function annotation({ severity, code, file, line, column, message, cure }: ValidationProblem): string {
  const place = line === undefined ? [] : [`line=${line}`, ...(column === undefined ? [] : [`col=${column}`])]
  const properties = [`file=${property(file)}`, ...place, `title=${property(`plane-group-sync: ${code}`)}`]
  const text = cure === undefined ? visible(message) : `${visible(message)}\n${visible(cure)}`
  return `::${commands[severity]} ${properties.join(',')}::${data(text)}`
}

/** GitHub decodes exactly these characters, so no text can end its line and begin a command of its own. */
const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string): string => data(visible(text)).replaceAll(':', '%3A').replaceAll(',', '%2C')
