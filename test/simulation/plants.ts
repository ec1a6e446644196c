/** A mistake that somebody could make: `from`, which stands in `file` exactly once, becomes `to`. */
export type Plant = {
  readonly name: string
  readonly file: string
  readonly from: string
  readonly to: string
  /** The promises of which one has to be seen broken. */
  readonly breaks: readonly string[]
}

/** A simulation that finds none of these could find nothing. */
export const plants: readonly Plant[] = [
  {
    name: 'retry a POST at once',
    file: 'src/plane/retry.ts',
    from: '(idempotent || lastByteMs === undefined)',
    to: '(idempotent || lastByteMs !== 0)',
    breaks: ['twice'],
  },
  {
    name: 'skip the wait after a start',
    file: 'src/core/memory.ts',
    from: 'createsFromMs: waiting ? restMs : 0,',
    to: 'createsFromMs: waiting ? 0 : 0,',
    breaks: ['twice'],
  },
  {
    name: 'plan from the list that was read before the wait',
    file: 'src/core/gate.ts',
    from: 'if (readAtMs < memory.createsFromMs) return',
    to: 'if (Date.prototype === undefined && readAtMs < memory.createsFromMs) return',
    breaks: ['twice'],
  },
  {
    name: 'forget the intents of a process that was killed',
    file: 'src/core/memory.ts',
    from: 'const open = Object.values<Change>(recordOf(memory.open))',
    to: 'const open: readonly Change[] = []',
    breaks: ['twice', 'guards'],
  },
  {
    name: 'quarantine nothing',
    file: 'src/core/memory.ts',
    from: 'return { ...quarantine, ...Object.fromEntries(keys.map((key) => [key, Math.max(untilMs, quarantine[key] ?? 0)])) }',
    to: 'return keys.length < 0 && untilMs < 0 ? {} : quarantine',
    breaks: ['twice'],
  },
  {
    name: 'an answer of 5xx means that nothing happened',
    file: 'src/plane/write.ts',
    from: "if (!error.sent) return { is: 'notSent'",
    to: "if (!error.sent || error.code === 'server') return { is: 'notSent'",
    breaks: ['twice'],
  },
  {
    name: 'a lost answer means that nothing was sent',
    file: 'src/plane/write.ts',
    from: "if (!error.sent) return { is: 'notSent'",
    to: "if (!error.sent || error.status === undefined) return { is: 'notSent'",
    breaks: ['twice'],
  },
  {
    name: 'trust a partial page',
    file: 'src/plane/pages.ts',
    from: 'return missing === undefined ?',
    to: "return missing !== '' ?",
    breaks: ['reading', 'declared', 'twice'],
  },
  {
    name: 'ask for the next page only where it is said how many there are',
    file: 'src/plane/pages.ts',
    from: "if (page.next === 'none') return",
    to: "if (page.next === 'none' || pages === 1) return",
    breaks: ['reading', 'twice', 'settles'],
  },
  {
    name: 'delete although the create failed',
    file: 'src/apply.ts',
    from: 'const missing = change.requires.find((id) => planned.has(id) && !succeeded.has(id))',
    to: 'const missing = change.requires.find((id) => planned.has(id) && !succeeded.has(id) && id === change.id)',
    breaks: ['declared'],
  },
  {
    name: 'forget requests in flight',
    file: 'src/plane/budget.ts',
    from: 'const room = allowed(state) - inFlight.length - 1',
    to: 'const room = allowed(state) - 1',
    breaks: ['throttled'],
  },
  {
    name: 'count requests by the time of their sending',
    file: 'src/plane/answered.ts',
    from: 'ours: isCounted(facts) ? [...before.ours, now] : before.ours,',
    to: 'ours: isCounted(facts) ? [...before.ours, sentAtMs] : before.ours,',
    breaks: ['throttled'],
  },
  {
    name: 'ignore what is undeclared means',
    file: 'src/core/policy.ts',
    from: "return change.action !== 'delete' || isSaid(change)",
    to: 'return true',
    breaks: ['declared'],
  },
  {
    name: 'touch what is unmanaged',
    file: 'src/core/existing.ts',
    from: 'unmanaged.length === 0 ? seen : seen.filter',
    to: 'unmanaged.length < 9 ? seen : seen.filter',
    breaks: ['declared'],
  },
  {
    name: 'let the last administrator go',
    file: 'src/core/limits.ts',
    from: 'const last = going[plan.administrators - 1]',
    to: 'const last = going[plan.administrators + 98]',
    breaks: ['guards'],
  },
  {
    name: 'believe a declaration that was read once',
    file: 'src/declaration/files.ts',
    from: 'if (digest(before) === digest(now)) return',
    to: 'if (digest(before) !== digest(now)) return',
    breaks: ['declared', 'settles', 'bounded'],
  },
  {
    name: 'delete what a list no longer proves',
    file: 'src/core/diff.ts',
    from: 'if (here.length > 0 && incomplete !== undefined) hold(incomplete)',
    to: 'if (here.length < 0 && incomplete !== undefined) hold(incomplete)',
    breaks: ['reading'],
  },
  {
    name: 'grant from a directory that could not be read whole',
    file: 'src/core/resolve.ts',
    from: 'if (lacking !== undefined) return',
    to: 'if (lacking !== undefined && lacking.length < 2) return',
    breaks: ['declared'],
  },
  {
    name: 'write to the journal after the service',
    file: 'src/apply.ts',
    from: 'const unintended = await failureOf(intend(change))',
    to: 'const unintended = await failureOf(Promise.resolve())',
    breaks: ['twice'],
  },
  {
    name: 'leave the intent in the cache of the disk',
    file: 'src/journal/folder.ts',
    from: "if (entries.some(({ entry }) => entry === 'intent')) await file.datasync()",
    to: "if (entries.some(({ entry }) => entry === 'end')) await file.datasync()",
    breaks: ['twice'],
  },
  {
    name: 'show a name as it is',
    file: 'src/core/safeName.ts',
    from: 'return text.replace(unseen,',
    to: 'return text.replace(/ZZ/g,',
    breaks: ['secrets'],
  },
  {
    name: 'let a protected role pass',
    file: 'src/core/guards.ts',
    from: "return change.allowProtected === true ? undefined : 'protectedRole'",
    to: "return change.allowProtected === true ? 'protectedRole' : undefined",
    breaks: ['declared'],
  },
  {
    name: 'make again at once what a slow list does not show',
    file: 'src/core/gate.ts',
    from: 'if (last?.role !== undefined && readAtMs < last.shownFromMs)',
    to: 'if (last?.role !== undefined && readAtMs < 0)',
    breaks: ['twice'],
  },
  {
    name: 'forget what was written before this run',
    file: 'src/ledger.ts',
    from: 'changes: before.changes + run.changes,',
    to: 'changes: run.changes,',
    breaks: ['guards'],
  },
  {
    name: 'trust that two clocks go alike',
    file: 'src/plane/ledger.ts',
    from: 'windowMs + Math.ceil(windowMs * driftMax)',
    to: 'windowMs + Math.ceil(windowMs * 0)',
    breaks: ['throttled'],
  },
  {
    name: 'fight for ever',
    file: 'src/core/gate.ts',
    from: 'if (times.length < rounds) return',
    to: 'if (times.length < Number.POSITIVE_INFINITY) return',
    breaks: ['settles'],
  },
  {
    name: 'no limit for deletes',
    file: 'src/core/limits.ts',
    from: "...overLimit('deletes', deletes, guards.deletes, owned),",
    to: '',
    breaks: ['guards'],
  },
]
