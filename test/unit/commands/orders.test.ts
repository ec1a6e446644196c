import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { goneText } from '../../../src/commands/orders/askDaemon.ts'
import { cycleOrder, refusalOf, workspacesToRun } from '../../../src/commands/orders/cycleOrder.ts'
import { openOrders } from '../../../src/commands/orders/openOrders.ts'
import { type ReviewedPlan, sentLeft, sentReview } from '../../../src/commands/reviewed.ts'
import type { ChangeId } from '../../../src/core/change.ts'
import type { WorkspaceName } from '../../../src/core/mapping.ts'
import type { Entry } from '../../../src/core/memory/entry.ts'
import { emptyMemory, remember } from '../../../src/core/memory/memory.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import type { Plan } from '../../../src/core/plan.ts'
import type { CycleReport } from '../../../src/cycle/cycleReport.ts'
import type { CycleOrder } from '../../../src/daemon/orders.ts'
import { type Order, type OrderAnswer, orderSchema } from '../../../src/documents/daemonOrder.ts'
import type { RunningDocument } from '../../../src/documents/running.ts'
import type { TakenOrder } from '../../../src/orders/watch.ts'
import type { WaitingPlan } from '../../../src/render/approvable.ts'
import { workspaceOf } from '../../../src/render/json.ts'
import type { LoadedSettings } from '../../../src/settings/load.ts'
import { create, inSet, view } from '../render/sample.ts'

const service = { host: 'plane.example.com', slugs: { acme: 'acme', beta: 'beta' } }
const show = { format: 'text', all: false, columns: 80, colour: false, terminal: false } as const
const cycle = (more: object = {}): Order => orderSchema.parse({ kind: 'cycle', service, allow: [], by: 'ann', show, ...more })
const approval = (key: string): Order =>
  orderSchema.parse({
    kind: 'approve',
    service,
    approvals: [{ workspace: 'acme', words: { changes: [{ key, after: 'admin' }] }, passes: [] }],
    forMs: 3_600_000,
    reason: 'INC-99',
    by: 'ann',
    show,
  })
/** An order for which a cycle runs. */
type CarriedOut = Parameters<typeof cycleOrder>[0]['order']
const loaded = (more: object = {}) =>
  ({
    settings: {
      service: { baseUrl: 'https://plane.example.com' },
      workspaces: { acme: {}, beta: {} },
      suspend: false,
      policy: 'upsert-only',
      ...more,
    },
  }) as unknown as LoadedSettings

test('an order runs in the workspaces that its settings name', () => {
  const run = (slugs: Readonly<Record<string, string>>, more: object = {}) =>
    workspacesToRun(cycle({ service: { ...service, slugs }, ...more }) as CarriedOut, loaded())
  expect(run(service.slugs)).toBeUndefined()
  expect(run({ beta: 'beta' })).toEqual(['beta'])
  expect(run(service.slugs, { only: ['acme'] })).toEqual(['acme'])
  expect(run({ ...service.slugs, gamma: 'gamma' })).toContain('gamma')
})

const filesOnly = loaded({ approvals: 'files-only' })

