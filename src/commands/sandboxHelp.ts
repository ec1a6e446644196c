import { endpoints } from '../sandbox/endpoints.ts'
import { forms, frequencyExamples } from '../sandbox/fault-forms.ts'
import { wrapped } from './terminal.ts'

/** The part of `sandbox --help` after the options: the faults in all their forms, and the endpoints of a running sandbox. */
export function sandboxHelp(columns: number): string {
  const lines = (text: string, indent: number): readonly string[] => wrapped(text, indent, columns)
  const entry = (name: string, does: string): readonly string[] => [`    ${name}`, ...lines(does.replaceAll('`', ''), 8)]
  return [
    'Faults',
    ...lines('A fault is "[METHOD] PATH: WHAT[, HOW OFTEN]".', 2),
    ...lines(
      'PATH is one or more segments of an address: "project-mappings" is the list and its items, "project-mappings/" the list, "project-mappings/*" the items, "*" everything.',
      2,
    ),
    ...lines(`HOW OFTEN is one or more of: ${frequencyExamples.join(', ')}. Without it the fault always strikes.`, 2),
    ...lines('WHAT is one of:', 2),
    ...forms.flatMap(({ example, says }) => entry(example, says)),
    '',
    ...lines('Endpoints of the running sandbox, for programs on the same machine', 0),
    ...endpoints.flatMap(({ method, path, does }) => entry(`${method} ${path}`, does)),
    '',
    ...lines(
      'docs/sandbox.md has examples with curl, Python and CI; docs/dev/sandbox-reference.md has the state file and the dialects.',
      0,
    ),
    '',
  ].join('\n')
}
