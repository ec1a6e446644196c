import { type Doors, doorText } from '../core/doors.ts'
import { shellWord, visible } from '../core/safeName.ts'

/* Command lines of this program, to be copied into a shell. */

/** `export --workspace acme --undeclared`; without a workspace only for a text that concerns none in particular. */
export const exportOf = (part: 'undeclared' | 'removed', workspace?: string): string =>
  `export ${workspace === undefined ? '' : `--workspace ${shellWord(workspace)} `}--${part}`

/** `plane-group-sync apply --workspace acme --allow …` */
export const applyWith = (workspace: string, ids: readonly string[]): string =>
  `plane-group-sync apply --workspace ${shellWord(workspace)} ${ids.map((id) => `--allow ${visible(id)}`).join(' ')}`

/** `plane-group-sync approve --workspace acme …`: prints words for a file. */
export const approveWords = (workspace: string, ids: readonly string[]): string =>
  `plane-group-sync approve --workspace ${shellWord(workspace)} ${ids.map(visible).join(' ')} --reason …`

/** `plane-group-sync apply plan.json` */
export const applySaved = (file: string): string => `plane-group-sync apply ${shellWord(file)}`

/** The command beside a daemon that lets a change or a plan pass. A person writes the reason. */
export const approveNow = (id: string): string => `plane-group-sync approve ${visible(id)} --now --reason …`

/** The command that ends an approval. */
export const withdrawApproval = (name: string): string => `plane-group-sync approve --withdraw ${visible(name)}`

/** How what waits gets its approval beside a daemon. */
export const approveBesideDaemon = (id: string, doors: Doors): string => (doors === 'any' ? approveNow(id) : doorText(id, doors))