describe('an order is refused', () => {
  test.each<[string, Order, LoadedSettings, boolean, string | undefined]>([
    ['by nothing', cycle(), loaded(), false, undefined],
    ['by a dry run', cycle(), loaded(), true, '--dry-run'],
    ['for a workspace that is not there', cycle({ only: ['gone'] }), loaded(), false, 'no workspace "gone"'],
    ['if all its workspaces are suspended', cycle(), loaded({ suspend: true }), false, 'suspend'],
    [
      'if its workspace is suspended',
      cycle({ only: ['beta'] }),
      loaded({ workspaces: { acme: {}, beta: { suspend: true } } }),
      false,
      'suspend beta',
    ],
    ['not if another one is', cycle(), loaded({ workspaces: { acme: {}, beta: { suspend: true } } }), false, undefined],
    ['not if only grants are', cycle(), loaded({ suspend: 'grants' }), false, undefined],
    [
      'not if it approves, since that writes nothing by itself',
      approval('acme/project/ENG/a'),
      loaded({ suspend: true }),
      false,
      undefined,
    ],
    ['not by the policy observe, if it approves', approval('acme/project/ENG/a'), loaded({ policy: 'observe' }), false, undefined],
    ['by a dry run, also if it approves', approval('acme/project/ENG/a'), loaded(), true, '--dry-run'],
    ['by the policy observe', cycle(), loaded({ policy: 'observe' }), false, 'observe'],
    ['if it approves a change of another workspace', approval('beta/project/ENG/a'), loaded(), false, 'another workspace'],
    ['not if it approves one of its own', approval('acme/project/ENG/a'), loaded(), false, undefined],
    [
      'never if it ends an approval',
      { kind: 'withdraw', service, approval: '0'.repeat(32), by: 'ann' },
      loaded({ suspend: true }),
      true,
      undefined,
    ],
    ['by approvals: files-only, if it approves', approval('acme/project/ENG/a'), filesOnly, false, 'files-only'],
    ['by approvals: files-only, if it allows a change', cycle({ allow: ['a'.repeat(32)] }), filesOnly, false, `approve ${'a'.repeat(32)}`],
    ['also if it only plans with it', cycle({ kind: 'plan', allow: ['a'.repeat(32)] }), filesOnly, false, 'files-only'],
    ['not by approvals: files-only, if it allows nothing', cycle(), filesOnly, false, undefined],
    [
      'not by approvals: files-only, if it ends an approval',
      { kind: 'withdraw', service, approval: '0'.repeat(32), by: 'ann' },
      filesOnly,
      false,
      undefined,
    ],
    ['by another Plane', cycle({ service: { ...service, host: 'other.example.com' } }), loaded(), false, 'works with the service at'],
    ['below another path', cycle({ service: { ...service, host: 'plane.example.com/b' } }), loaded(), false, 'works with the service at'],
    [
      'for a workspace that has another slug',
      cycle({ service: { ...service, slugs: { acme: 'acme-stg', beta: 'beta' } } }),
      loaded(),
      false,
      'the slug "acme"',
    ],
    [
      'also if it ends an approval of another Plane',
      { kind: 'withdraw', service: { ...service, host: 'other.example.com' }, approval: '0'.repeat(32), by: 'ann' },
      loaded(),
      false,
      'works with the service at',
    ],
    [
      'for a workspace that its settings lack',
      cycle({ service: { ...service, slugs: { beta: 'beta' } }, only: ['acme'] }),
      loaded(),
      false,
      'The settings of this command have no workspace "acme"',
    ],
    ['not if it only plans', { ...cycle(), kind: 'plan' } as Order, loaded({ suspend: true }), true, undefined],
  ])('%s', (_, order, settings, isDryRun, why) => {
    const said = refusalOf(order, settings, isDryRun)
    if (why === undefined) expect(said).toBeUndefined()
    else expect(said).toContain(why)
  })
})

test.each([
  ['the daemon ended before it took the order', false, 'The daemon ended before it took the order. Nothing was done.'],
  ['/state/orders: there is no such folder', false, '/state/orders: there is no such folder. Nothing was done.'],
  [
    'the daemon ended after it took the order, and left no answer',
    true,
    'The daemon ended after it took the order, and left no answer. The order may be carried out in part. "plane-group-sync status" shows what was done.',
  ],
])('of an order without an answer (%s) the command says what is known', (why, wasTaken, text) => {
  expect(goneText(why, wasTaken)).toBe(text)
})

test.each([
  ['another field', { ...cycle(), force: true }],
  ['an id that is too short', { ...cycle(), allow: ['abc'] }],
  ['a time above 30 days', { ...approval('acme/x'), forMs: 31 * 86_400_000 }],
  ['no reason', { ...approval('acme/x'), reason: '' }],
  ['another kind', { kind: 'delete', by: 'ann' }],
])('an order with %s is not understood', (_, order) => {
  expect(orderSchema.safeParse(order).success).toBe(false)
})

