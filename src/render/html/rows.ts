import { bundleParts, clauses, factOf, rowWords } from '../bundle.ts'
import type { ChangeParts } from '../change.ts'
import type { PlanEntry } from '../entry.ts'
import { type Bundle, eachAlone, folded } from '../fold.ts'
import { type Html, html, nothing } from './html.ts'
import { fittingRows, leftOut, type Room } from './room.ts'

/** `alone`: each entry has a row of its own, with its own command. `silent`: the title says the reason. */
type RowsHow = { readonly alone?: boolean; readonly silent?: boolean; readonly room: Room; readonly rest: string }

/** Rows of a section, and entries that are looked at: folding more would take longer than a page may. */
const rowsMax = 60
const entriesMax = 1000

/** Entries as a list, those of protected roles first. Rows are shared as `fold.ts` says. */
export function rowList(entries: readonly PlanEntry[], { alone = false, silent = false, room, rest }: RowsHow): Html {
  if (entries.length === 0) return nothing
  const seen = entries.toSorted((a, b) => Number(b.isProtected) - Number(a.isProtected)).slice(0, entriesMax)
  const bundles = alone ? eachAlone(seen) : folded(seen, { max: rowsMax, cost: () => 1 })
  const shown = fittingRows(bundles, rowsMax, room, (bundle) => rowOf(bundle, silent))
  const drawn = bundles.slice(0, shown.rows.length).flat(2).length
  return html`<ul class="rows">${shown.rows}</ul>${leftOut(entries.length - drawn, 'of these', rest)}`
}

function rowOf(bundle: Bundle, silent: boolean): Html {
  const [fold] = bundle
  const { why, times, cure, reason } = rowWords(bundle)
  const [{ isProtected }] = fold
  const place = fold[0].parts.place
  return html`<li class="${isProtected ? 'alarm' : 'held'}"><p>${rowSubject(bundle)}${isProtected ? html` <span class="word">protected</span>` : nothing}${
    reason === '' ? nothing : html` ${reason}`
  }</p>${silent || clauses(why, times) === '' ? nothing : html`<p>${clauses(why, times)}</p>`}${
    place === '' ? nothing : html`<p class="dim small">${bundle.length > 1 ? bundleParts(bundle).place : place}</p>`
  }${cureHtml(cure)}</li>`
}

function rowSubject(bundle: Bundle): Html {
  const [fold] = bundle
  if (bundle.length > 1) {
    const { where, ...parts } = bundleParts(bundle)
    return words(where, parts)
  }
  const { parts } = fold[0]
  const where = fold.length === 1 ? parts.target : fold.map((entry) => entry.parts.target).join(', ')
  return words(where, { ...parts, fact: factOf(fold) })
}

function words(where: string, { who, before, role, fact }: Pick<ChangeParts, 'who' | 'before' | 'role' | 'fact'>): Html {
  const from = before === undefined ? nothing : html` ${before}`
  return html`<b>${where}</b> <span class="n">${who}</span>${from} <b>${role}</b>${fact === '' ? nothing : html` <span class="dim">${fact}</span>`}`
}

/** A command stands alone, so that one click selects it. */
export function cureHtml(cure: string): Html {
  if (cure === '') return nothing
  return cure.startsWith('plane-group-sync ') ? html`<code>${cure}</code>` : html`<p class="small">${cure}</p>`
}
