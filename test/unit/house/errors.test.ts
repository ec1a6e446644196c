import { expect, test } from 'vitest'
import { filesBelow } from './files.ts'

/** Errors that a caller always turns into other ones, so that no person sees them. */
const internal: Readonly<Record<string, string>> = {
  ForeignAddress: 'src/directories/overHttp/tokenRefusal.ts and src/plane/credential.ts word it',
  ProxyFailure: 'src/http/whyNoAnswer.ts words it',
  TooLarge: 'src/http/origin.ts makes a NoAnswer of it',
  NotUtf8: 'a problem of the answer that is read',
  TooManyValues: 'a problem of the answer that is read',
  UnexpectedBody: 'src/plane/answerBody.ts makes a PlaneError of it',
  SandboxError: 'src/commands/sandbox.ts makes a UsageError of it; the sandbox imports nothing of ours',
}

test('an error that a person may see is an OperationalError', () => {
  const classes = filesBelow('src', '.ts').flatMap(({ path, text }) =>
    [...text.matchAll(/class (\w+)(?:<.*>)? extends (?:Error|TypeError|RangeError)\b/g)].map(([, name = '']) => ({ name, path })),
  )
  expect(
    classes
      .filter(({ name }) => name !== 'OperationalError')
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(Object.keys(internal).toSorted())
  expect(classes.find(({ name }) => name === 'OperationalError')?.path).toBe('src/core/operationalError.ts')
})
