import { type Key, keyOf } from '../core/mapping.ts'
import { positionText, type Removal, type Rule, type Unmanaged } from '../core/rule.ts'
import type { Part, Statement } from './compile.ts'
import { type Contradiction, type ExactName, exactNameOf, exactText } from './exactName.ts'

type Named = { readonly said: Statement<Rule | Removal | Unmanaged>; readonly name: ExactName }

/**
 * With fences each key belongs to one file, so a key that two files name is a problem, also if they agree. The problem is at the file inside a fence,
 * or else at the file that comes later.
 */
export function* namedTwice(parts: readonly Part[]): Generator<Contradiction> {
  const first = new Map<Key, Named>()
  for (const part of parts) {
    for (const named of exactNames(part)) {
      const key = keyOf(part.workspace, named.name.target, named.name.group)
      const before = first.get(key)
      if (before === undefined) first.set(key, named)
      else if (before.said.list.file !== named.said.list.file) yield twice(before, named)
    }
  }
}

function twice(before: Named, named: Named): Contradiction {
  const isBefore = before.said.what.fenced === true && named.said.what.fenced !== true
  const [here, there] = isBefore ? [before, named] : [named, before]
  return {
    said: here.said,
    against: there.said.what,
    message: `${exactText(here.name)} is also at ${positionText(there.said.what.because.at)}, and with fences one file says it`,
    cure: 'remove one of the two',
  }
}

function* exactNames({ rules, removed, unmanaged }: Part): Generator<Named> {
  for (const said of rules) {
    const name = exactNameOf(said.what)
    if (name !== undefined) yield { said, name }
  }
  for (const said of removed) yield { said, name: said.what }
  for (const said of unmanaged) {
    const { groups, target } = said.what
    if (groups.kind === 'exact' && target !== undefined) yield { said, name: { group: groups.name, target } }
  }
}