describe('only the reviewed plan is written', () => {
  const ids = ['1', '2'].map((digit) => digit.repeat(32) as ChangeId)
  const plan = (changes: readonly string[], fingerprint = 'f'.repeat(64)) => {
    const holds = ids.filter((id) => !changes.includes(id)).map((id) => ({ change: { id }, reason: { kind: 'approval' } }))
    return { workspace: 'acme', fingerprint, changes: changes.map((id) => ({ id })), holds } as unknown as Plan
  }
  const how = async (more: object) => {
    const seen: ReviewedPlan = {
      fingerprint: 'f'.repeat(64),
      laterUntilMs: 0,
      shown: new Map(ids.map((id, index) => [id, index === 0 ? 'written' : 'approval'])),
    }
    const order = cycle({ reviewed: [sentReview('acme' as WorkspaceName, seen)], ...more }) as CarriedOut
    const made = cycleOrder({
      order,
      approvals: [],
      takeBack: async () => undefined,
      account: 'node',
      answer: async () => undefined,
      settings: () => loaded(),
      isDryRun: false,
      terminal: {} as never,
      clock: { now: () => 0 },
      memory: () => emptyMemory,
      again: () => undefined,
    })
    return (await made.begin(loaded()))?.isApprovedBeforehand
  }

  test('with its fingerprint, and without the changes that waited', async () => {
    const isApproved = await how({})
    expect(isApproved?.(plan([ids[0] as string]), [])).toBe(true)
    expect(isApproved?.(plan([ids[0] as string, ids[1] as string]), [])).toBe(false)
    expect(isApproved?.(plan([ids[0] as string], 'e'.repeat(64)), [])).toBe(false)
    expect(isApproved?.({ ...plan([]), workspace: 'beta' } as unknown as Plan, [])).toBe(false)
  })
  test('with a change that waited, if the order names it', async () => {
    expect((await how({ allow: [ids[1]] }))?.(plan(ids), [])).toBe(true)
  })
})

