/** The control sequences that this program itself writes in a text for a terminal: colours. */
const own = String.raw`\u001b\[[\d;]{0,20}m`
const control = String.raw`[\0-\x08\x0b-\x1f\x7f-\x9f]`
const onTerminal = new RegExp(`(${own})|${control}`, 'g')
const elsewhere = new RegExp(control, 'g')

/**
 * A text without control characters from outside, which could move the cursor or give orders to a terminal. Every text for a stream passes through
 * it, so that a sentence that forgets `visible` does no harm. The escapes are also valid in JSON.
 */
export function withoutControls(text: string, isTerminal: boolean): string {
  if (!isTerminal) return text.replace(elsewhere, escaped)
  return text.replace(onTerminal, (found, ours: string | undefined) => ours ?? escaped(found))
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
