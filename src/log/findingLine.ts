import { cureText } from '../core/cures.ts'
import type { Finding } from '../core/finding.ts'
import type { WorkspaceName } from '../core/mapping.ts'
import { visible } from '../core/safeName.ts'
import type { LogLine } from './line.ts'

/** @param workspace undefined for a finding that concerns all workspaces */
export function findingLine(workspace: WorkspaceName | undefined, { code, severity, place, sentence, cure }: Finding): LogLine {
  const whose = workspace === undefined ? {} : { workspace }
  return {
    level: severity === 'warning' ? 'warn' : severity,
    fields: { event: 'finding', ...whose, code, place, sentence },
    message: `${workspace === undefined ? '' : `${workspace} `}${code}: ${visible(`${place}: ${sentence}${cure === undefined ? '' : `; ${cureText(code, cure)}`}`)}`,
  }
}
