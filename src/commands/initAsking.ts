import { OperationalError } from '../core/operationalError.ts'
import { shellWord, visible } from '../core/safeName.ts'
import { givesAway } from '../core/secretText.ts'
import { type Call, text, texts, UsageError } from './command.ts'
import { errorReport } from './errorReport.ts'
import { type Question, referenceIn } from './initQuestions.ts'

/** A question with the answer of the command line or the environment, if it has one. `option`: how the command line gives it, such as `--set realm`. */
type Inquiry = Question & { readonly option: string; readonly given: string | undefined }

/** How `init` gets its answers: from the command line, else from the person at the terminal, else what is usual. */
export type Asking = {
  /** @throws {UsageError} if an answer is missing or wrong, and no person is at the terminal */
  answerTo(asked: Inquiry): Promise<string>
  /**
   * Asks, and tries the answers. If they do not work and a person gave one of them, the person is asked again, with the answers so far as the usual ones.
   *
   * @param ask gets `isAgain`
   * @param attempt gets `isStrict`: whether it throws a mistake that is only likely, too. It does for new answers of a person, who can correct them
   */
  untilItWorks<Answers, Result>(
    ask: (isAgain: boolean) => Promise<Answers>,
    attempt: (answers: Answers, isStrict: boolean) => Promise<Result>,
  ): Promise<{ readonly answers: Answers; readonly result: Result }>
  /** The command line that begins with all answers so far; undefined without a person at the terminal. */
  commandSoFar(): string | undefined
}

export function openAsking({ values, positionals, terminal, signal }: Call): Asking {
  const hasPerson = terminal.isTerminal.in && terminal.isTerminal.err
  /** Option → the answer that was taken. */
  const taken = new Map<string, string>()
  let personAnswers = 0
  let isAgain = false

  async function answerTo(asked: Inquiry): Promise<string> {
    const { option, given, usually } = asked
    const isGiven = given !== undefined && !isAgain
    if (isGiven || !hasPerson) {
      const answer = given ?? usually
      if (answer === undefined) throw missing(asked)
      const wrong = wrongAnswer(asked, answer)
      if (wrong !== undefined) throw wrong
      taken.set(option, answer)
      return answer
    }
    for (;;) {
      const answer = await typed(asked, taken.get(option) ?? given ?? usually)
      const wrong = answer === undefined ? missing(asked) : (wrongAnswer(asked, answer) ?? unsetVariable(asked, answer))
      if (answer !== undefined && wrong === undefined) {
        taken.set(option, answer)
        return answer
      }
      terminal.err(errorReport(wrong).text)
    }
  }

  /** A variable cannot be set while init runs, so this is said at once, and not after all other questions. */
  function unsetVariable({ secret }: Inquiry, answer: string): UsageError | undefined {
    const named = secret === true ? referenceIn(answer) : undefined
    const variables: Readonly<Record<string, string | undefined>> = terminal.env
    if (named?.how !== 'env' || (variables[named.where] ?? '') !== '') return undefined
    return new UsageError(`the variable ${named.where} is not set`, {
      cure: 'name another variable or a file; or end with Ctrl-C, set it, and begin again with the command that is then printed',
    })
  }

  /** Undefined: only Enter, and nothing is usual. @throws if the input or the command has ended */
  async function typed({ asks, secret }: Inquiry, usually: string | undefined): Promise<string | undefined> {
    personAnswers++
    const where = secret === true ? ' (only where it is: env:NAME or file:PATH)' : ''
    const answer = await terminal.ask(`${asks}${where}${usually === undefined ? '' : ` [${visible(usually)}]`}: `, signal)
    signal.throwIfAborted()
    if (answer === undefined)
      throw new UsageError('the input ended before the last answer; nothing was written', {
        cure: 'the command above begins with the answers so far',
      })
    return answer.trim() === '' ? usually : answer.trim()
  }

  return {
    answerTo,
    async untilItWorks(ask, attempt) {
      let before: string | undefined
      isAgain = false
      for (;;) {
        personAnswers = 0
        const answers = await ask(isAgain)
        const asText = JSON.stringify(answers)
        try {
          const result = await attempt(answers, personAnswers > 0 && asText !== before)
          isAgain = false
          return { answers, result }
        } catch (error) {
          if (!(error instanceof OperationalError) || personAnswers === 0 || signal.aborted) throw error
          terminal.err(`${errorReport(error).text}\nThe questions once more. Enter keeps the answer in brackets; Ctrl-C ends.\n`)
          before = asText
          isAgain = true
        }
      }
    },
    commandSoFar() {
      if (!hasPerson || taken.size === 0) return undefined
      const given = ['base-url', 'ca-file', 'workspace', 'key', 'directory', 'ci'].flatMap((name) => {
        const value = text(values[name]) ?? texts(values[name])[0]
        return value === undefined ? [] : [[`--${name}`, value] as const]
      })
      const sets = texts(values.set).map((set) => [`--set ${set.split('=', 1)[0]}`, set.slice(set.indexOf('=') + 1)] as const)
      // What looks like a secret is no answer, and is not shown again.
      const options = [...new Map([...given, ...sets, ...taken])].flatMap(([option, answer]) =>
        givesAway(answer) ? [] : [optionWords(option, answer)],
      )
      const dryRun = values['dry-run'] === true ? ['--dry-run'] : []
      return folded(['plane-group-sync init', ...positionals.map(shellWord), ...options, ...dryRun], terminal.columns - 10)
    },
  }
}

const optionWords = (option: string, answer: string): string => {
  const [name, value] = option.split(' ')
  return value === undefined ? `${option} ${shellWord(answer)}` : `${name} ${shellWord(`${value}=${answer}`)}`
}

/** A command as lines that a shell reads as one. */
function folded(words: readonly string[], columns: number): string {
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= columns) lines.splice(-1, 1, `${last} ${word}`)
    else lines.push(word)
  }
  return lines.join(' \\\n    ')
}

const missing = ({ option, asks }: Inquiry): UsageError =>
  new UsageError(`${option} is missing: ${asks}`, { cure: `add ${option}, or start init at a terminal, where it asks` })

/** Why a text is no answer. It may be the secret itself, and then it is not shown. */
function wrongAnswer({ option, secret, among }: Inquiry, answer: string): UsageError | undefined {
  if (secret === true && referenceIn(answer) === undefined)
    return new UsageError(`${option} takes env:NAME or file:PATH, and never the secret itself`, {
      cure: 'put the secret into a variable or a file, and name this: the settings only name secrets',
    })
  if (among?.includes(answer) === false) return new UsageError(`${option} takes one of ${among.join(', ')}, not "${answer}"`)
  return undefined
}
