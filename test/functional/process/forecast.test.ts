import { expect, test } from 'vitest'
import { openPlace } from './program.ts'

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `g${String(n).padStart(3, '0')}`)

test.each([1, 5, 12, 183, 250])(
  'a plan promises the calls that its apply makes: %s creates',
  async (count) => {
    const heard: string[] = []
    const names = numbered(count)
    await using place = await openPlace({
      groups: names,
      declaration: { version: 1, workspaces: { acme: { projectRoles: names.map((group) => ({ group, project: 'ENG', role: 'guest' })) } } },
      settings: {
        guards: { creates: { count: 1000 }, run: { creates: 1000 }, day: { creates: 1000 } },
        service: { limit: { requests: 60, window: '1s' } },
      },
      sandbox: { onAnswered: ({ method }) => heard.push(method) },
    })
    const { out } = await place.run(['plan'])
    const promised = Number(/([\d,]+) calls/.exec(out)?.[1]?.replace(',', ''))
    const inPlan = heard.length
    const { code, err } = await place.run(['apply', '--yes'])
    expect(code, err).toBe(0)
    expect(heard.length - inPlan).toBe(promised)
  },
  120_000,
)
