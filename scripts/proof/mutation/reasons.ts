/**
 * Why a mutant that no test notices is left alone: it makes no difference that can be seen, or only one of time. By file and function; a mutant
 * has the name that `npm run mutation` prints. `npm run mutation` fails where a reason is missing, or no longer needed.
 */
export type Reasons = Readonly<Record<string, Readonly<Record<string, readonly Reason[]>>>>
type Reason = { readonly mutants: readonly string[]; readonly reason: string }

export const reasons: Reasons = {
  'src/core/diff/byKey.ts': {
    byKeyOf: [{ mutants: ['ConditionalExpression → false'], reason: 'only time: among mappings without duplicates none are found' }],
  },
  'src/core/diff/diff.ts': {
    diff: [
      {
        mutants: ['ArrayDeclaration → ["Stryker was here"], 2 of 7'],
        reason: 'what is put in is a mapping of no group, for which nothing waits',
      },
      {
        mutants: ['ConditionalExpression → false, 2 of 7', 'StringLiteral, 1 of 3'],
        reason: 'only time: `wished` comes to the same for what is as it should be',
      },
      {
        mutants: ['UpdateOperator, 1 of 2'],
        reason: 'only time: the keys are counted to know that none is undeclared; a wrong sum means that each is looked at',
      },
      {
        mutants: ['ArrayDeclaration → ["Stryker was here"], 5 of 7', 'ConditionalExpression → false, 5 of 7'],
        reason: 'only time: where every key was asked for, none is undeclared; and a list of another name is not owned',
      },
    ],
    wished: [
      {
        mutants: ['ConditionalExpression → false, 1 of 6', 'UpdateOperator'],
        reason: 'only time: the keys are counted to know that none is undeclared; a wrong sum means that each is looked at',
      },
    ],
  },
  'src/core/diff/order.ts': {
    replacements: [
      { mutants: ['OptionalChaining'], reason: 'at the place of a delete there is that delete; the compiler does not know that' },
    ],
  },
  'src/core/diff/renames.ts': {
    mayTake: [{ mutants: ['EqualityOperator, 2 of 3'], reason: 'a key takes the place of its equal' }],
    oldKeys: [{ mutants: ['ArrayDeclaration'], reason: 'a name that no mapping has' }],
  },
  'src/core/existing.ts': {
    managed: [{ mutants: ['ConditionalExpression → false'], reason: 'only time: where nothing is said, nothing is unmanaged' }],
  },
  'src/core/findings/anotherWriter.ts': {
    anotherWriterFindings: [
      {
        mutants: ['ArrayDeclaration → ["Stryker was here"], 1 of 5'],
        reason: 'what stands in the place of no change was never written, so it has not come back',
      },
    ],
    isBack: [
      {
        mutants: ['OptionalChaining'],
        reason: 'where there are times, they come from the last write at the key; the compiler does not know that',
      },
    ],
    foundText: [
      {
        mutants: ["ConditionalExpression → case 'settings':", 'StringLiteral → "", 6 of 7'],
        reason: 'settings are never counted as undone (`written.ts`); only the compiler asks for this answer',
      },
      {
        mutants: ['StringLiteral → "", 7 of 7'],
        reason: 'settings are never counted as undone (`written.ts`); only the compiler asks for this answer',
      },
    ],
  },
  'src/core/findings/notices.ts': {
    groupIds: [
      {
        mutants: ['ConditionalExpression → false, 1 of 4', 'StringLiteral'],
        reason: 'a pattern has no name, so no directory has a group of it; the compiler wants to be told',
      },
    ],
    firstOf: [{ mutants: ['EqualityOperator, 1 of 2'], reason: 'of two rules at one place nothing but the place is said' }],
    renamed: [{ mutants: ['ConditionalExpression → false, 3 of 4'], reason: 'only time: no group has no id' }],
    remembered: [{ mutants: ['CallExpression'], reason: 'only time: what is not remembered is made again' }],
  },
  'src/core/judge/guards.ts': {
    approvalWhys: [
      { mutants: ['ConditionalExpression → true, 2 of 3'], reason: 'another change has no old name, and that is no protected group' },
    ],
    judge: [
      {
        mutants: ['ConditionalExpression → true, 4 of 16'],
        reason: 'where one is missing, the change is held above; the compiler does not know that',
      },
    ],
  },
  'src/core/memory/rejections.ts': {
    refused: [
      {
        mutants: ['ConditionalExpression → false, 2 of 2'],
        reason: 'another outcome has no code, so it has none that lasts; the compiler wants to be told',
      },
    ],
  },
  'src/core/memory/shardedMap.ts': {
    shardOf: [{ mutants: ['ArithmeticOperator, 1 of 3'], reason: 'another hash that spreads as well' }],
  },
  'src/core/memory/written.ts': {
    wrote: [{ mutants: ['ConditionalExpression → false, 8 of 9'], reason: 'only time: what is not there is not taken out' }],
    bounded: [{ mutants: ['EqualityOperator, 1 of 4'], reason: 'only time: where none is too many, none is dropped' }],
    comebacks: [
      {
        mutants: ['OptionalChaining'],
        reason: 'without something wanted there is nothing before, which was asked first; the compiler does not know that',
      },
    ],
  },
  'src/core/nearest.ts': {
    nearest: [
      {
        mutants: ['ConditionalExpression → false, 3 of 9'],
        reason:
          'only time: as many letters more or fewer are as many edits, which are too many; only names longer than the service takes differ',
      },
      { mutants: ['EqualityOperator, 8 of 9'], reason: 'a text takes the place of its equal' },
    ],
    fold: [
      {
        mutants: ['MethodExpression, 1 of 2'],
        reason: 'letter case does not count either way; the two differ in a few letters such as ß, and by an edit there',
      },
    ],
    unequalParts: [
      {
        mutants: ['ConditionalExpression → false', 'EqualityOperator, 1 of 2'],
        reason: 'only time: a beginning that both have takes no edit',
      },
    ],
    distance: [
      {
        mutants: ['MethodExpression, 1 of 5', 'MethodExpression, 2 of 5'],
        reason: 'only time: more cells than can stay within the limit, of which none is nearer',
      },
      { mutants: ['ConditionalExpression → false, 5 of 6'], reason: 'only time: from such a row no way leads back below the limit' },
    ],
  },
  'src/core/policy.ts': {
    passes: [
      {
        mutants: ["ConditionalExpression → case 'sync':", 'StringLiteral, 6 of 6'],
        reason: 'what follows returns the name of the policy, which counts as true',
      },
    ],
    isSaid: [{ mutants: ['ConditionalExpression → true, 2 of 3'], reason: 'only a delete has a `why`; the compiler wants to be told' }],
    reasonOf: [{ mutants: ['ConditionalExpression → true, 2 of 3'], reason: 'only a delete has a `why`; the compiler wants to be told' }],
  },
  'src/core/quantity.ts': {
    untilText: [
      {
        mutants: ['StringLiteral → "Stryker was here!", 1 of 2', 'StringLiteral → "Stryker was here!", 2 of 2'],
        reason: 'an ISO time has both parts; the compiler does not know that',
      },
    ],
  },
  'src/core/reading.ts': {
    seen: [
      {
        mutants: ['ConditionalExpression → false', 'StringLiteral'],
        reason: 'a failed reading has no value anyway; the compiler wants to be told',
      },
    ],
    whyIncomplete: [
      {
        mutants: ['ConditionalExpression → false, 2 of 3', 'StringLiteral, 2 of 3'],
        reason: 'a complete reading misses nothing anyway; the compiler wants to be told',
      },
    ],
  },
  'src/core/resolve/claims.ts': {
    settle: [
      {
        mutants: ['ConditionalExpression → false, 1 of 5'],
        reason: 'only time: one claim settles to its own wish, and nearly every key has one',
      },
    ],
  },
  'src/core/resolve/hints.ts': {
    nearProject: [
      {
        mutants: ['ArrayDeclaration'],
        reason: 'where the projects are not known, only a name that no project can have is told as unknown; it is near no text',
      },
    ],
    nearGroup: [
      {
        mutants: ['ArrayDeclaration → ["Stryker was here"]', 'OptionalChaining'],
        reason: 'a group is told as unknown by directories of which something was seen; the compiler does not know that',
      },
    ],
  },
  'src/core/resolve/projectTexts.ts': {
    tell: [{ mutants: ['EqualityOperator, 2 of 3'], reason: 'of one place and one change the words are the same' }],
    meantElsewhere: [
      {
        mutants: ['ConditionalExpression → false, 4 of 5'],
        reason: 'no other reason has a project that is called otherwise; the compiler wants to be told',
      },
    ],
    undeclaredIn: [
      {
        mutants: ['ConditionalExpression → true, 1 of 2'],
        reason: 'another target has no project, so none that moved; the compiler wants to be told',
      },
    ],
  },
  'src/core/resolve/projects.ts': {
    checkProjects: [{ mutants: ['CallExpression'], reason: 'only time: what is not remembered is made again' }],
    newProjectIds: [
      {
        mutants: ['OptionalChaining'],
        reason: 'without a reading nothing was seen, and the function has returned; the compiler does not know that',
      },
    ],
    isSame: [{ mutants: ['OptionalChaining, 2 of 2'], reason: 'where it has a size, it is there; the compiler does not know that' }],
  },
  'src/core/resolve/resolve.ts': {
    resolve: [
      {
        mutants: ['ConditionalExpression → false, 5 of 17', 'StringLiteral, 6 of 15'],
        reason: 'only time: the same text means the same project for each of its groups',
      },
      {
        mutants: ['ConditionalExpression → true, 12 of 22'],
        reason: 'only time: no text that decides about another wish asks for a deletion',
      },
      {
        mutants: ['ConditionalExpression → true, 19 of 22', 'EqualityOperator, 15 of 16'],
        reason: 'only time: where no project changed, no wish waits for one',
      },
    ],
    isThere: [{ mutants: ['OptionalChaining'], reason: 'it is asked only where the whole list was read; the compiler does not know that' }],
    deletable: [
      { mutants: ['ArrayDeclaration'], reason: 'where a text asks for it whose project is as it was, the deletion stands anyway' },
      {
        mutants: ['ConditionalExpression → false, 2 of 6'],
        reason: 'where there is none, a text asks whose project is as it was, and each is unknown; the compiler does not know that',
      },
      { mutants: ['ConditionalExpression → true, 5 of 6'], reason: 'no mapping has no project; the compiler wants to be told' },
    ],
    namesOf: [
      {
        mutants: ['ArrayDeclaration → ["Stryker was here"]'],
        reason: 'of a name that no directory showed and no mapping has, a pattern says nothing',
      },
    ],
    vouchedProjects: [
      {
        mutants: ['ArrayDeclaration → ["Stryker was here"], 1 of 2', 'ConditionalExpression → true, 2 of 2'],
        reason: 'no rule names a project of such a name, or of none',
      },
      { mutants: ['ArrayDeclaration → ["Stryker was here"], 2 of 2'], reason: 'no rule names a project of such a name' },
    ],
  },
  'src/core/resolve/textName.ts': {
    nameOf: [
      { mutants: ['ConditionalExpression → false'], reason: 'only time: the same words give the same name again' },
      { mutants: ['CallExpression'], reason: 'only time: the same words give the same name again' },
    ],
  },
  'src/core/resolve/wish.ts': {
    wishOf: [
      { mutants: ['ConditionalExpression → true, 2 of 18'], reason: 'no time is later than none; the compiler wants to be told' },
      {
        mutants: ['ConditionalExpression → true, 14 of 18'],
        reason: 'another target has no project, which reads as a name that one can have; the compiler wants to be told',
      },
    ],
    projectUnseen: [
      {
        mutants: ['ConditionalExpression → false, 3 of 4'],
        reason: '`resolve` uses the answer for projects alone; the compiler wants to be told, here and there',
      },
    ],
  },
  'src/core/safeName.ts': {
    unsafeName: [
      {
        mutants: ['ConditionalExpression → true, 2 of 6', 'EqualityOperator, 3 of 8'],
        reason: 'only time: a name has no more characters than code units',
      },
    ],
  },
  'src/directories/ldap/base.ts': {
    readPage: [
      {
        mutants: ['CallExpression, 4 of 4'],
        reason:
          'after an answer that came whole: what it holds stays true, and a page more is refused before it is asked for, which is tested',
      },
    ],
    doingOf: [{ mutants: ['StringLiteral → ""'], reason: 'only `open` is asked for: another address may do better then' }],
  },
  'src/directories/ldap/entry.ts': {
    text: [
      {
        mutants: ['StringLiteral, 2 of 2'],
        reason: 'only time: a name without a replacement character is encoded and compared, and is the same',
      },
    ],
  },
  'src/directories/ldap/members.ts': {
    countRest: [
      {
        mutants: ['StringLiteral → "Stryker was here!"'],
        reason: 'a count is followed only where the settings name what is counted; the compiler does not know that',
      },
      { mutants: ['ObjectLiteral, 2 of 2'], reason: 'a size that is undefined is not above 0 either: no paging' },
    ],
  },
  'src/directories/ldap/page.ts': {
    searchPage: [
      { mutants: ['OptionalChaining, 3 of 3'], reason: 'ldapts gives a list, if an empty one; only its type says that there may be none' },
    ],
  },
  'src/directories/ldap/referrals.ts': {
    foreignReferences: [{ mutants: ['ArrayDeclaration'], reason: 'no name of a partition either' }],
    dnOf: [{ mutants: ['StringLiteral'], reason: 'neither is a DN below a partition' }],
  },
  'src/directories/ldap/values.ts': {
    countValues: [{ mutants: ['ArrayDeclaration'], reason: 'the beginning is missing either way, so the part is no answer' }],
    isType: [
      {
        mutants: ['ConditionalExpression → false, 2 of 3', 'ConditionalExpression → true, 2 of 3'],
        reason:
          'only time: equal names are equal in small letters, and names of unequal length are not; a million groups have several attributes each',
      },
    ],
  },
  'src/plane/rate/budgetState.ts': {
    alive: [{ mutants: ['ConditionalExpression → false, 2 of 3'], reason: 'only time: the same list, copied' }],
    notAfter: [
      { mutants: ['ConditionalExpression → false', 'EqualityOperator, 1 of 2'], reason: 'only time: what is not after now stays as it is' },
    ],
  },
  'src/plane/rate/fairQueue.ts': {
    take: [{ mutants: ['StringLiteral, 2 of 4'], reason: 'a third word, whichever it is: `choose` asks only for the other two' }],
    kindOf: [{ mutants: ['EqualityOperator, 7 of 8'], reason: 'no two come at once: each has a number of its own' }],
  },
  'src/plane/rate/rateHeaders.ts': {
    retryAfter: [{ mutants: ['StringLiteral → "Stryker was here!"'], reason: 'no date and no number either' }],
    reset: [
      {
        mutants: ['ConditionalExpression → true, 2 of 5'],
        reason: 'nothing told is not greater than any number; the compiler wants it said',
      },
    ],
    theirClock: [{ mutants: ['StringLiteral'], reason: 'no date either' }],
    itemsOf: [
      {
        mutants: ['StringLiteral → "Stryker was here!", 1 of 2'],
        reason: 'an item that no policy names and that has no parameters: no quota either',
      },
      {
        mutants: ['StringLiteral → "Stryker was here!", 2 of 2'],
        reason: 'a list member of nothing but semicolons; what is put in has no parameters and is no number: no quota either',
      },
    ],
    wholeOf: [{ mutants: ['StringLiteral'], reason: 'no number either' }],
  },
  'src/plane/write.ts': {
    sendsRole: [
      {
        mutants: ['ConditionalExpression → false, 2 of 3'],
        reason:
          'a create has no role before, and a patch always another one: what follows is true for them; the compiler needs the question',
      },
    ],
    outcomeOfError: [
      { mutants: ['ConditionalExpression → true, 8 of 14'], reason: 'no status is not 300 or more either; the compiler wants it said' },
    ],
  },
  'src/render/change.ts': {
    kindOf: [{ mutants: ['ArrayDeclaration'], reason: '`direction` asks for the order and the aliases, not for what is ordinary' }],
  },
  'src/render/entry.ts': {
    subjectOf: [
      {
        mutants: ['ConditionalExpression → true, 2 of 6', 'LogicalOperator, 1 of 3'],
        reason: 'what has the property has a value in it; the compiler does not know that',
      },
      {
        mutants: ['ConditionalExpression → true, 4 of 6', 'LogicalOperator, 2 of 3'],
        reason: 'what has the property has a value in it; the compiler does not know that',
      },
      {
        mutants: ['ConditionalExpression → true, 6 of 6', 'LogicalOperator, 3 of 3'],
        reason: 'what has the property has a value in it; the compiler does not know that',
      },
    ],
    reach: [
      { mutants: ['ConditionalExpression → false'], reason: 'what gives a group a role has a target; the compiler does not know that' },
    ],
  },
  'src/render/fold.ts': {
    foldByRule: [{ mutants: ['ArithmeticOperator'], reason: 'the numbers tell duplicates apart as well where they go down' }],
  },
  'src/render/json.ts': {
    changeOf: [
      {
        mutants: ["ConditionalExpression → case 'create':"],
        reason: 'what a create lacks is undefined and so not in the document: the next case says the same',
      },
      {
        mutants: ["ConditionalExpression → case 'patch':"],
        reason: 'what a patch lacks is undefined and so not in the document: the next case says the same',
      },
    ],
    holdOf: [{ mutants: ['ConditionalExpression → false, 2 of 4'], reason: 'no moment has no time either; the compiler wants it said' }],
    targetOf: [
      {
        mutants: ['ConditionalExpression → true'],
        reason: 'a project that is undefined is not in the document; the compiler wants it said',
      },
    ],
  },
  'src/render/markdown.ts': {
    partOf: [{ mutants: ['CallExpression'], reason: 'only time: what is not remembered is made again' }],
  },
  'src/render/markdownTable.ts': {
    lineOf: [{ mutants: ['CallExpression'], reason: 'only time: what is not remembered is made again' }],
  },
  'src/render/rows.ts': {
    rowOf: [
      { mutants: ['ConditionalExpression → false, 1 of 2'], reason: 'an end that is undefined is no end; the compiler wants it said' },
    ],
  },
  'src/render/savedPlan.ts': {
    parsePlan: [
      {
        mutants: ['EqualityOperator, 2 of 9'],
        reason: 'a plan of exactly 100,000,000 characters is as far beyond every workspace as one of one more',
      },
    ],
    parsed: [{ mutants: ['BlockStatement, 3 of 3'], reason: 'a function that ends without a value gives undefined, too' }],
    isChange: [{ mutants: ['ConditionalExpression → default:'], reason: 'undefined is not true either' }],
  },
  'src/render/sections.ts': {
    sectionOf: [{ mutants: ['ConditionalExpression → true, 4 of 4'], reason: 'nothing else is mapped; the compiler wants it said' }],
  },
  'src/render/table.ts': {
    columnWidths: [{ mutants: ['ArrayDeclaration'], reason: 'without rows the columns are not used' }],
    flowed: [
      {
        mutants: ['MethodExpression, 2 of 3'],
        reason: 'the last cell once more after all others: it stands already, or there is no more room for it than before',
      },
    ],
  },
  'src/render/totals.ts': {
    grants: [{ mutants: ['OptionalChaining'], reason: 'entries that are grouped are one at least; the compiler does not know that' }],
  },
  'src/render/urgent.ts': {
    isUrgent: [{ mutants: ['ArrayDeclaration → ["Stryker was here"], 3 of 4'], reason: 'the value that stands for no change has no role' }],
  },
  'src/render/width.ts': {
    graphemes: [{ mutants: ['ObjectLiteral'], reason: '`grapheme` is the default of `Intl.Segmenter`' }],
    narrow: [{ mutants: ['Regex, 2 of 4'], reason: 'only time: among narrow characters graphemes and characters are as many' }],
    widthOf: [
      { mutants: ['ConditionalExpression → false'], reason: 'only time: among narrow characters graphemes and characters are as many' },
    ],
  },
}
