/**
 * Why a mutant that no test notices is left alone: mostly since it makes no difference that anybody could see. By file; `code` is the line,
 * `mutants` are as the report names them. `npm run mutation` fails where one is missing, or no longer needed.
 */
export type Reason = { readonly code: string; readonly mutants: readonly string[]; readonly reason: string }

export const reasons: Readonly<Record<string, readonly Reason[]>> = {
  'src/core/findings/anotherWriter.ts': [
    {
      code: 'const all = [...changes, ...waiting.flatMap(({ change }) => change ?? [])]',
      mutants: ['[] → ["Stryker was here"]'],
      reason: 'what stands in the place of no change was never written, so it has not come back',
    },
    {
      code: 'return times.length >= roundsMin || (lastAt(memory.written, key)?.shownFromMs ?? 0) <= readAtMs',
      mutants: ['lastAt(memory.written, key)?.shownFromMs → lastAt(memory.written, key).shownFromMs'],
      reason: 'where there are times, they come from the last write at the key; the compiler does not know that',
    },
    {
      code: "case 'settings':",
      mutants: ["case 'settings': return 'changed' → case 'settings':", '\'settings\' → ""'],
      reason: 'settings are never counted as undone (`written.ts`); only the compiler asks for this answer',
    },
    {
      code: "return 'changed'",
      mutants: ['\'changed\' → ""'],
      reason: 'settings are never counted as undone (`written.ts`); only the compiler asks for this answer',
    },
  ],
  'src/core/diff/byKey.ts': [
    {
      code: 'const several = last.size === all.length ? new Map<Key, Mapping[]>() : duplicates(all)',
      mutants: ['last.size === all.length → false'],
      reason: 'only time: among mappings without duplicates none are found',
    },
  ],
  'src/core/resolve/claims.ts': [
    {
      code: 'if (all.length === 1) return (all[0] as Claim).wish',
      mutants: ['all.length === 1 → false'],
      reason: 'only time: one claim settles to its own wish, and nearly every key has one',
    },
  ],
  'src/core/diff/diff.ts': [
    {
      code: 'unmade: [],',
      mutants: ['[] → ["Stryker was here"]'],
      reason: 'what is put in is a mapping of no group, for which nothing waits',
    },
    {
      code: "if (wish.want === 'role' && draft.byKey.only(key)?.role === wish.role && owns.has(listOf(wish.target))) {",
      mutants: [
        "wish.want === 'role' && draft.byKey.only(key)?.role === wish.role && owns.has(listOf(wish.target)) → false",
        '\'role\' → ""',
      ],
      reason: 'only time: `wished` comes to the same for what is as it should be',
    },
    {
      code: 'draft.met++',
      mutants: ['draft.met++ → draft.met--'],
      reason: 'only time: the keys are counted to know that none is undeclared; a wrong sum means that each is looked at',
    },
    {
      code: 'for (const [list, mappings] of draft.met === draft.byKey.keys ? [] : managed) {',
      mutants: ['draft.met === draft.byKey.keys → false', '[] → ["Stryker was here"]'],
      reason: 'only time: where every key was asked for, none is undeclared; and a list of another name is not owned',
    },
    {
      code: 'if (here.length > 0) draft.met++',
      mutants: ['here.length > 0 → false', 'draft.met++ → draft.met--'],
      reason: 'only time: the keys are counted to know that none is undeclared; a wrong sum means that each is looked at',
    },
  ],
  'src/core/memory/shardedMap.ts': [
    {
      code: 'for (let index = 0; index < name.length; index++) hash = (hash * 31 + name.charCodeAt(index)) | 0',
      mutants: ['hash * 31 + name.charCodeAt(index) → hash * 31 - name.charCodeAt(index)'],
      reason: 'another hash that spreads as well',
    },
  ],
  'src/core/existing.ts': [
    {
      code: 'unmanaged.length === 0 ? seen : seen.filter(({ group, target }) => !isUnmanaged(unmanaged, group, target))',
      mutants: ['unmanaged.length === 0 → false'],
      reason: 'only time: where nothing is said, nothing is unmanaged',
    },
  ],
  'src/core/judge/guards.ts': [
    {
      code: "const touched = change.action === 'rename' ? [change.group, change.fromGroup] : [change.group]",
      mutants: ["change.action === 'rename' → true"],
      reason: 'another change has no old name, and that is no protected group',
    },
    {
      code: 'for (const { why, waiver } of asked) if (waiver !== undefined) use(waiver, why, change)',
      mutants: ['waiver !== undefined → true'],
      reason: 'where one is missing, the change is held above; the compiler does not know that',
    },
  ],
  'src/core/resolve/hints.ts': [
    {
      code: 'const nearProject = (name: string, { projects }: ResolveInput): string | undefined => nearest(name, seen(projects)?.keys() ?? [])',
      mutants: ['[] → ["Stryker was here"]'],
      reason: 'where the projects are not known, only a name that no project can have is told as unknown; it is near no text',
    },
    {
      code: 'asked.flatMap((directory) => [...(seen(directories.get(directory))?.keys() ?? [])]),',
      mutants: ['seen(directories.get(directory))?.keys → seen(directories.get(directory)).keys', '[] → ["Stryker was here"]'],
      reason: 'a group is told as unknown by directories of which something was seen; the compiler does not know that',
    },
  ],
  'src/core/nearest.ts': [
    {
      code: 'if (candidate === name || Math.abs(candidate.length - wanted.length) > limit) continue',
      mutants: ['Math.abs(candidate.length - wanted.length) > limit → false'],
      reason:
        'only time: as many letters more or fewer are as many edits, which are too many; only names longer than the service takes differ',
    },
    {
      code: 'if (best === undefined || edits < limit || candidate < best) best = candidate',
      mutants: ['candidate < best → candidate <= best'],
      reason: 'a text takes the place of its equal',
    },
    {
      code: 'const fold = (text: string): string => text.slice(0, charactersMax).toLowerCase()',
      mutants: ['text.slice(0, charactersMax).toLowerCase() → text.slice(0, charactersMax).toUpperCase()'],
      reason: 'letter case does not count either way; the two differ in a few letters such as ß, and by an edit there',
    },
    {
      code: 'while (a[start] !== undefined && a[start] === b[start]) start++',
      mutants: ['a[start] !== undefined && a[start] === b[start] → false', 'a[start] !== undefined → a[start] === undefined'],
      reason: 'only time: a beginning that both have takes no edit',
    },
    {
      code: 'for (let j = Math.max(1, i - limit); j <= Math.min(b.length, i + limit); j++) {',
      mutants: ['Math.max(1, i - limit) → Math.min(1, i - limit)', 'Math.min(b.length, i + limit) → Math.max(b.length, i + limit)'],
      reason: 'only time: more cells than can stay within the limit, of which none is nearer',
    },
    {
      code: 'if (smallest > limit) return undefined',
      mutants: ['smallest > limit → false'],
      reason: 'only time: from such a row no way leads back below the limit',
    },
  ],
  'src/core/findings/notices.ts': [
    {
      code: "groups.kind === 'pattern'",
      mutants: ["groups.kind === 'pattern' → false", '\'pattern\' → ""'],
      reason: 'a pattern has no name, so no directory has a group of it; the compiler wants to be told',
    },
    {
      code: 'const firstOf = (a: Rule, b: Rule): Rule => (comparePositions(b.because.at, a.because.at) < 0 ? b : a)',
      mutants: ['comparePositions(b.because.at, a.because.at) < 0 → comparePositions(b.because.at, a.because.at) <= 0'],
      reason: 'of two rules at one place nothing but the place is said',
    },
    {
      code: 'const now = id === undefined ? undefined : byId(index).get(id)',
      mutants: ['id === undefined → false'],
      reason: 'only time: no group has no id',
    },
    {
      code: 'ids.set(index, byId)',
      mutants: ['ids.set(index, byId) → ;'],
      reason: 'only time: what is not remembered is made again',
    },
  ],
  'src/core/diff/order.ts': [
    {
      code: 'const swapped = only !== undefined && more.length === 0 && deletesAt.get(at)?.length === 1 ? [only] : []',
      mutants: ['deletesAt.get(at)?.length → deletesAt.get(at).length'],
      reason: 'at the place of a delete there is that delete; the compiler does not know that',
    },
  ],
  'src/core/policy.ts': [
    {
      code: "case 'sync':",
      mutants: ["case 'sync': return true → case 'sync':", '\'sync\' → ""'],
      reason: 'what follows returns the name of the policy, which counts as true',
    },
    {
      code: "const isSaid = (change: Change): boolean => change.action === 'delete' && (change.why === 'removed' || change.why === 'expired')",
      mutants: ["change.action === 'delete' → true"],
      reason: 'only a delete has a `why`; the compiler wants to be told',
    },
    {
      code: "return change.action === 'delete' && change.why === 'undeclared' ? { kind: 'undeclared', policy } : { kind: 'policy', policy }",
      mutants: ["change.action === 'delete' → true"],
      reason: 'only a delete has a `why`; the compiler wants to be told',
    },
  ],
  'src/core/resolve/projectTexts.ts': [
    {
      code: 'if (first === undefined || comparePositions(because.at, first.because.at) < 0) changed.set(reason.pass, { because, reason })',
      mutants: ['comparePositions(because.at, first.because.at) < 0 → comparePositions(because.at, first.because.at) <= 0'],
      reason: 'of one place and one change the words are the same',
    },
    {
      code: "if (wish.want !== 'unknown' || wish.reason.kind !== 'projectChanged' || wish.reason.called === undefined) continue",
      mutants: ["wish.reason.kind !== 'projectChanged' → false"],
      reason: 'no other reason has a project that is called otherwise; the compiler wants to be told',
    },
    {
      code: "const one = target.kind === 'project' ? moved.get(target.project) : undefined",
      mutants: ["target.kind === 'project' → true"],
      reason: 'another target has no project, so none that moved; the compiler wants to be told',
    },
  ],
  'src/core/resolve/projects.ts': [
    {
      code: 'meant.set(project, byText)',
      mutants: ['meant.set(project, byText) → ;'],
      reason: 'only time: what is not remembered is made again',
    },
    {
      code: "if (reading?.status === 'complete' && today !== undefined)",
      mutants: ['reading?.status → reading.status'],
      reason: 'without a reading nothing was seen, and the function has returned; the compiler does not know that',
    },
    {
      code: 'Object.entries(before).every(([id, texts]) => next.get(id)?.size === texts.length && texts.every((text) => next.get(id)?.has(text)))',
      mutants: ['next.get(id)?.has → next.get(id).has'],
      reason: 'where it has a size, it is there; the compiler does not know that',
    },
  ],
  'src/core/reading.ts': [
    {
      code: "export const seen = <T>(reading: Reading<T> | undefined): T | undefined => (reading?.status === 'failed' ? undefined : reading?.value)",
      mutants: ["reading?.status === 'failed' → false", '\'failed\' → ""'],
      reason: 'a failed reading has no value anyway; the compiler wants to be told',
    },
    {
      code: "if (reading.status === 'complete') return undefined",
      mutants: ["reading.status === 'complete' → false", '\'complete\' → ""'],
      reason: 'a complete reading misses nothing anyway; the compiler wants to be told',
    },
  ],
  'src/core/memory/rejections.ts': [
    {
      code: "if (outcome.is !== 'refused' || !lasting.has(outcome.code)) return rejections",
      mutants: ["outcome.is !== 'refused' → false"],
      reason: 'another outcome has no code, so it has none that lasts; the compiler wants to be told',
    },
  ],
  'src/core/diff/renames.ts': [
    {
      code: 'if (heir === undefined || key < heir) heirs.set(old, key)',
      mutants: ['key < heir → key <= heir'],
      reason: 'a key takes the place of its equal',
    },
    {
      code: 'const oldKeys = ({ target, previously = [] }: Wish, workspace: WorkspaceName): readonly Key[] =>',
      mutants: ['[] → ["Stryker was here"]'],
      reason: 'a name that no mapping has',
    },
  ],
  'src/render/change.ts': [
    {
      code: 'const towards = direction(change.before, change.role, { ...roles, ordinary: [], aliases: {} })',
      mutants: ['[] → ["Stryker was here"]'],
      reason: '`direction` asks for the order and the aliases, not for what is ordinary',
    },
  ],
  'src/render/entry.ts': [
    {
      code: "...('target' in of && of.target !== undefined ? { target: of.target } : {}),",
      mutants: ["'target' in of && of.target !== undefined → 'target' in of || of.target !== undefined", 'of.target !== undefined → true'],
      reason: 'what has the property has a value in it; the compiler does not know that',
    },
    {
      code: "...('group' in of && of.group !== undefined ? { group: of.group } : {}),",
      mutants: ["'group' in of && of.group !== undefined → 'group' in of || of.group !== undefined", 'of.group !== undefined → true'],
      reason: 'what has the property has a value in it; the compiler does not know that',
    },
    {
      code: "...('people' in of && of.people !== undefined ? { people: of.people } : {}),",
      mutants: ["'people' in of && of.people !== undefined → 'people' in of || of.people !== undefined", 'of.people !== undefined → true'],
      reason: 'what has the property has a value in it; the compiler does not know that',
    },
    {
      code: 'const reach = ({ target }: Entry) => (target === undefined ? 0 : reaches[target.kind])',
      mutants: ['target === undefined → false'],
      reason: 'what gives a group a role has a target; the compiler does not know that',
    },
  ],
  'src/render/fold.ts': [
    {
      code: 'seen.set(place, times + 1)',
      mutants: ['times + 1 → times - 1'],
      reason: 'the numbers tell duplicates apart as well where they go down',
    },
  ],
  'src/render/json.ts': [
    {
      code: "case 'create':",
      mutants: ["case 'create': return { id, action, ...place, role: change.role, ...rest } → case 'create':"],
      reason: 'what a create lacks is undefined and so not in the document: the next case says the same',
    },
    {
      code: "case 'patch':",
      mutants: ["case 'patch': return { id, action, ...place, mapping: change … , role: change.role, ...rest } → case 'patch':"],
      reason: 'what a patch lacks is undefined and so not in the document: the next case says the same',
    },
    {
      code: 'until: untilMs === undefined ? undefined : isoTime(untilMs),',
      mutants: ['untilMs === undefined → false'],
      reason: 'no moment has no time either; the compiler wants it said',
    },
    {
      code: "target.kind === 'project' ? { kind: target.kind, project: target.project } : { kind: target.kind }",
      mutants: ["target.kind === 'project' → true"],
      reason: 'a project that is undefined is not in the document; the compiler wants it said',
    },
  ],
  'src/render/markdown.ts': [
    {
      code: 'known.set(view, part)',
      mutants: ['known.set(view, part) → ;'],
      reason: 'only time: what is not remembered is made again',
    },
  ],
  'src/render/markdownTable.ts': [
    {
      code: 'lines.set(fold, text)',
      mutants: ['lines.set(fold, text) → ;'],
      reason: 'only time: what is not remembered is made again',
    },
  ],
  'src/core/quantity.ts': [
    {
      code: "const [day = '', time = ''] = until.split('T')",
      mutants: ['\'\' → "Stryker was here!"'],
      reason: 'an ISO time has both parts; the compiler does not know that',
    },
  ],
  'src/render/rows.ts': [
    {
      code: 'lead: [{ text: target }, before === undefined ? { text: who } : { text: who, end: before }, { text: role }],',
      mutants: ['before === undefined → false'],
      reason: 'an end that is undefined is no end; the compiler wants it said',
    },
  ],
  'src/render/savedPlan.ts': [
    {
      code: 'if (text.length > charactersMax) return unreadable(`it has ${text.length} characters`)',
      mutants: ['text.length > charactersMax → text.length >= charactersMax'],
      reason: 'a plan of exactly 100,000,000 characters is as far beyond every workspace as one of one more',
    },
    { code: '} catch {', mutants: ['{ return undefined } → {}'], reason: 'a function that ends without a value gives undefined, too' },
    { code: 'default:', mutants: ['default: return false → default:'], reason: 'undefined is not true either' },
  ],
  'src/render/sections.ts': [
    {
      code: "return reason.kind === 'groupUnknown' && reason.mapped ? 'dangling' : 'held'",
      mutants: ["reason.kind === 'groupUnknown' → true"],
      reason: 'nothing else is mapped; the compiler wants it said',
    },
  ],
  'src/render/table.ts': [
    {
      code: 'return (grid[0] ?? []).map((_, column) => widest(column, Math.floor(width * (column === 1 ? 0.45 : 0.25))))',
      mutants: ['[] → ["Stryker was here"]'],
      reason: 'without rows the columns are not used',
    },
    {
      code: 'for (const cell of [...tail.slice(-1), ...tail.slice(0, -1)]) {',
      mutants: ['tail.slice(0, -1) → tail'],
      reason: 'the last cell once more after all others: it stands already, or there is no more room for it than before',
    },
  ],
  'src/render/totals.ts': [
    {
      code: 'const grants = ([first]: readonly Entry[]): number => Number(first?.isProtected)',
      mutants: ['first?.isProtected → first.isProtected'],
      reason: 'entries that are grouped are one at least; the compiler does not know that',
    },
  ],
  'src/render/urgent.ts': [
    {
      code: 'const { results = [], left = [], holds: stopped = [] } = view.applied ?? {}',
      mutants: ['[] → ["Stryker was here"]'],
      reason: 'the value that stands for no change has no role',
    },
  ],
  'src/render/width.ts': [
    {
      code: "const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })",
      mutants: ["{ granularity: 'grapheme' } → {}"],
      reason: '`grapheme` is the default of `Intl.Segmenter`',
    },
    {
      code: 'const narrow = /^[\\u0020-\\u02FF\\u2010-\\u20CF\\u2100-\\u22FF]*$/',
      mutants: ['/^[\\u0020-\\u02FF\\u2010-\\u20CF\\u2100-\\u22FF]*$/ → /^[\\u0020-\\u02FF\\u2010-\\u20CF\\u2100-\\u22FF]$/'],
      reason: 'only time: among narrow characters graphemes and characters are as many',
    },
    {
      code: 'if (narrow.test(text)) return text.length',
      mutants: ['narrow.test(text) → false'],
      reason: 'only time: among narrow characters graphemes and characters are as many',
    },
  ],
  'src/core/resolve/resolve.ts': [
    {
      code: "const meaning = rule.target.kind === 'fixed' ? fixed : meaningOf(target)",
      mutants: ["rule.target.kind === 'fixed' → false", '\'fixed\' → ""'],
      reason: 'only time: the same text means the same project for each of its groups',
    },
    {
      code: "settled.want === 'absent' ? deletable(settled, made, (one) => mappedKeys.has(keyOf(workspace, one, settled.group)), texts) : settled",
      mutants: ["settled.want === 'absent' → true"],
      reason: 'only time: no text that decides about another wish asks for a deletion',
    },
    {
      code: 'if (changed.length > 0) {',
      mutants: ['changed.length > 0 → true', 'changed.length > 0 → changed.length >= 0'],
      reason: 'only time: where no project changed, no wish waits for one',
    },
    {
      code: 'const isThere = (project: ProjectIdentifier) => seen(world.projects)?.has(project) === true || vouched().has(project)',
      mutants: ['seen(world.projects)?.has → seen(world.projects).has'],
      reason: 'it is asked only where the whole list was read; the compiler does not know that',
    },
    {
      code: 'const [first] = asking.flatMap(({ changed }) => changed ?? [])',
      mutants: ['[] → ["Stryker was here"]'],
      reason: 'where a text asks for it whose project is as it was, the deletion stands anyway',
    },
    {
      code: "if (first?.want !== 'unknown' || asking.some(({ changed }) => changed === undefined)) return wish",
      mutants: ["first?.want !== 'unknown' → false"],
      reason: 'where there is none, a text asks whose project is as it was, and each is unknown; the compiler does not know that',
    },
    {
      code: "const isElsewhere = reason.called !== undefined && isMapped({ kind: 'project', project: reason.called })",
      mutants: ['reason.called !== undefined → true'],
      reason: 'no mapping has no project; the compiler wants to be told',
    },
    {
      code: 'const namesOf = ({ directories }: ResolveInput) => [...directories.values()].flatMap((reading) => [...(seen(reading)?.keys() ?? [])])',
      mutants: ['[] → ["Stryker was here"]'],
      reason: 'of a name that no directory showed and no mapping has, a pattern says nothing',
    },
    {
      code: "const mapped = existing.flatMap((one) => (one.target.kind === 'project' && vouches(one) ? [one.target.project] : []))",
      mutants: ["one.target.kind === 'project' → true", '[] → ["Stryker was here"]'],
      reason: 'no rule names a project of such a name, or of none',
    },
    {
      code: 'return new Set([...mapped, ...(projectsAgreed ?? [])])',
      mutants: ['[] → ["Stryker was here"]'],
      reason: 'no rule names a project of such a name',
    },
  ],
  'src/core/safeName.ts': [
    {
      code: 'const characters = name.length > groupNameCharactersMax ? Array.from(name).length : 0',
      mutants: [
        'name.length > groupNameCharactersMax → true',
        'name.length > groupNameCharactersMax → name.length >= groupNameCharactersMax',
      ],
      reason: 'only time: a name has no more characters than code units',
    },
  ],
  'src/core/resolve/textName.ts': [
    {
      code: 'if (before !== undefined) return before',
      mutants: ['before !== undefined → false'],
      reason: 'only time: the same words give the same name again',
    },
    {
      code: 'names.set(text, name)',
      mutants: ['names.set(text, name) → ;'],
      reason: 'only time: the same words give the same name again',
    },
  ],
  'src/core/resolve/wish.ts': [
    {
      code: "if (rule.expiresMs !== undefined && nowMs >= rule.expiresMs) return { ...base, want: 'absent', why: 'expired' }",
      mutants: ['rule.expiresMs !== undefined → true'],
      reason: 'no time is later than none; the compiler wants to be told',
    },
    {
      code: "if (target.kind === 'project' && !/^[^\\s∕]{1,12}$/u.test(target.project))",
      mutants: ["target.kind === 'project' → true"],
      reason: 'another target has no project, which reads as a name that one can have; the compiler wants to be told',
    },
    {
      code: "if (target.kind !== 'project' || unknownProjects === 'send' || seen(projects)?.has(target.project)) return undefined",
      mutants: ["target.kind !== 'project' → false"],
      reason: '`resolve` uses the answer for projects alone; the compiler wants to be told, here and there',
    },
  ],
  'src/core/memory/written.ts': [
    {
      code: 'return bounded([...(before === undefined ? sofar : sofar.filter((one) => one !== before)), left], atMs)',
      mutants: ['before === undefined → false'],
      reason: 'only time: what is not there is not taken out',
    },
    {
      code: 'if (surplus <= 0) return written',
      mutants: ['surplus <= 0 → surplus < 0'],
      reason: 'only time: where none is too many, none is dropped',
    },
    {
      code: 'if (before === undefined || before.declaration !== declaration || before.role !== wanted?.role) return []',
      mutants: ['wanted?.role → wanted.role'],
      reason: 'without something wanted there is nothing before, which was asked first; the compiler does not know that',
    },
  ],
  'src/directories/ldap/base.ts': [
    {
      code: 'requireBound(connection)',
      mutants: ['requireBound(connection) → ;'],
      reason:
        'after an answer that came whole: what it holds stays true, and a page more is refused before it is asked for, which is tested',
    },
    { code: "step: 'search',", mutants: ['\'search\' → ""'], reason: 'only `open` is asked for: another address may do better then' },
  ],
  'src/directories/ldap/entry.ts': [
    {
      code: "return decoded.includes('\\ufffd') && !Buffer.from(decoded).equals(bytes) ? undefined : decoded",
      mutants: ['\'\\ufffd\' → ""'],
      reason: 'only time: a name without a replacement character is encoded and compared, and is the same',
    },
  ],
  'src/directories/ldap/members.ts': [
    {
      code: "const name = settings.groups.members ?? ''",
      mutants: ['\'\' → "Stryker was here!"'],
      reason: 'a count is followed only where the settings name what is counted; the compiler does not know that',
    },
    {
      code: 'await searchPage(connection, search, { size: 0, cookie: undefined }, settings.timeoutMs, (entry) => {',
      mutants: ['{ size: 0, cookie: undefined } → {}'],
      reason: 'a size that is undefined is not above 0 either: no paging',
    },
  ],
  'src/directories/ldap/page.ts': [
    {
      code: 'cookie = response.controls?.find((control) => control instanceof PagedResultsControl)?.value?.cookie',
      mutants: ['response.controls?.find → response.controls.find'],
      reason: 'ldapts gives a list, if an empty one; only its type says that there may be none',
    },
  ],
  'src/directories/ldap/referrals.ts': [
    {
      code: 'const [leaf, ...above] = parseDn(dnOf(reference)) ?? []',
      mutants: ['[] → ["Stryker was here"]'],
      reason: 'no name of a partition either',
    },
    { code: "return ''", mutants: ['\'\' → "Stryker was here!"'], reason: 'neither is a DN below a partition' },
  ],
  'src/directories/ldap/values.ts': [
    {
      code: 'const [, first, last] = /;range=(\\d+)-(\\*|\\d+)$/i.exec(type) ?? []',
      mutants: ['[] → ["Stryker was here"]'],
      reason: 'the beginning is missing either way, so the part is no answer',
    },
    {
      code: 'type === name || (type.length === name.length && type.toLowerCase() === name.toLowerCase())',
      mutants: ['type === name → false', 'type.length === name.length → true'],
      reason:
        'only time: equal names are equal in small letters, and names of unequal length are not; a million groups have several attributes each',
    },
  ],
  'src/plane/rate/fairQueue.ts': [
    {
      code: "const next = choose(lanes.byName.values(), short ? (lanes.preferred < preferredMax ? 'revocations' : 'rest') : 'nothing')",
      mutants: ['\'rest\' → ""'],
      reason: 'a third word, whichever it is: `choose` asks only for the other two',
    },
    {
      code: "return write.size > 0 && (last || cameFirst(write) < cameFirst(revocation)) ? 'write' : 'revocation'",
      mutants: ['cameFirst(write) < cameFirst(revocation) → cameFirst(write) <= cameFirst(revocation)'],
      reason: 'no two come at once: each has a number of its own',
    },
  ],
  'src/plane/rate/budgetState.ts': [
    {
      code: 'return first === 0 ? times : first === -1 ? [] : times.slice(first)',
      mutants: ['first === 0 → false'],
      reason: 'only time: the same list, copied',
    },
    {
      code: '(times.at(-1) ?? now) <= now ? times : times.map((time) => Math.min(time, now))',
      mutants: ['(times.at(-1) ?? now) <= now → false', '(times.at(-1) ?? now) <= now → (times.at(-1) ?? now) < now'],
      reason: 'only time: what is not after now stays as it is',
    },
  ],
  'src/plane/rate/rateHeaders.ts': [
    {
      code: "const text = headers['retry-after']?.trim() ?? ''",
      mutants: ['\'\' → "Stryker was here!"'],
      reason: 'no date and no number either',
    },
    {
      code: 'if (told !== undefined && told > secondsOfAnEpoch) {',
      mutants: ['told !== undefined → true'],
      reason: 'nothing told is not greater than any number; the compiler wants it said',
    },
    { code: "const at = Date.parse(headers.date ?? '')", mutants: ['\'\' → "Stryker was here!"'], reason: 'no date either' },
    {
      code: "function itemsOf(text = ''): readonly { readonly item: string; readonly parameters: ReadonlyMap<string, string> }[] {",
      mutants: ['\'\' → "Stryker was here!"'],
      reason: 'an item that no policy names and that has no parameters: no quota either',
    },
    {
      code: 'const [item = \'\', ...parameters] = [...member.matchAll(/(?:"(?:[^"\\\\]|\\\\.)*"|[^";])+/g)].map(([part]) => part.trim())',
      mutants: ['\'\' → "Stryker was here!"'],
      reason: 'a list member of nothing but semicolons; what is put in has no parameters and is no number: no quota either',
    },
    {
      code: "const digits = /^\\s*(\\d{1,10})(?!\\d)/.exec(text ?? '')?.[1]",
      mutants: ['\'\' → "Stryker was here!"'],
      reason: 'no number either',
    },
  ],
  'src/plane/write.ts': [
    {
      code: "const sendsRole = (change: MappingDeed): boolean => change.action !== 'rename' || change.role !== change.before",
      mutants: ["change.action !== 'rename' → false"],
      reason: 'a create has no role before, and a patch always another one: what follows is true for them; the compiler needs the question',
    },
    {
      code: 'if (status !== undefined && status >= 300 && status < 500 && status !== 408) {',
      mutants: ['status !== undefined → true'],
      reason: 'no status is not 300 or more either; the compiler wants it said',
    },
  ],
}
