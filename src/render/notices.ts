import { waiverId } from '../core/change.ts'
import type { Finding } from '../core/finding.ts'
import type { Verdict } from '../core/judge/guards.ts'
import { count, untilText } from '../core/quantity.ts'
import { visible } from '../core/safeName.ts'
import type { Canvas } from './canvas.ts'
import type { Style } from './paint.ts'
import { more } from './rows.ts'
import { indented } from './table.ts'
import { wrap } from './width.ts'

/** @param wasTried earlier slices of the plan were written, and the guards refuse the rest */
export const refusedText = (wasTried: boolean): string =>
  wasTried ? 'REFUSED, the rest of this plan is not written' : 'REFUSED, nothing of this plan is written'
export const movedText =
  'STALE, nothing is written: this is not the plan that was reviewed. The workspace, a directory or the declaration has changed since; review the new plan.'

/** The waiver that lets exactly this plan pass, and the settings of the limits that it exceeds. */
export function allowText({ plan, refusals }: Extract<Verdict, { approved: false }>): string {
  const settings = [...new Set(refusals.map(({ setting }) => setting).filter((setting) => setting.startsWith('guards.')))]
  const pass = `to allow this plan: --allow ${waiverId(plan.fingerprint)}`
  return settings.length === 0 ? pass : `${pass} · or, if the limit is wrong, change ${settings.join(', ')}`
}

/** Which guards refuse the plan, with their numbers. */
export function refusalLines(verdict: Verdict, wasTried: boolean, { width, paint }: Canvas): readonly string[] {
  if (verdict.approved) return []
  const guards = verdict.refusals.flatMap(({ guard, sentence }) =>
    wrap(`${guard}: ${visible(sentence)}`, width - 4).map((line, index) => `  ${index === 0 ? '✗' : ' '} ${line}`),
  )
  return [paint('alarm', refusedText(wasTried)), ...guards.map((line) => paint('red', line)), ...indented(allowText(verdict), width)]
}

/** The waivers that let changes of this plan pass the guards: their ids, author, source and end. */
export function waivedLines({ waived }: Verdict, { width, paint, nowMs }: Canvas): readonly string[] {
  return waived.slice(0, waiversMax).flatMap(({ ids, by, source, untilMs }) => {
    const end = Number.isFinite(untilMs) ? `, ${untilText(untilMs, nowMs)}` : ''
    const names = `${ids.slice(0, namesMax).join(', ')}${ids.length > namesMax ? ', …' : ''}`
    return wrap(`Waived by ${visible(by)}: ${visible(names)} (${visible(source)}${end})`, width).map((line) => paint('yellow', line))
  })
}
const waiversMax = 10
const namesMax = 5

export const movedLines = ({ width, paint }: Canvas): readonly string[] => wrap(movedText, width).map((line) => paint('alarm', line))

const styles: Readonly<Record<Finding['severity'], Style>> = { info: 'dim', warning: 'yellow', error: 'red' }

export function findingLines(findings: readonly Finding[], { width, paint, all }: Canvas, rowsMax: number): readonly string[] {
  if (findings.length === 0) return []
  const shown = all ? findings : findings.slice(0, rowsMax)
  return [
    paint('bold', `Findings (${count(findings.length)})`),
    ...shown.flatMap(({ code, severity, place, sentence, cure = '' }) => [
      ...wrap(`${severity} ${code}: ${visible(sentence)} · ${visible(place)}`, width - 4).map((line, index) =>
        index === 0 ? `  ${paint(styles[severity], line)}` : `    ${line}`,
      ),
      ...indented(visible(cure), width).map((line) => paint('dim', line)),
    ]),
    ...more(findings.length - shown.length).map((line) => `  ${paint('dim', line)}`),
  ]
}
