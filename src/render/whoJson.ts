import { defined } from '../core/optionalFields.ts'
import type { HighestRole } from '../core/people/personRoles.ts'
import type { WhoDocument } from '../documents/who.ts'
import { documentBecause, documentTarget } from './documentParts.ts'
import { documentText } from './documentText.ts'
import { holdSentence } from './hold.ts'
import type { FailedView } from './view.ts'
import type { PersonView } from './whoText.ts'

/** The roles of a person as a JSON document. */
export function whoJson(person: string, views: readonly (PersonView | FailedView)[]): string {
  const workspaces = views.map((view) => ('failed' in view ? failedDocument(view) : workspaceDocument(view)))
  const document: WhoDocument = { format: 'plane-group-sync/who', version: 1, person, workspaces }
  return documentText(document)
}

type WorkspaceDocument = WhoDocument['workspaces'][number]

const failedDocument = ({ about, failed }: FailedView): WorkspaceDocument => ({
  workspace: about.workspace,
  failed,
  groups: [],
  unknown: [],
  roles: [],
  held: [],
})

const workspaceDocument = (view: PersonView): WorkspaceDocument => ({
  workspace: view.about.workspace,
  groups: view.groups,
  unknown: [...view.unknown.keys()],
  ...(view.unread.size === 0 ? {} : { unread: [...view.unread].map(([list, why]) => ({ list, why })) }),
  ...(view.labels.size === 0 ? {} : { labels: Object.fromEntries(view.labels) }),
  ...(view.findings.length === 0 ? {} : { findings: view.findings }),
  ...defined({ hint: view.hint }),
  roles: view.roles.map(({ target, before, after, mappings }) => ({
    target: documentTarget(target),
    before: documentRole(before),
    after: documentRole(after),
    by: mappings.map((mapping) => {
      const rule = view.rules.get(mapping.key)
      return defined({
        group: mapping.group,
        target: documentTarget(mapping.target),
        before: documentRole(mapping.before),
        after: documentRole(mapping.after),
        because: rule && documentBecause(rule),
      })
    }),
  })),
  held: view.held.flatMap((hold) =>
    hold.group === undefined
      ? []
      : [defined({ group: hold.group, target: hold.target && documentTarget(hold.target), reason: holdSentence(hold) })],
  ),
})

const documentRole = (role: HighestRole): WorkspaceDocument['roles'][number]['before'] =>
  role === undefined ? null : role.kind === 'role' ? role.role : role.roles