describe('an order that writes, after a lost answer', () => {
  const change = create('ENG', 'a', 'guest')
  const other = create('ENG', 'b', 'guest')
  const done: Outcome = { kind: 'done' }
  const lost: Outcome = { kind: 'unknown', why: 'the connection was cut', lastByteMs: 1_000 }
  const report = (parts: Partial<Plan>, results: readonly (readonly [typeof change, Outcome])[]): CycleReport => {
    const { judged, about, declaration } = view(parts)
    const applied = { results: results.map(([of, outcome]) => ({ change: of, outcome })), holds: [], left: [] }
    const workspace = { kind: 'judged', workspace: about.workspace, about, judged, applied }
    return { startedMs: 0, tookMs: 1, declaration, directories: [], workspaces: [workspace] } as unknown as CycleReport
  }
  const first = report({ changes: [change] }, [[change, lost]])
  const settled = report({}, [])

  function given(more: object = {}, kind: object = {}) {
    const answers: OrderAnswer[] = []
    const waits: number[] = []
    const memory = { ...emptyMemory, quarantine: { [change.key]: 121_000 } }
    const order = cycleOrder({
      order: { ...cycle(more), ...kind } as CarriedOut,
      approvals: [],
      takeBack: async () => undefined,
      account: 'node',
      answer: async (answer) => void answers.push(answer),
      settings: () => loaded(),
      isDryRun: false,
      terminal: {
        env: {},
        columns: 80,
        isTerminal: { in: false, out: false, err: false },
        secrets: { scrub: (text: string) => text },
      } as never,
      clock: { now: () => 2_000 },
      memory: () => memory,
      again: (_, untilMs) => void waits.push(untilMs),
    })
    return { order, answers, waits }
  }

  test('waits for its outcome, and ends like the same command without a daemon', async () => {
    const { order, answers, waits } = given()
    await order.ended(first)
    expect([answers, waits]).toEqual([[], [121_000]])
    await order.ended(settled)
    expect(answers).toMatchObject([{ exit: 0, out: expect.stringMatching(/Outcome unknown \(1\)[^]*in sync/) }])
  })

  test('has one document of all rounds', async () => {
    const { order, answers } = given({ show: { ...show, format: 'json' } })
    await order.ended(first)
    await order.ended(settled)
    const [workspace] = JSON.parse(answers[0]?.out ?? '').workspaces
    expect(workspace.applied.results).toEqual([{ change: change.id, outcome: { is: 'done' } }])
  })

  test('is answered with the rounds so far if its next cycle fails, is refused, or does not come', async () => {
    const endings: readonly (readonly [(order: CycleOrder) => Promise<unknown>, number, string])[] = [
      [(order) => order.failed(new Error('no disk')), 1, 'no disk'],
      [(order) => order.begin(loaded({ suspend: true })), 3, 'suspend'],
      [(order) => order.stopped(), 1, 'Give the order again'],
    ]
    for (const [end, exit, err] of endings) {
      const { order, answers } = given()
      await order.ended(first)
      await end(order)
      expect(answers).toMatchObject([{ exit, out: expect.stringContaining('Outcome unknown (1)'), err: expect.stringContaining(err) }])
    }
  })

  test('writes in its next cycle nothing that the first one did not show', async () => {
    const seen: ReviewedPlan = {
      fingerprint: first.workspaces[0]?.kind === 'judged' ? first.workspaces[0].judged.plan.fingerprint : '',
      laterUntilMs: 0,
      shown: new Map([[change.id, 'written']]),
    }
    const { order } = given({ reviewed: [sentReview('acme' as WorkspaceName, seen)] })
    await order.begin(loaded())
    await order.ended(first)
    const isApproved = (await order.begin(loaded()))?.isApprovedBeforehand
    expect([[], [change], [change, other]].map((changes) => isApproved?.({ changes } as unknown as Plan, []))).toEqual([true, true, false])
  })

  test('with a saved plan that was written before ends with 0, and says so like the same command without a daemon', async () => {
    const { order, answers } = given({ reviewed: [], left: sentLeft(new Map([['acme' as WorkspaceName, [change]]])) })
    expect((await order.begin(loaded()))?.isWrittenBefore?.({ workspace: 'acme', changes: [], holds: [] } as unknown as Plan)).toBe(false)
    const { workspaces, ...rest } = report({}, [])
    const { applied: _, ...before } = workspaces[0] as Extract<CycleReport['workspaces'][number], { kind: 'judged' }>
    await order.ended({ ...rest, workspaces: [{ ...before, isWrittenBefore: true }] })
    expect(answers).toMatchObject([{ exit: 0, err: expect.stringContaining('acme: already as planned') }])
  })

  test('with a saved plan of which a part was refused says that it is stale, and no other order does', async () => {
    const refused: Outcome = { kind: 'refused', status: 403, code: 'forbidden', sentence: 'no' }
    const part = report({ changes: [change, other] }, [
      [change, done],
      [other, refused],
    ])
    for (const [more, isSaved] of [
      [{ reviewed: [], left: [] }, true],
      [{ reviewed: [] }, false],
    ] as const) {
      const { order, answers } = given(more)
      await order.ended(part)
      expect([answers.length, answers[0]?.out.includes('stale now')]).toEqual([1, isSaved])
    }
  })

  test('does not wait where nothing is in doubt, and an approval waits as every order does', async () => {
    const whole = given()
    await whole.order.ended(report({ changes: [change] }, [[change, done]]))
    const approve = given({}, approval('acme/project/ENG/a'))
    await approve.order.ended(first)
    expect([whole.answers.length, whole.waits, approve.answers.length, approve.waits]).toEqual([1, [], 0, [121_000]])
    await approve.order.ended(settled)
    expect(approve.answers).toMatchObject([{ exit: 0, out: expect.stringContaining('in sync') }])
  })
})

const withoutAcme = loaded({ workspaces: { beta: {} } })

