/**
 * File → function → the reasons for its mutants that no test notices. A mutant has the name that `npm run mutation` prints. This command fails if
 * a reason is missing or no longer needed. "Speed only": the result is the same, only later. "Type only": the compiler asks for this code, and it
 * makes no difference for any value that occurs. "The added text" is what StrykerJS puts into an empty list or text: `Stryker was here`.
 */
export type Reasons = Readonly<Record<string, Readonly<Record<string, readonly Reason[]>>>>
type Reason = { readonly mutants: readonly string[]; readonly reason: string }

export const reasons: Reasons = {
  'src/core/dates.ts': {
    nextDateMs: [
      { mutants: ['ConditionalExpression → true, 3 of 5'], reason: 'type only: undefined is not later than any time' },
      { mutants: ['EqualityOperator, 4 of 5'], reason: 'replacing a time by an equal time changes nothing' },
    ],
  },
  'src/core/diff/byKey.ts': {
    byKeyOf: [{ mutants: ['ConditionalExpression → false'], reason: 'speed only: the search finds no duplicates where there are none' }],
  },
  'src/core/diff/diff.ts': {
    diff: [
      {
        mutants: ['ArrayDeclaration → ["Stryker was here"], 2 of 6'],
        reason: 'the added text is a mapping without a group, and no change waits for such a mapping',
      },
      {
        mutants: [
          'EqualityOperator, 2 of 9',
          'ConditionalExpression → false, 2 of 11',
          'ConditionalExpression → false, 3 of 11',
          'StringLiteral, 1 of 4',
          'StringLiteral, 2 of 4',
        ],
        reason: 'speed only: the long way has the same result for a mapping that is already as desired',
      },
      {
        mutants: ['ConditionalExpression → true, 2 of 14'],
        reason: 'speed only: the next line uses the mapping only if a role is desired',
      },
      {
        mutants: ['UpdateOperator'],
        reason: 'speed only: with a wrong count of declared keys, each existing mapping is checked one by one',
      },
      {
        mutants: ['ConditionalExpression → false, 6 of 11'],
        reason: 'speed only: the loop finds nothing undeclared if every key is declared, and it skips a list that is not managed',
      },
    ],
    diffKey: [
      {
        mutants: ['ConditionalExpression → false, 1 of 7', 'UpdateOperator'],
        reason: 'speed only: with a wrong count of declared keys, each existing mapping is checked one by one',
      },
    ],
    diffMapped: [
      {
        mutants: ['ConditionalExpression → true, 8 of 18'],
        reason: 'type only: a mapping without a role compares as `other`, which is neither of the two echoed results',
      },
    ],
  },
  'src/core/diff/draft.ts': {
    keepMapping: [
      {
        mutants: ['ConditionalExpression → true, 1 of 2'],
        reason: 'speed only: a plan that does not list these mappings leaves the list out',
      },
    ],
  },
  'src/core/diff/order.ts': {
    place: [
      {
        mutants: ['StringLiteral → "Stryker was here!"'],
        reason: 'the texts are only compared with each other, and no role has this name',
      },
    ],
    replacements: [
      { mutants: ['OptionalChaining'], reason: 'type only: the place was found through a delete, so its list of deletes exists' },
    ],
  },
  'src/core/diff/pendingReplacements.ts': {
    notePending: [
      {
        mutants: ['ConditionalExpression → true, 2 of 4'],
        reason: 'type only: a text that wants no mapping is never held for a reason that may end without an edit',
      },
      {
        mutants: ['ConditionalExpression → false, 4 of 5'],
        reason: 'type only: any role may give more than a mapping that does not exist',
      },
    ],
  },
  'src/core/diff/renames.ts': {
    noteHeldSuccessor: [{ mutants: ['EqualityOperator, 2 of 3'], reason: 'replacing a key by an equal key changes nothing' }],
    oldKeys: [{ mutants: ['ArrayDeclaration'], reason: 'the added name belongs to no mapping' }],
  },
  'src/core/existing.ts': {
    projectsKnownBy: [
      { mutants: ['ArrayDeclaration → ["Stryker was here"], 1 of 2'], reason: 'no rule names a project called like the added text' },
    ],
    managedMappings: [
      {
        mutants: ['ConditionalExpression → false, 3 of 3'],
        reason: 'speed only: without entries under `unmanaged`, the filter keeps every mapping',
      },
    ],
    isOwnedInPart: [{ mutants: ['ArrayDeclaration'], reason: 'the added text names no list' }],
    settingsDispute: [{ mutants: ['ConditionalExpression → false, 3 of 3'], reason: 'type only: settings in dispute have a place' }],
  },
  'src/core/findings/clocks.ts': {
    differs: [{ mutants: ['EqualityOperator, 6 of 7'], reason: 'a difference of 0 gives no finding' }],
    stepped: [{ mutants: ['EqualityOperator, 4 of 4'], reason: 'a step of 0 gives no finding' }],
  },
  'src/core/findings/missingProjects.ts': {
    missingProjectFindings: [
      {
        mutants: ['ConditionalExpression → true, 2 of 17', 'EqualityOperator, 3 of 14'],
        reason: 'speed only: without an archived project the loop notes nothing',
      },
      { mutants: ['ConditionalExpression → true, 4 of 17'], reason: 'type only: a target that is not a project has no project' },
      { mutants: ['OptionalChaining, 1 of 2'], reason: 'type only: the function has returned already if there is no list' },
    ],
    isTrusted: [{ mutants: ['ArrayDeclaration → ["Stryker was here"]'], reason: 'no rule has the added text as its place' }],
    noteRule: [{ mutants: ['EqualityOperator, 3 of 4'], reason: 'replacing a place by an equal place changes nothing' }],
  },
  'src/core/findings/notices.ts': {
    firstOf: [
      { mutants: ['EqualityOperator, 1 of 2'], reason: 'two rules at one position give the same text, since it shows only the position' },
    ],
    isKnown: [{ mutants: ['ConditionalExpression → true, 2 of 2'], reason: 'type only: no group is called undefined' }],
    renamed: [
      {
        mutants: ['ConditionalExpression → false, 3 of 9', 'StringLiteral → "", 2 of 5'],
        reason: 'type only: an exact name captures nothing, so its rule has a fixed target',
      },
      {
        mutants: ['ConditionalExpression → false, 4 of 9'],
        reason: 'speed only: no group has the id undefined, so the lookup finds nothing',
      },
      { mutants: ['StringLiteral → "Stryker was here!", 2 of 3'], reason: 'type only: a hint without a name has a note' },
    ],
    knownGroups: [
      {
        mutants: ['ConditionalExpression → true, 2 of 8', 'ConditionalExpression → true, 5 of 8'],
        reason: 'type only: the other of the two lines leaves out the patterns',
      },
      {
        mutants: ['ConditionalExpression → true, 3 of 8', 'ConditionalExpression → true, 4 of 8', 'LogicalOperator'],
        reason: 'type only: no group has the id undefined, so the entry is left out a few lines below',
      },
    ],
    commonName: [
      { mutants: ['OptionalChaining, 1 of 2'], reason: 'type only: a text that matches has the captured part, which may be empty' },
    ],
    lastPart: [
      {
        mutants: ['StringLiteral, 1 of 2'],
        reason: 'speed only: the last part of a name without a slash is the name, and the other name is different',
      },
    ],
    remembered: [{ mutants: ['CallExpression'], reason: 'speed only: without the stored result it is computed again' }],
  },
  'src/core/findings/otherWriters.ts': {
    anotherWriterFindings: [
      {
        mutants: ['ArrayDeclaration → ["Stryker was here"], 1 of 4'],
        reason: 'the added text stands for a hold without a change; it was never written, so it cannot have come back',
      },
    ],
    isUndone: [{ mutants: ['OptionalChaining'], reason: 'type only: the times come from the last write to the key, so that write exists' }],
    keyNow: [
      { mutants: ['ArrayDeclaration → ["Stryker was here"]'], reason: 'no mapping has the added text as its id' },
      {
        mutants: ['OptionalChaining, 1 of 2'],
        reason: 'type only: the function is called only for a change that was undone, so its last write exists',
      },
    ],
    foundText: [
      {
        mutants: ["ConditionalExpression → case 'settings':", 'StringLiteral → "", 6 of 7'],
        reason: 'type only: `lastApplied.ts` never counts settings as undone, so this case is never reached',
      },
      {
        mutants: ['StringLiteral → "", 7 of 7'],
        reason: 'type only: `lastApplied.ts` never counts settings as undone, so this case is never reached',
      },
    ],
    foreignTwins: [
      { mutants: ['ConditionalExpression → false'], reason: 'speed only: without writes of its own the program finds no twins' },
      { mutants: ['MethodExpression, 1 of 2'], reason: 'speed only: mappings of other keys are never looked up' },
    ],
    isTwin: [
      {
        mutants: ['ArrayDeclaration, 1 of 2', 'ArrayDeclaration, 2 of 2'],
        reason: 'the added text has no id, and no mapping has it as its id',
      },
    ],
  },
  'src/core/findings/patterns.ts': {
    outsideOf: [
      {
        mutants: ['ConditionalExpression → false, 2 of 6', 'StringLiteral → "", 1 of 3'],
        reason: 'type only: an exact group has no `within`',
      },
      { mutants: ['ConditionalExpression → true, 5 of 5'], reason: 'type only: a captured target is always a project' },
    ],
    globDepthFindings: [{ mutants: ['ConditionalExpression → false, 5 of 8'], reason: 'speed only: without globs the loop finds none' }],
    mayBeExpired: [
      { mutants: ['ConditionalExpression → true, 2 of 3'], reason: 'type only: no time is greater than or equal to undefined' },
    ],
    patternText: [{ mutants: ['ConditionalExpression → true'], reason: 'type only: only the rules of patterns get here' }],
  },
  'src/core/findings/removalNotFelt.ts': {
    removalNotFeltFindings: [{ mutants: ['ArrayDeclaration → ["Stryker was here"], 2 of 6'], reason: 'the added text is no delete' }],
  },
  'src/core/groupSync.ts': {
    differingSettings: [{ mutants: ['ConditionalExpression → true, 3 of 8'], reason: 'type only: no role is called null or undefined' }],
  },
  'src/core/jsonText.ts': {
    jsonIn: [{ mutants: ['BlockStatement, 3 of 3'], reason: 'a function without a return statement returns undefined, too' }],
  },
  'src/core/judge/guards.ts': {
    approvalWhys: [
      {
        mutants: ['ConditionalExpression → true, 2 of 3'],
        reason: 'type only: only a rename has an old name, and no protected group is called undefined',
      },
    ],
    judge: [
      {
        mutants: ['StringLiteral, 3 of 10'],
        reason: 'the name is asked only of a waiver that names a plan, and such a waiver never passes the limits on people',
      },
      { mutants: ['ConditionalExpression → true, 9 of 20'], reason: 'type only: a change without its waiver was held a few lines above' },
    ],
    withHeldMeanwhile: [
      {
        mutants: ['ConditionalExpression → false'],
        reason: 'speed only: the holds of a plan are in the order of their keys already',
      },
    ],
    constructor: [{ mutants: ['ConditionalExpression → true'], reason: 'type only: a list that is undefined counts as absent' }],
  },
  'src/core/judge/limits.ts': {
    passesPeople: [
      {
        mutants: [
          'ConditionalExpression → true, 4 of 7',
          'ConditionalExpression → true, 5 of 7',
          'ConditionalExpression → true, 6 of 7',
          'LogicalOperator, 4 of 4',
        ],
        reason: 'type only: no comparison of a number with undefined is true',
      },
    ],
  },
  'src/core/judge/waivers.ts': {
    rememberedFirst: [{ mutants: ['ArrayDeclaration'], reason: 'no waiver names the added text' }],
    ofCrowd: [
      {
        mutants: [
          'ConditionalExpression → true, 3 of 9',
          'ConditionalExpression → true, 4 of 9',
          'ConditionalExpression → true, 5 of 9',
          'LogicalOperator, 3 of 5',
        ],
        reason: 'type only: a number is never below or equal to undefined, nor undefined to a number',
      },
    ],
    isDescribed: [
      {
        mutants: [
          'ConditionalExpression → false, 3 of 13',
          'ConditionalExpression → false, 4 of 13',
          'StringLiteral, 2 of 6',
          'LogicalOperator, 3 of 8',
          'BooleanLiteral → true',
        ],
        reason: 'type only: `describer` has chosen the words by the key of the change already',
      },
      {
        mutants: [
          'ConditionalExpression → false, 5 of 13',
          'StringLiteral, 4 of 6',
          'ConditionalExpression → false, 6 of 13',
          'StringLiteral, 5 of 6',
          'ConditionalExpression → true, 7 of 14',
        ],
        reason: 'type only: a delete has no role, a create no role before, and only a rename an old group',
      },
    ],
  },
  'src/core/matches.ts': {
    ownedBy: [
      { mutants: ['ArrayDeclaration, 1 of 2'], reason: 'the added text names no list' },
      { mutants: ['ArrayDeclaration, 2 of 2'], reason: 'no target and no group has the added text as its name' },
      {
        mutants: ['ConditionalExpression → true, 2 of 3', 'EqualityOperator, 2 of 2'],
        reason: 'speed only: without keys of fences, no rule is inside a fence',
      },
    ],
    isInside: [
      {
        mutants: ['ConditionalExpression → true, 3 of 3'],
        reason: 'type only: the keys of the list of the workspace have no projects, and those of the other list not the workspace',
      },
    ],
    exactKey: [{ mutants: ['ConditionalExpression → true, 4 of 5'], reason: 'type only: a pattern has no name' }],
  },
  'src/core/memory/confirmed.ts': {
    serviceOfSettings: [
      { mutants: ['BooleanLiteral → false'], reason: 'type only: the map is a set of names, and its values are never read' },
    ],
    unconfirmedAfter: [
      {
        mutants: ['ConditionalExpression → false, 3 of 3'],
        reason: 'speed only: to remove a name that the set does not have leaves the set as it is',
      },
    ],
  },
  'src/core/memory/lastApplied.ts': {
    afterWrite: [
      {
        mutants: ['ConditionalExpression → false, 11 of 12'],
        reason: 'speed only: the filter removes nothing if there is no earlier write',
      },
    ],
    bounded: [
      {
        mutants: ['EqualityOperator, 1 of 4'],
        reason: 'speed only: with a surplus of zero the rest of the function returns a copy of the same list',
      },
    ],
    isEchoed: [
      {
        mutants: ['ConditionalExpression → true, 4 of 5'],
        reason: 'type only: an echoed role is a text or undefined, so it never equals null',
      },
    ],
    reverts: [
      {
        mutants: ['OptionalChaining'],
        reason: 'type only: without a wanted state there is no earlier write, and the condition asks for that one first',
      },
    ],
  },
  'src/core/memory/meantIds.ts': {
    isSameIds: [
      { mutants: ['OptionalChaining, 2 of 2'], reason: 'type only: the size was compared just before, so the texts of the id exist' },
    ],
  },
  'src/core/memory/memory.ts': {
    remember: [{ mutants: ['ConditionalExpression → false'], reason: 'speed only: the copy is equal' }],
    withNewNames: [
      { mutants: ['ConditionalExpression → false, 1 of 2'], reason: 'speed only: without new names, every name is moved to itself' },
      { mutants: ['StringLiteral'], reason: 'type only: a host without slugs has no new names' },
    ],
  },
  'src/core/memory/shardedMap.ts': {
    put: [{ mutants: ['ConditionalExpression → true'], reason: 'speed only: a copy that is in its place is put there again' }],
  },
  'src/core/memory/sharedNames.ts': {
    looksExchanged: [
      { mutants: ['ConditionalExpression → false, 2 of 3'], reason: 'speed only: no known id is in an empty set' },
      { mutants: ['StringLiteral → "Stryker was here!", 1 of 2'], reason: 'no group has the added text as its id' },
    ],
  },
  'src/core/nearest.ts': {
    nearestOf: [
      {
        mutants: ['ConditionalExpression → false, 3 of 10', 'ConditionalExpression → false, 4 of 10'],
        reason:
          'speed only: lengths that differ by more than the limit need more edits than the limit; the exception is a name longer than the service accepts',
      },
      {
        mutants: ['BooleanLiteral'],
        reason: 'without a candidate the result is undefined in both cases, and the first candidate sets the value',
      },
    ],
    isAscii: [{ mutants: ['ArrowFunction'], reason: 'speed only: the long way has the same result for a text that is ASCII' }],
    unequalParts: [
      {
        mutants: ['ConditionalExpression → false', 'EqualityOperator, 1 of 2'],
        reason: 'speed only: a beginning that both texts share needs no edit',
      },
    ],
    distance: [
      {
        mutants: ['MethodExpression, 1 of 5', 'MethodExpression, 2 of 5'],
        reason: 'speed only: the additional cells never give a smaller distance',
      },
      {
        mutants: ['ConditionalExpression → false, 5 of 6'],
        reason: 'speed only: after a row above the limit every later row is above it too, and the last line returns undefined',
      },
    ],
  },
  'src/core/people/peopleEffects.ts': {
    peopleEffects: [
      { mutants: ['ConditionalExpression → true, 3 of 6'], reason: 'undefined replaces undefined' },
      {
        mutants: ['ConditionalExpression → true, 5 of 6', 'StringLiteral, 4 of 4'],
        reason: 'type only: without a ladder there is a `why`, which is asked, too',
      },
      {
        mutants: ['LogicalOperator, 4 of 4', 'ConditionalExpression → true, 6 of 6'],
        reason: 'speed only: a change with a `why` shows no numbers',
      },
    ],
    setRanks: [
      { mutants: ['ArrayDeclaration'], reason: 'type only: roles are compared only if the people of each group are known' },
      { mutants: ['ConditionalExpression → false, 1 of 2'], reason: 'type only: `rankOf` gives the same rank for a role that is null' },
      { mutants: ['EqualityOperator, 2 of 3'], reason: 'an equal rank replaces an equal rank' },
    ],
    clearRanks: [{ mutants: ['ArrayDeclaration'], reason: 'type only: roles are compared only if the people of each group are known' }],
    countOf: [
      {
        mutants: ['ConditionalExpression → false, 2 of 3'],
        reason: 'speed only: the people of a group are there once each, so a set of them has the same people',
      },
      {
        mutants: ['ConditionalExpression → true, 1 of 4'],
        reason: 'type only: only a rename has an old name, and no group is called undefined',
      },
      {
        mutants: ['ArrayDeclaration → ["Stryker was here"], 1 of 2'],
        reason: 'the people of the old group are not known then, so the effect is unknown',
      },
    ],
    note: [
      {
        mutants: ['EqualityOperator, 1 of 9'],
        reason: 'after the last person, both roles of the person undefined are none, and nothing is counted',
      },
      { mutants: ['EqualityOperator, 6 of 9', 'EqualityOperator, 9 of 9'], reason: 'equal ranks were left out a few lines above' },
    ],
  },
  'src/core/people/personRoles.ts': {
    rolesOfPerson: [{ mutants: ['ArrayDeclaration → ["Stryker was here"], 2 of 3'], reason: 'the added text has no role' }],
    rowsAt: [{ mutants: ['ArrayDeclaration'], reason: 'the added text has no role' }],
    targetOrder: [
      { mutants: ['StringLiteral, 3 of 3'], reason: 'the name of a project target begins with a letter, which comes after both digits' },
    ],
    highestOf: [{ mutants: ['EqualityOperator, 6 of 6'], reason: 'two names of one place in `roles.order` are the same role' }],
  },
  'src/core/people/rows.ts': {
    rowsOf: [
      {
        mutants: ['ConditionalExpression → true, 2 of 3'],
        reason: 'type only: a change of settings has no mapping, and no mapping has the id undefined',
      },
    ],
  },
  'src/core/plan.ts': {
    withEffects: [
      { mutants: ['ConditionalExpression → false, 1 of 5'], reason: 'speed only: without effects, every change stays as it is' },
      { mutants: ['ConditionalExpression → true, 4 of 5'], reason: 'type only: an effect that is not known has no `atLeast`' },
    ],
    effectsOf: [
      { mutants: ['ConditionalExpression → false, 2 of 3', 'StringLiteral'], reason: 'type only: settings have no effect on people' },
    ],
    wouldText: [{ mutants: ['StringLiteral'], reason: 'the added text comes before the text of any object, like the empty text' }],
  },
  'src/core/policy.ts': {
    passes: [
      {
        mutants: ["ConditionalExpression → case 'sync':", 'StringLiteral, 6 of 6'],
        reason: 'the next case then returns the name of the policy, which is truthy like true',
      },
    ],
    isDeclaredDelete: [{ mutants: ['ConditionalExpression → true, 2 of 3'], reason: 'type only: only a delete has a `why`' }],
    reasonOf: [{ mutants: ['ConditionalExpression → true, 2 of 3'], reason: 'type only: only a delete has a `why`' }],
  },
  'src/core/quantity.ts': {
    untilText: [
      {
        mutants: ['StringLiteral → "Stryker was here!", 1 of 2', 'StringLiteral → "Stryker was here!", 2 of 2'],
        reason: 'type only: an ISO time always has a day and a time',
      },
    ],
  },
  'src/core/reading.ts': {
    valueIfRead: [
      {
        mutants: ['ConditionalExpression → false', 'StringLiteral'],
        reason: 'type only: a failed reading has no value, so the result is undefined either way',
      },
    ],
    whyIncomplete: [
      {
        mutants: ['ConditionalExpression → false, 2 of 3', 'StringLiteral, 2 of 3'],
        reason: 'type only: a complete reading has no reason to give, so the result is undefined either way',
      },
    ],
  },
  'src/core/resolve/claims.ts': {
    resolveConflict: [
      {
        mutants: ['ConditionalExpression → false, 1 of 8'],
        reason: 'speed only: a single claim settles to its own result, and nearly every key has a single one',
      },
    ],
    withEarlierNames: [
      { mutants: ['ArrayDeclaration → ["Stryker was here"]'], reason: 'the added name belongs to no mapping' },
      { mutants: ['ConditionalExpression → false'], reason: 'an empty list of earlier names counts as none' },
    ],
    resolveEqual: [
      {
        mutants: ['ConditionalExpression → false, 1 of 13'],
        reason: 'speed only: a single claim settles to its own result, and nearly every key has a single one',
      },
      {
        mutants: ['ArrayDeclaration → ["Stryker was here"], 1 of 3', 'ArrayDeclaration → ["Stryker was here"], 2 of 3'],
        reason: 'the added text has no earlier names',
      },
      { mutants: ['ConditionalExpression → true, 12 of 13'], reason: 'type only: only an unknown mapping has `would`' },
    ],
    disputed: [{ mutants: ['ArrayDeclaration'], reason: 'type only: an exact rule inside a fence says what it wants' }],
    ruleResultText: [{ mutants: ['StringLiteral'], reason: 'the texts are only compared with each other' }],
    resultText: [
      {
        mutants: ['ConditionalExpression → true', 'StringLiteral → "Stryker was here!"'],
        reason: 'the texts are only compared with each other, and each of these results still has a text of its own',
      },
    ],
    startOf: [
      {
        mutants: ['ConditionalExpression → true, 3 of 3'],
        reason:
          'claims of rules that start later are never sorted among others; among the others no claim has a start then, and a comparison of undefined counts as equal',
      },
    ],
  },
  'src/core/resolve/collectClaims.ts': {
    collectClaims: [
      {
        mutants: ['ConditionalExpression → true, 5 of 14'],
        reason: 'in one file the two contradict each other, and the declaration is invalid',
      },
      {
        mutants: ['StringLiteral, 6 of 8', 'ConditionalExpression → false, 6 of 9'],
        reason: 'speed only: the same text gives the same project for each group of the rule',
      },
      { mutants: ['ConditionalExpression → false, 9 of 9'], reason: 'speed only: without dates to come, nothing changes at a date' },
    ],
    isHeldBeside: [
      {
        mutants: ['ConditionalExpression → true, 5 of 5'],
        reason: 'in one file the two contradict each other, and the declaration is invalid',
      },
    ],
    fenceOf: [{ mutants: ['ConditionalExpression → false'], reason: 'type only: a field that is undefined counts as absent' }],
    openSkipped: [
      {
        mutants: ['ArrayDeclaration → ["Stryker was here"], 2 of 2', 'ConditionalExpression → true'],
        reason: 'no rule names the project undefined, and none names a project called like the added text',
      },
    ],
    isKnown: [
      {
        mutants: ['OptionalChaining, 1 of 3', 'OptionalChaining, 2 of 3'],
        reason: 'type only: the list is read if a rule names a project, and a complete list has a value',
      },
    ],
  },
  'src/core/resolve/desiredMapping.ts': {
    lackedBy: [
      {
        mutants: ['ArrayDeclaration → ["Stryker was here"]'],
        reason: 'the groups are asked only if each directory was read completely, and each has a value then',
      },
    ],
    desiredFor: [
      {
        mutants: [
          'ConditionalExpression → false, 1 of 24',
          'ConditionalExpression → false, 3 of 24',
          'ConditionalExpression → true, 7 of 29',
        ],
        reason: 'type only: no time is greater than or equal to undefined, and the next lines ask for the time itself',
      },
      {
        mutants: ['StringLiteral → "", 3 of 25', 'StringLiteral → "", 7 of 25'],
        reason: 'type only: the text is compared only with the other two, and every other text differs from both, too',
      },
      {
        mutants: ['OptionalChaining, 1 of 4', 'OptionalChaining, 2 of 4'],
        reason: 'type only: the length was compared just before, so the place exists',
      },
    ],
    projectUnseen: [
      { mutants: ['ConditionalExpression → false, 3 of 4'], reason: 'type only: `resolve` uses the answer only for project targets' },
    ],
    labelsIn: [
      {
        mutants: ['ConditionalExpression → false', 'CallExpression'],
        reason: 'speed only: without the stored result it is computed again',
      },
    ],
  },
  'src/core/resolve/groupIds.ts': {
    newGroupIds: [
      {
        mutants: ['ConditionalExpression → false, 2 of 2'],
        reason: 'speed only: a name whose ids and texts stay the same is left out at the end',
      },
      {
        mutants: ['ConditionalExpression → true, 1 of 3'],
        reason: 'the text of an exact rule is kept for its own name only, which the rule selects',
      },
      {
        mutants: ['ArrayDeclaration → ["Stryker was here"], 1 of 3', 'ArrayDeclaration → ["Stryker was here"], 2 of 3'],
        reason: 'no rule has the added text as its hash',
      },
    ],
    isKept: [{ mutants: ['ConditionalExpression → false, 2 of 3'], reason: 'speed only: an empty set has no text' }],
    splitName: [
      {
        mutants: ['StringLiteral → "Stryker was here!"'],
        reason: 'no directory is called like the added text, and none has the empty name',
      },
    ],
    openMeantIds: [{ mutants: ['CallExpression'], reason: 'speed only: without the stored result it is computed again' }],
    idNow: [{ mutants: ['ArrayDeclaration'], reason: 'the added text has no id' }],
  },
  'src/core/resolve/groups.ts': {
    onlyPlace: [
      { mutants: ['ConditionalExpression → false, 4 of 6'], reason: 'type only: the id is undefined, too, if there is no group' },
    ],
    isExpired: [{ mutants: ['ConditionalExpression → true, 2 of 3'], reason: 'type only: no time is greater than or equal to undefined' }],
    namesIn: [
      {
        mutants: ['ArrayDeclaration → ["Stryker was here"], 1 of 2', 'OptionalChaining'],
        reason: 'type only: the names are asked only of a directory that was read',
      },
    ],
    openNames: [{ mutants: ['CallExpression'], reason: 'speed only: without the stored result it is computed again' }],
    checkGroups: [
      {
        mutants: ['StringLiteral', 'ArrayDeclaration → ["Stryker was here"]'],
        reason: 'type only: each directory with a change has a waiver for all its changes, and each accepted change has a waiver',
      },
    ],
    passOf: [{ mutants: ['StringLiteral'], reason: 'type only: each directory with a change has a waiver for all its changes' }],
  },
  'src/core/resolve/hints.ts': {
    withSuggestions: [
      {
        mutants: ['ConditionalExpression → false, 3 of 3'],
        reason: 'speed only: without a suggestion, an equal result replaces the result',
      },
    ],
    nearProject: [
      {
        mutants: ['ArrayDeclaration'],
        reason:
          'without a list of projects, only a name that no project can have is reported as unknown, and the added text is not similar to such a name',
      },
    ],
    nearGroup: [
      { mutants: ['ConditionalExpression → true, 6 of 8'], reason: 'speed only: ids of different lengths differ in lower case, too' },
      {
        mutants: ['ArrayDeclaration → ["Stryker was here"]'],
        reason: 'type only: a group is reported as unknown only by directories whose reading has a value',
      },
    ],
  },
  'src/core/resolve/lastGroupIds.ts': {
    lastGroupIds: [
      {
        mutants: ['ConditionalExpression → false, 1 of 2', 'StringLiteral → ""'],
        reason: 'type only: a pattern has no name, and no directory has a group without a name',
      },
    ],
  },
  'src/core/resolve/projectTexts.ts': {
    noteChanged: [{ mutants: ['EqualityOperator, 2 of 3'], reason: 'two rules at one position about one change give the same text' }],
    meantElsewhere: [
      { mutants: ['ConditionalExpression → false, 4 of 5'], reason: 'type only: only the reason `projectChanged` has a `called`' },
    ],
    undeclaredIn: [
      {
        mutants: ['ConditionalExpression → true, 1 of 2'],
        reason: 'type only: only a project target has a project, so no other target has one that moved',
      },
    ],
  },
  'src/core/resolve/projects.ts': {
    checkProjects: [{ mutants: ['CallExpression'], reason: 'speed only: without the stored result it is computed again' }],
    newProjectIds: [
      { mutants: ['OptionalChaining, 2 of 2'], reason: 'type only: the function has returned already if there is no reading' },
    ],
    openRemembered: [{ mutants: ['OptionalChaining'], reason: 'type only: the line before sets the value' }],
  },
  'src/core/resolve/resolve.ts': {
    resolve: [
      {
        mutants: ['ConditionalExpression → true, 1 of 6', 'EqualityOperator, 2 of 4'],
        reason: 'speed only: if no project changed, both steps have nothing to do',
      },
    ],
    isThere: [{ mutants: ['OptionalChaining'], reason: 'type only: the function is called only after a complete reading of the projects' }],
    projectsShownByMappings: [
      {
        mutants: ['ArrayDeclaration → ["Stryker was here"], 1 of 2', 'ConditionalExpression → true, 2 of 2'],
        reason: 'no rule names the project undefined, and none names a project called like the added text',
      },
      { mutants: ['ArrayDeclaration → ["Stryker was here"], 2 of 2'], reason: 'no rule names a project called like the added text' },
    ],
    renames: [{ mutants: ['ArrayDeclaration'], reason: 'the added name belongs to no mapping' }],
    isRemovedByOthers: [{ mutants: ['ConditionalExpression → false, 2 of 2'], reason: 'type only: no owner is called undefined' }],
    heldWhileFrozen: [
      { mutants: ['ConditionalExpression → false, 3 of 4'], reason: 'type only: a field that is undefined counts as absent' },
    ],
    frozenAt: [{ mutants: ['ConditionalExpression → true, 3 of 4'], reason: 'type only: keys of the workspace list have no projects' }],
    turnsOf: [
      {
        mutants: ['OptionalChaining, 2 of 3', 'OptionalChaining, 3 of 3'],
        reason: 'type only: a claim with dates also says how it is from a date on',
      },
      {
        mutants: ['ConditionalExpression → true, 2 of 6'],
        reason: 'speed only: where the result is no delete, the claims that decide have no hold in the place of a delete',
      },
      {
        mutants: ['ConditionalExpression → true, 6 of 6', 'StringLiteral, 3 of 3'],
        reason: 'only a removal outdoes a rule that starts; it does so today, and then nothing is left for the date',
      },
    ],
    add: [{ mutants: ['UpdateOperator'], reason: 'speed only: a class that is left without claims has no representative' }],
    replace: [
      {
        mutants: ['LogicalOperator, 1 of 2', 'ConditionalExpression → false, 3 of 3', 'CallExpression, 2 of 3', 'UpdateOperator'],
        reason: 'speed only: a class that is left without claims has no representative',
      },
      {
        mutants: [
          'LogicalOperator, 2 of 2',
          'ConditionalExpression → true, 2 of 5',
          'ConditionalExpression → true, 3 of 5',
          'ConditionalExpression → true, 4 of 5',
        ],
        reason: 'type only: each claim was added before, so it has a class',
      },
    ],
    representatives: [
      { mutants: ['ArrayDeclaration → ["Stryker was here"]'], reason: 'type only: a class without claims was taken away' },
      { mutants: ['ConditionalExpression → true'], reason: 'type only: undefined is none of the claims that are gone' },
    ],
    className: [
      {
        mutants: ['EqualityOperator, 2 of 4', 'EqualityOperator, 4 of 4'],
        reason: 'the names are only compared with each other, and the two values change places in all of them',
      },
      { mutants: ['ArrayDeclaration, 3 of 4'], reason: 'a removal and an expired rule have different weights already' },
    ],
  },
  'src/core/resolve/settle.ts': {
    heldForAnother: [
      {
        mutants: ['ConditionalExpression → true, 2 of 4'],
        reason: 'only exact rules have an earlier name, and the claim of an exact rule is weak only if the rule starts later',
      },
    ],
    deletable: [{ mutants: ['ConditionalExpression → true, 4 of 5'], reason: 'type only: no mapping has the project undefined' }],
    onlyOfChangedProjects: [
      {
        mutants: ['ArrayDeclaration'],
        reason:
          'the added text takes effect only if a rule whose project is unchanged asks for the deletion, and then the deletion stays anyway',
      },
      {
        mutants: ['ConditionalExpression → false, 2 of 3'],
        reason: 'type only: every element is `unknown`, and without elements the second half of the condition is true',
      },
    ],
    mayReplace: [
      {
        mutants: ['ConditionalExpression → true, 2 of 3'],
        reason: 'only exact rules have an earlier name, and the claim of an exact rule is weak only if the rule starts later',
      },
    ],
  },
  'src/core/resolve/textName.ts': {
    nameOf: [
      { mutants: ['ConditionalExpression → false'], reason: 'speed only: the same text gives the same name when it is computed again' },
      { mutants: ['CallExpression'], reason: 'speed only: the same text gives the same name when it is computed again' },
    ],
  },
  'src/core/roles.ts': {
    isAdministrator: [
      { mutants: ['ConditionalExpression → false, 1 of 3'], reason: 'type only: no role is null, so null has no place in the order' },
    ],
    compareRoles: [{ mutants: ['ConditionalExpression → false, 1 of 8'], reason: 'type only: no role is null, so none is equal to it' }],
  },
  'src/core/safeName.ts': {
    unsafeName: [
      {
        mutants: ['ConditionalExpression → true, 2 of 6', 'EqualityOperator, 3 of 8'],
        reason: 'speed only: a name has at most as many characters as code units',
      },
    ],
  },
  'src/cycle/laterSlice.ts': {
    laterSlice: [
      { mutants: ['ArrayDeclaration → ["Stryker was here"], 1 of 4'], reason: 'no change has the added text as its id' },
      { mutants: ['ArrayDeclaration → ["Stryker was here"], 2 of 4'], reason: 'no guard is called like the added text' },
    ],
    limitsOf: [{ mutants: ['ArrayDeclaration → ["Stryker was here"]'], reason: 'no guard is called like the added text' }],
  },
  'src/cycle/matchNames.ts': {
    patternUses: [{ mutants: ['ArrayDeclaration → ["Stryker was here"], 2 of 2'], reason: 'the added text is no pattern' }],
    listOfTarget: [
      {
        mutants: ['ConditionalExpression → false, 3 of 4', 'StringLiteral, 1 of 3'],
        reason: 'type only: `listOf` gives the list of project mappings for everything but the workspace',
      },
    ],
    insideOf: [
      {
        mutants: ['ArrayDeclaration → ["Stryker was here"], 1 of 2'],
        reason: 'the added text counts as a group S, which no directory has',
      },
    ],
    fencedPattern: [
      { mutants: ['ConditionalExpression → false, 3 of 4', 'StringLiteral → ""'], reason: 'type only: an exact group has no `within`' },
    ],
    mayDeclare: [{ mutants: ['ArrayDeclaration → ["Stryker was here"]'], reason: 'no project is called like the added text' }],
  },
  'src/cycle/runTally.ts': {
    tally: [
      { mutants: ['ConditionalExpression → true, 1 of 2'], reason: 'speed only: the sum is computed again' },
      {
        mutants: ['ConditionalExpression → true, 2 of 2', 'EqualityOperator, 4 of 4'],
        reason: 'speed only: without changes in doubt there is none to leave out',
      },
    ],
    dayOf: [{ mutants: ['ArithmeticOperator, 2 of 3'], reason: 'speed only: the sum is computed again at each call' }],
  },
  'src/declaration/compileWaivers.ts': {
    compileWaivers: [{ mutants: ['OptionalChaining'], reason: 'type only: the schema has refused a text that is no time' }],
    wordsOf: [{ mutants: ['ArrayDeclaration'], reason: 'the places of the changes are not used here' }],
    changesOf: [
      {
        mutants: ['ArrayDeclaration → ["Stryker was here"]'],
        reason: 'type only: the schema asks for a group where there are no settings',
      },
    ],
    settingsOf: [
      {
        mutants: ['ConditionalExpression → false, 1 of 4', 'ArrayDeclaration → ["Stryker was here"]'],
        reason: 'type only: a setting that a file does not name is absent, and not undefined',
      },
    ],
  },
  'src/declaration/fence.ts': {
    limitsOf: [
      { mutants: ['OptionalChaining'], reason: 'type only: without fences, no rule is inside one, and nothing asks for its fence' },
    ],
  },
  'src/declaration/insideFence.ts': {
    listsText: [{ mutants: ['StringLiteral → ""'], reason: 'if one of the two lists is outside, at most one is inside' }],
    lengthFaults: [
      {
        mutants: ['OptionalChaining, 1 of 2', 'OptionalChaining, 2 of 2'],
        reason: 'type only: the schema has refused a text that is no time',
      },
    ],
    groupFaults: [
      { mutants: ['ConditionalExpression → false, 1 of 3'], reason: 'speed only: an entry with a pattern has no exact name' },
      { mutants: ['ConditionalExpression → true, 4 of 5'], reason: 'type only: an entry with `group` or `groups` has exact names only' },
      {
        mutants: ['ConditionalExpression → false, 3 of 3', 'ArrayDeclaration → ["Stryker was here"]'],
        reason: 'a place that would be inside a text is the place of the text',
      },
    ],
    matchesName: [{ mutants: ['CallExpression'], reason: 'speed only: without the stored result it is computed again' }],
    projectFaults: [
      {
        mutants: ['ConditionalExpression → false, 2 of 2', 'StringLiteral → "", 2 of 2'],
        reason: 'a place that would be inside a text is the place of the text',
      },
    ],
  },
  'src/declaration/refusedWaivers.ts': {
    faults: [{ mutants: ['ConditionalExpression → false, 12 of 13'], reason: 'type only: the schema asks for `to` beside a group' }],
  },
  'src/directories/ldap/attribute.ts': {
    countValues: [
      { mutants: ['ArrayDeclaration'], reason: 'without a match the first number is missing either way, so the part counts as no answer' },
    ],
    isType: [
      {
        mutants: ['ConditionalExpression → false, 2 of 3', 'ConditionalExpression → true, 2 of 3'],
        reason:
          'speed only: the comparison in lower case alone has the same result, but it runs for several attributes of up to a million groups',
      },
    ],
  },
  'src/directories/ldap/entry.ts': {
    distinct: [{ mutants: ['ConditionalExpression → false'], reason: 'speed only: of a single value the map makes the same list' }],
  },
  'src/directories/ldap/page.ts': {
    countRest: [
      {
        mutants: ['StringLiteral → "Stryker was here!"'],
        reason: 'type only: members are counted only if the settings name their attribute',
      },
      {
        mutants: ['EqualityOperator, 5 of 9'],
        reason: 'speed only: a further part has at least one value, so the members are more than the maximum with it',
      },
      { mutants: ['ObjectLiteral, 2 of 2'], reason: 'undefined is not greater than 0 either, so there is no paging' },
    ],
    done: [{ mutants: ['OptionalChaining, 3 of 3'], reason: 'type only: ldapts always gives a list of controls, which may be empty' }],
    foreignReferences: [{ mutants: ['ArrayDeclaration'], reason: 'the added text is no name of a partition, and undefined is none' }],
    dnOf: [{ mutants: ['StringLiteral'], reason: 'neither the empty text nor the added one is a DN below a partition' }],
  },
  'src/directories/ldap/search.ts': {
    take: [
      {
        mutants: ['ConditionalExpression → true, 6 of 8'],
        reason:
          'memory only: the number of people of such an entry is unknown already, and its members would only take places of the two million that are kept',
      },
    ],
    lookAtMembers: [{ mutants: ['StringLiteral'], reason: 'type only: members are looked at only if the settings name their attribute' }],
    doingOf: [{ mutants: ['StringLiteral → ""'], reason: 'the text is only compared with `open`, and it is another one either way' }],
  },
  'src/directories/transcript.ts': {
    words: [{ mutants: ['Regex, 2 of 2'], reason: 'the empty text becomes a known word; it says nothing about a company' }],
    headerShape: [{ mutants: ['StringLiteral → "Stryker was here!"'], reason: 'type only: each match of the pattern has this group' }],
    openShapes: [
      { mutants: ['StringLiteral → "Stryker was here!", 1 of 3'], reason: 'type only: a text that is split has a first part' },
      {
        mutants: ['StringLiteral → "Stryker was here!", 3 of 3'],
        reason: 'no field of numbers is called like the added text, and none is empty',
      },
    ],
    parsed: [{ mutants: ['BlockStatement, 3 of 3'], reason: 'a function without a return statement returns undefined, too' }],
  },
  'src/http/rateHeaders.ts': {
    reset: [{ mutants: ['ConditionalExpression → true, 2 of 4'], reason: 'type only: undefined is not greater than any number' }],
    httpDate: [
      { mutants: ['StringLiteral → "Stryker was here!"'], reason: 'the added text is no date, and the empty text is none' },
      { mutants: ['ArrayDeclaration'], reason: 'the added text stands in the place of the whole match, which is not used' },
    ],
    itemsOf: [
      {
        mutants: ['StringLiteral → "Stryker was here!", 1 of 2'],
        reason: 'the added text is an item without parameters that no policy names, so it gives no quota',
      },
      {
        mutants: ['StringLiteral → "Stryker was here!", 2 of 2'],
        reason:
          'the default is used only for an item of the header that consists of semicolons alone; the added text has no parameters and is no number, so it gives no quota',
      },
    ],
    numberOf: [
      { mutants: ['StringLiteral'], reason: 'the added text is no number, and the empty text is none' },
      { mutants: ['ArrayDeclaration'], reason: 'the added text stands in the place of the whole match, which is not used' },
    ],
  },
  'src/plane/rate/budget.ts': {
    occupyingAt: [
      { mutants: ['ConditionalExpression → false, 2 of 3'], reason: 'speed only: the other branch returns a copy of the same list' },
    ],
  },
  'src/plane/rate/fairQueue.ts': {
    take: [
      {
        mutants: ['StringLiteral, 2 of 4'],
        reason: '`choose` compares with the other two texts only, so any third text has the same effect',
      },
    ],
    kindOf: [{ mutants: ['EqualityOperator, 7 of 8'], reason: 'the two numbers are never equal, since each request has its own' }],
  },
  'src/plane/rate/permission.ts': {
    permissionOf: [
      { mutants: ['ConditionalExpression → true, 4 of 8'], reason: 'type only: only an open circuit is answered with `refuse`' },
    ],
  },
  'src/plane/write.ts': {
    sendsRole: [
      {
        mutants: ['ConditionalExpression → false, 2 of 3'],
        reason:
          'type only: the second half of the condition is true for a create, which has no role before, and for a patch, which always changes the role',
      },
    ],
    outcomeOfError: [{ mutants: ['ConditionalExpression → true, 10 of 16'], reason: 'type only: undefined is not 300 or more' }],
    outcomeOfStall: [
      { mutants: ['ConditionalExpression → false, 2 of 2'], reason: 'type only: the error for a stall says when the stall ends' },
      { mutants: ['Regex'], reason: 'the sentence of a stall begins with these words, and only their first place is replaced' },
    ],
  },
  'src/render/annotations.ts': {
    data: [{ mutants: ['StringLiteral, 4 of 6'], reason: '`visible` has replaced each carriage return before' }],
  },
  'src/render/approvable.ts': {
    idsIn: [{ mutants: ['ConditionalExpression → true, 7 of 8'], reason: 'type only: a hold for approval has its change' }],
    approvablesOf: [{ mutants: ['StringLiteral → "Stryker was here!"'], reason: 'type only: a text that is split has a first part' }],
    nameOf: [
      {
        mutants: ['ConditionalExpression → true, 2 of 2'],
        reason: 'a hold for another reason has nothing to approve, so the result is empty in both cases',
      },
    ],
    ofPlan: [
      {
        mutants: ['ArrayDeclaration → ["Stryker was here"], 1 of 4'],
        reason: 'the added text has no id, and every refused change has one',
      },
      { mutants: ['OptionalChaining'], reason: 'type only: the two lists have the same length' },
    ],
    floodOf: [
      { mutants: ['ConditionalExpression → false, 3 of 5'], reason: 'no hold for another reason has the `why` creates' },
      { mutants: ['ConditionalExpression → false, 5 of 5'], reason: 'type only: a hold for approval has its change' },
    ],
    ofHold: [
      {
        mutants: [
          'LogicalOperator, 2 of 2',
          'ConditionalExpression → false, 2 of 9',
          'ConditionalExpression → false, 3 of 9',
          'ConditionalExpression → false, 4 of 9',
          'ArrayDeclaration → ["Stryker was here"]',
        ],
        reason: 'type only: `nameOf` gives the id of a change only if its hold is for approval',
      },
    ],
  },
  'src/render/approval.ts': {
    waitingText: [
      {
        mutants: ['ArrayDeclaration → ["Stryker was here"], 2 of 4'],
        reason: 'type only: the change of the settings is the only one without a group, and it has returned already',
      },
    ],
  },
  'src/render/bundle.ts': {
    nameAt: [
      {
        mutants: ["ConditionalExpression → case 'all':", 'StringLiteral → "", 5 of 5', 'StringLiteral → "Stryker was here!"'],
        reason: 'any text that is the same for all has the same effect',
      },
    ],
    folderOf: [
      { mutants: ['StringLiteral → "Stryker was here!"'], reason: 'the added text lies in no folder, and the empty text does not either' },
    ],
    bundleParts: [{ mutants: ['StringLiteral → "Stryker was here!", 1 of 4'], reason: 'type only: a row has at least one group' }],
    rolesText: [{ mutants: ['Regex → /[→=] /'], reason: 'each role begins with the sign, so it is the first one' }],
    placesText: [
      {
        mutants: ['StringLiteral → "Stryker was here!", 1 of 4', 'StringLiteral → "Stryker was here!", 3 of 4'],
        reason: 'type only: if the places differ, there is at least one file',
      },
    ],
  },
  'src/render/change.ts': {
    changeKindOf: [{ mutants: ['ArrayDeclaration'], reason: '`direction` uses the order and the aliases, but not the ordinary roles' }],
  },
  'src/render/entry.ts': {
    withoutPeople: [
      {
        mutants: ['ConditionalExpression → false', 'StringLiteral'],
        reason: 'type only: a change of settings has neither of the two fields',
      },
    ],
    holdParts: [
      {
        mutants: ['ConditionalExpression → true, 4 of 5'],
        reason: 'type only: a reason of another kind has a sentence as its `why`, and not this word',
      },
    ],
    subjectOf: [
      {
        mutants: [
          'ConditionalExpression → true, 3 of 7',
          'LogicalOperator, 1 of 3',
          'ConditionalExpression → true, 5 of 7',
          'LogicalOperator, 2 of 3',
          'ConditionalExpression → true, 7 of 7',
          'LogicalOperator, 3 of 3',
        ],
        reason: 'type only: an entry that has the property also has a value in it',
      },
    ],
    reach: [{ mutants: ['ConditionalExpression → false'], reason: 'type only: an entry that grants a role always has a target' }],
    holdEntry: [
      {
        mutants: ['ConditionalExpression → true, 2 of 4'],
        reason: 'type only: a reason of another kind has a sentence as its `why`, and not this word',
      },
    ],
    textOf: [{ mutants: ['ConditionalExpression → true, 2 of 2'], reason: 'type only: `waitsForDirectory` asks for this reason, too' }],
  },
  'src/render/fold.ts': {
    foldByRule: [
      { mutants: ['ArithmeticOperator'], reason: 'the numbers only tell duplicates apart, and numbers that count down do so as well' },
    ],
  },
  'src/render/groupList.ts': {
    membersText: [{ mutants: ['ConditionalExpression → true, 2 of 3'], reason: 'type only: only a failed reading has a cure' }],
    readingText: [{ mutants: ['ConditionalExpression → true, 3 of 4'], reason: 'type only: only a failed reading has a cure' }],
    expectText: [
      {
        mutants: ['StringLiteral → "Stryker was here!", 1 of 3'],
        reason: 'type only: every incomplete reading says what is missing or why it failed',
      },
    ],
  },
  'src/render/holdApproval.ts': {
    explainPeople: [
      {
        mutants: ['ConditionalExpression → false, 3 of 10', 'StringLiteral → "", 1 of 9'],
        reason: 'type only: a change of settings has neither of the two fields',
      },
      { mutants: ['ConditionalExpression → true, 2 of 8'], reason: 'type only: an effect that is unknown has no numbers' },
    ],
  },
  'src/render/invalidDeclaration.ts': {
    mistakesText: [{ mutants: ['StringLiteral → "Stryker was here!"'], reason: 'type only: a text that is split has a first part' }],
  },
  'src/render/json.ts': {
    holdOf: [{ mutants: ['ConditionalExpression → false, 2 of 5'], reason: 'type only: the time of undefined is undefined' }],
    declarationOf: [{ mutants: ['ConditionalExpression → false'], reason: 'type only: the time of undefined is undefined' }],
    heldWriteDocument: [
      {
        mutants: ['ConditionalExpression → false, 1 of 2', 'ConditionalExpression → false, 2 of 2', 'StringLiteral, 2 of 2'],
        reason: 'the code that runs instead adds only fields without a value, which JSON leaves out',
      },
    ],
  },
  'src/render/lastDocument.ts': {
    lastDocument: [{ mutants: ['ConditionalExpression → false'], reason: 'type only: `isoTime` has no text for undefined either' }],
  },
  'src/render/lastText.ts': {
    shortened: [
      { mutants: ['StringLiteral, 3 of 3'], reason: 'any text before "b" gives the same order' },
      {
        mutants: ['EqualityOperator, 3 of 6', 'EqualityOperator, 5 of 6'],
        reason: 'a row goes one byte earlier; the room has many bytes to spare for the numbers of what is left out',
      },
    ],
  },
  'src/render/markdown.ts': {
    partOf: [{ mutants: ['CallExpression'], reason: 'speed only: without the stored result it is computed again' }],
  },
  'src/render/markdownTable.ts': {
    lineOf: [{ mutants: ['CallExpression'], reason: 'speed only: without the stored result it is computed again' }],
  },
  'src/render/rows.ts': {
    rowOf: [
      {
        mutants: ['ConditionalExpression → false, 1 of 3', 'ConditionalExpression → false, 2 of 3'],
        reason: 'type only: a short text or an end that is undefined counts as none',
      },
    ],
  },
  'src/render/sections.ts': {
    sectionOf: [{ mutants: ['ConditionalExpression → true, 5 of 5'], reason: 'type only: only the reason `groupUnknown` has `mapped`' }],
  },
  'src/render/statusEntries.ts': {
    isProtectedChange: [
      {
        mutants: ['ConditionalExpression → true, 2 of 3', 'StringLiteral'],
        reason: 'type only: a change of settings is never marked as protected',
      },
    ],
    statusSection: [{ mutants: ['ConditionalExpression → true, 4 of 7'], reason: 'type only: a hold that has its change has no `would`' }],
    partsOf: [
      {
        mutants: [
          'ConditionalExpression → false, 4 of 7',
          'ConditionalExpression → false, 5 of 7',
          'ConditionalExpression → false, 6 of 7',
          'StringLiteral → "", 3 of 5',
          'LogicalOperator, 2 of 2',
        ],
        reason: 'type only: only a hold for approval has the `why` people, and a change of settings never waits for it',
      },
    ],
    statusCure: [{ mutants: ['ConditionalExpression → false, 4 of 4'], reason: 'type only: a hold for approval has its change' }],
  },
  'src/render/statusText.ts': {
    aroundLines: [
      {
        mutants: ['ConditionalExpression → false, 5 of 6', 'StringLiteral → "Stryker was here!", 3 of 6'],
        reason: 'an empty text is wrapped into no line',
      },
    ],
  },
  'src/render/table.ts': {
    columnWidths: [{ mutants: ['ArrayDeclaration'], reason: 'without rows no column is used' }],
    layout: [{ mutants: ['OptionalChaining, 1 of 2', 'OptionalChaining, 2 of 2'], reason: 'type only: a row has at least one line' }],
    contentLines: [
      { mutants: ['ArithmeticOperator, 3 of 4'], reason: 'the next line refuses what is too wide' },
      { mutants: ['ConditionalExpression → true, 6 of 8'], reason: 'type only: a row has at least one line' },
      {
        mutants: ['ArrayDeclaration → ["Stryker was here"], 1 of 3'],
        reason: 'with the added text as its columns a row never fits, and the next try is the one without columns',
      },
    ],
    withPlace: [
      {
        mutants: ['StringLiteral → "Stryker was here!", 2 of 3', 'StringLiteral → "Stryker was here!", 3 of 3', 'OptionalChaining'],
        reason: 'type only: a row has at least one line',
      },
    ],
  },
  'src/render/toGo.ts': {
    timeOfCredential: [
      {
        mutants: ['OptionalChaining', 'ConditionalExpression → false, 3 of 5'],
        reason: 'type only: a credential has at least one workspace, and each has a budget',
      },
    ],
  },
  'src/render/totals.ts': { grants: [{ mutants: ['OptionalChaining'], reason: 'type only: a group of entries has at least one entry' }] },
  'src/render/unread.ts': {
    waitsForDirectory: [
      { mutants: ['ConditionalExpression → true, 2 of 4'], reason: 'type only: only the reason `readingIncomplete` has `of`' },
    ],
  },
  'src/render/urgent.ts': {
    isUrgent: [
      {
        mutants: ['ArrayDeclaration → ["Stryker was here"], 3 of 4'],
        reason: 'the added text stands for a hold without a change, so it grants no role',
      },
    ],
  },
  'src/render/waiverYaml.ts': {
    foldChanges: [
      {
        mutants: ['ConditionalExpression → true, 3 of 3', 'ArrayDeclaration → ["Stryker was here"], 3 of 3'],
        reason: 'all changes on another target get the same list of projects, and their entry does not show it',
      },
    ],
    fromGroupOf: [{ mutants: ['ConditionalExpression → true'], reason: 'type only: only a rename has an old group' }],
    sayings: [{ mutants: ['ConditionalExpression → false, 2 of 3'], reason: 'JSON writes null in the same way' }],
    valueText: [{ mutants: ['ConditionalExpression → true, 2 of 2'], reason: 'JSON writes a boolean and null in the same way' }],
    isSayable: [
      {
        mutants: ['ConditionalExpression → false, 2 of 2', 'StringLiteral, 1 of 2'],
        reason: 'the settings before a change are no text, so they are never "none"',
      },
    ],
    rolesOf: [
      {
        mutants: ['ArrayDeclaration → ["Stryker was here"], 1 of 2', 'ArrayDeclaration → ["Stryker was here"], 2 of 2'],
        reason: 'the added text is not "none"',
      },
    ],
    limitEntry: [
      { mutants: ['OptionalChaining, 1 of 2', 'OptionalChaining, 2 of 2'], reason: 'type only: the function is called only with a limit' },
    ],
    changeWords: [{ mutants: ['ArrayDeclaration → ["Stryker was here"]'], reason: 'type only: one change gives one entry' }],
  },
  'src/render/whoText.ts': {
    rowsOf: [
      {
        mutants: [
          'ArrayDeclaration → ["Stryker was here"]',
          'ConditionalExpression → false, 3 of 4',
          'ConditionalExpression → false, 4 of 4',
          'ConditionalExpression → true, 2 of 4',
        ],
        reason: 'type only: each group of rows has at least one',
      },
    ],
    rowOf: [{ mutants: ['StringLiteral → "Stryker was here!", 1 of 2'], reason: 'type only: a list of one place has a first place' }],
    markOf: [
      {
        mutants: [
          'ConditionalExpression → false, 4 of 9',
          'ConditionalExpression → false, 5 of 9',
          'ConditionalExpression → false, 6 of 9',
          'LogicalOperator, 1 of 2',
          'StringLiteral, 1 of 5',
          'StringLiteral, 2 of 5',
        ],
        reason: 'type only: several roles are no role of the order, which has the same mark',
      },
    ],
    isWithin: [{ mutants: ['OptionalChaining'], reason: 'type only: a mapping that gives a role gives a highest role' }],
  },
  'src/render/width.ts': {
    graphemesOf: [{ mutants: ['ObjectLiteral'], reason: '`grapheme` is the default of `Intl.Segmenter`' }],
    narrow: [{ mutants: ['Regex, 2 of 4'], reason: 'speed only: a text of narrow characters has as many graphemes as characters' }],
    widthOf: [
      { mutants: ['ConditionalExpression → false'], reason: 'speed only: a text of narrow characters has as many graphemes as characters' },
    ],
  },
  'src/render/yamlText.ts': {
    flowList: [{ mutants: ['StringLiteral → "Stryker was here!"'], reason: 'type only: a list of one text has a first text' }],
  },
}