describe('an approval', () => {
  const order = (more: object = {}) => ({ ...approval('acme/project/ENG/a'), ...more })

  /** A daemon with one order that it has taken. `appendsMax`: so many entries fit into its journal. */
  async function given(
    appendsMax = 9,
    asked: unknown = order(),
    plans: readonly WaitingPlan[] | Promise<readonly WaitingPlan[]> = [],
    inUse = loaded(),
    running: () => RunningDocument | undefined = () => undefined,
  ) {
    let memory = emptyMemory
    const answers: OrderAnswer[] = []
    const left: number[] = []
    const logged: string[] = []
    let onOrder: (taken: TakenOrder) => void = () => undefined
    const queue = openOrders({
      watch: (take) => {
        onOrder = take
        return { [Symbol.asyncDispose]: async () => undefined }
      },
      settings: () => inUse,
      run: {
        run: 'r',
        memory: () => memory,
        append: async (entry: Entry) => {
          if (appendsMax-- <= 0) throw new Error('no space on the disk of s3cret')
          memory = remember(memory, entry, 100)
        },
      },
      answerRead: async () => ({ exit: 0, out: 'a recording of s3cret', err: '' }),
      examine: async () => [{ check: 'service', place: 'https://plane.example.com', seen: 'an answer with s3cret', findings: [] }],
      left: { plans: async () => plans, leaveApprovals: async () => void left.push(memory.approvals.length) },
      running,
      isDryRun: false,
      terminal: { version: '1', secrets: { scrub: (text: string) => text.replaceAll('s3cret', '(hidden)') } } as never,
      clock: { now: () => 0, wall: () => 0, sleep: async () => undefined },
      log: { info: (_: object, sentence: string) => void logged.push(sentence), warn: () => undefined },
    })
    const ask = async (one: unknown, nonce = randomUUID() as string) => {
      onOrder({ nonce, order: one, account: 'node', answer: async (answer) => void answers.push(answer as OrderAnswer) })
      await new Promise((done) => setImmediate(done))
    }
    await ask(asked)
    return {
      queue,
      answers,
      left,
      logged,
      ask,
      use: () => {
        const used = memory.approvals.map((one) => ({ ...one, words: { changes: [] } }))
        memory = { ...memory, approvals: used }
      },
      words: () => memory.approvals.map(({ words }) => words),
      inForce: () => memory.approvals.map(({ workspace }) => workspace),
    }
  }

  test('and any order can be asked for: whose cycle runs now is answered at once, and not logged', async () => {
    let began: string | undefined
    const running = () => (began === undefined ? undefined : { began, workspaces: { ended: 0, of: 1 }, written: 1, of: 2, waitMs: 0 })
    const { queue, answers, ask, logged } = await given(9, cycle(), [], loaded(), running)
    const mine = randomUUID()
    const asked = async (more: object = { order: mine }) => {
      await ask({ kind: 'running', service, ...more })
      return JSON.parse(answers.pop()?.out ?? '') as unknown
    }
    expect(await asked()).toEqual({ isOfOrder: false })
    began = '2026-11-28T04:00:00.000Z'
    queue.next()
    await ask(cycle(), mine)
    expect(await asked()).toEqual({ running: running(), isOfOrder: false })
    began = '2026-11-28T04:01:00.000Z'
    queue.next()
    expect(await asked()).toMatchObject({ isOfOrder: true })
    expect(await asked({})).toMatchObject({ isOfOrder: false })
    // A cycle of the schedule takes no order.
    began = '2026-11-28T04:02:00.000Z'
    expect(await asked()).toMatchObject({ running: { began }, isOfOrder: false })
    await ask({ kind: 'running', service: { ...service, host: 'elsewhere.example.com' } })
    expect(answers).toMatchObject([{ exit: 3, out: '', err: expect.stringContaining('elsewhere.example.com') }])
    expect([logged.length, queue.hasMore()]).toEqual([2, false])
  })

  test('that is still being taken when the daemon ends is answered', async () => {
    const plans = Promise.withResolvers<readonly WaitingPlan[]>()
    const { queue, answers, inForce } = await given(9, order(), plans.promise)
    const ended = queue[Symbol.asyncDispose]()
    await new Promise((done) => setImmediate(done))
    plans.resolve([])
    await ended
    expect(answers).toMatchObject([{ err: expect.stringContaining('the daemon ends before the cycle of this order') }])
    expect([inForce(), queue.hasMore()]).toEqual([['acme'], false])
  })

  test('is not in force after its asker saw a refusal, since the settings changed meanwhile', async () => {
    const { queue, answers, inForce } = await given()
    expect(inForce()).toEqual(['acme'])
    expect(await queue.next()?.begin(withoutAcme)).toBeUndefined()
    expect(answers).toMatchObject([{ exit: 3, err: expect.stringContaining('no workspace "acme"') }])
    expect(inForce()).toEqual([])
  })
  test('is named if it stays in force though an error ended its order', async () => {
    const cycleFailed = await given()
    await cycleFailed.queue.next()?.failed(new Error('refused with the key s3cret'))
    expect(cycleFailed.answers[0]?.err).toMatch(/To end it earlier: plane-group-sync approve --withdraw [0-9a-f]{32}\n.*\(hidden\)/s)
    const two = { ...order(), approvals: ['acme', 'beta'].map((workspace) => ({ workspace, passes: [] })) }
    const full = await given(1, two)
    expect(full.inForce()).toEqual(['acme'])
    expect(full.answers).toMatchObject([{ exit: 1, err: expect.stringMatching(/^Approved in acme until .*no space on the disk/s) }])
    const kept = await given(1)
    expect(await kept.queue.next()?.begin(withoutAcme)).toBeUndefined()
    expect(kept.answers[0]?.err).toMatch(
      /^Approved in acme until .*It could not be ended: no space on the disk of \(hidden\)\n.*no workspace/s,
    )
  })
  test('is named if the daemon ends before the cycle of its order, and each asker learns that nothing was written', async () => {
    const { queue, answers, ask, inForce } = await given()
    await ask(cycle())
    await queue[Symbol.asyncDispose]()
    expect(answers).toMatchObject([
      {
        exit: 1,
        out: '',
        err: expect.stringMatching(
          /^Approved in acme until .*\nthe daemon ends before the cycle of this order: nothing was written for it\n/s,
        ),
      },
      { exit: 1, out: '', err: expect.stringMatching(/^the daemon ends before the cycle of this order: nothing was written for it\n/) },
    ])
    expect([inForce(), queue.hasMore()]).toEqual([['acme'], false])
  })
  test('no answer has a secret of the daemon', async () => {
    const withdraw = { kind: 'withdraw', service, approval: '0'.repeat(32), by: 'ann' }
    const named = { ...order(), by: 'ann s3cret' }
    const { answers, ask, queue } = await given(2, named)
    await queue.next()?.failed(new Error('x'))
    const name = /--withdraw ([0-9a-f]{32})/.exec(answers[0]?.err ?? '')?.[1]
    await ask(withdraw)
    await ask({ kind: 'withdraw', service, approval: name, by: 'ann' })
    expect(answers[2]?.out).toContain('of ann (hidden) for acme has ended')
    await ask({ ...order(), kind: 'cycle s3cret' })
    await ask({ ...order(), approvals: [{ workspace: 's3cret', passes: [] }] })
    await queue.next()?.begin(loaded())
    await ask(order())
    expect(answers).toHaveLength(6)
    expect(answers[5]?.err).toContain('no space on the disk of (hidden)')
    expect(JSON.stringify(answers)).not.toContain('s3cret')
  })
  test('that is used up by its cycle is not offered for withdrawal', async () => {
    const { queue, answers, use } = await given()
    use()
    await queue.next()?.failed(new Error('x'))
    expect(answers[0]?.err).toMatch(/^Approved in acme; Plane has all of it now, so the approval is used up\.\n/)
    expect(answers[0]?.err).not.toContain('--withdraw')
  })
  test('is shown by status as soon as it counts, and no longer than it counts', async () => {
    const { ask, left, queue, answers } = await given()
    expect(left).toEqual([1])
    await queue.next()?.failed(new Error('x'))
    const name = /--withdraw ([0-9a-f]{32})/.exec(answers[0]?.err ?? '')?.[1]
    await ask({ kind: 'withdraw', service, approval: name, by: 'ann' })
    expect(left).toEqual([1, 0])
    await ask(order())
    await queue.next()?.begin(withoutAcme)
    expect(left).toEqual([1, 0, 1, 0])
  })

  describe('that the settings in use refuse', () => {
    const refused = async (asked: unknown = order(), inUse = withoutAcme) => {
      const { queue, ...more } = await given(9, asked, [], inUse)
      const first = queue.next()
      expect(more.answers).toEqual([])
      return { first, queue, ...more }
    }

    test('is refused only by those that a cycle has read after it came', async () => {
      const { first, answers, inForce, queue } = await refused()
      expect(await first?.begin(withoutAcme)).toBeUndefined()
      expect(answers).toMatchObject([{ exit: 3, err: expect.stringContaining('no workspace "acme"') }])
      expect([inForce(), queue.hasMore()]).toEqual([[], false])
    })
    test('is in force as soon as a cycle has read others, and has a cycle then', async () => {
      const { first, answers, inForce, queue } = await refused()
      expect(await first?.begin(loaded())).toBeUndefined()
      expect([answers, inForce()]).toEqual([[], ['acme']])
      expect(await queue.next()?.begin(loaded())).toMatchObject({ writes: true })
    })
    test.each([
      ['suspend', cycle(), loaded({ suspend: true })],
      ['another Plane', { ...cycle(), kind: 'plan' }, loaded({ service: { baseUrl: 'https://other.example.com' } })],
    ])('as every order is: %s', async (_, asked, inUse) => {
      const { first, answers, queue } = await refused(asked, inUse)
      expect(await first?.begin(loaded())).toBeUndefined()
      expect(answers).toEqual([])
      expect(await queue.next()?.begin(loaded())).toBeDefined()
    })
    test('is answered if that cycle fails, or does not come', async () => {
      const failing = await refused()
      await failing.first?.failed(new Error('the disk does not answer'))
      const ending = await given(9, order(), [], withoutAcme)
      await ending.queue[Symbol.asyncDispose]()
      expect([failing.answers, ending.answers]).toMatchObject([
        [{ exit: 1, err: expect.stringContaining('the disk does not answer') }],
        [{ exit: 1, err: expect.stringContaining('nothing was written for it') }],
      ])
      expect([failing.inForce(), ending.inForce()]).toEqual([[], []])
    })
  })

  describe('of a set or a plan', () => {
    const changes = Array.from({ length: 5_000 }, (_, index) => create('ENG', `g${index}`, 'member'))
    const over = { name: 'creates', count: 5_000, limit: 200, setting: 'x', sentence: 'too many' } as const
    const plan = workspaceOf(view({ holds: inSet(changes, over) })) as WaitingPlan
    const { fingerprint, sets } = plan
    const setId = sets[0]?.id ?? ''
    const ofSeveral = (several: string, more: object = {}) => ({
      ...order(),
      approvals: [{ workspace: 'acme', several, passes: [], ...more }],
    })

    test.each([
      ['set', setId],
      ['plan', fingerprint],
    ])('names the %s, and the daemon puts each of its changes into the journal', async (_, id) => {
      const { words, answers } = await given(9, orderSchema.parse(ofSeveral(id)), [plan])
      expect(answers).toEqual([])
      expect(words()).toHaveLength(1)
      expect(new Set(words()[0]?.changes.map((one) => JSON.stringify(one)))).toEqual(
        new Set(changes.map(({ key }) => JSON.stringify({ key, after: 'member' }))),
      )
    })
    test.each([
      ['another set', [{ ...plan, sets: [{ ...plan.sets[0], id: 'e'.repeat(32) } as never] }], 'does not wait any more'],
      ['a plan of another workspace', [{ ...plan, workspace: 'beta' }], 'does not wait any more'],
      ['a plan in which nothing waits', [{ ...plan, holds: [], sets: [] }], 'does not wait any more'],
      ['a plan without some of its rows', [{ ...plan, holds: plan.holds.slice(1) }], 'until its next cycle'],
    ])('is refused for %s', async (_, plans, why) => {
      const { words, answers } = await given(9, ofSeveral(setId), plans)
      expect(answers).toMatchObject([{ exit: 3, err: expect.stringContaining(why) as string }])
      expect(words()).toEqual([])
    })
  })
})
