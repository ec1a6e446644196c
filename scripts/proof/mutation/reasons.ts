/**
 * Function → reason → mutators of StrykerJS, and how many of their mutants in this function no test notices for this reason. A function has its path before its name
 * where several files have one of this name. `npm run mutation` fails if these numbers are not those that it measures. "Speed only": the result is the same, only
 * later. "Type only": the compiler asks for this code, and it makes no difference for any value that occurs. "The added text" is what StrykerJS puts into an
 * empty list or text: `Stryker was here`.
 */
export type Reasons = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, number>>>>>>

export const reasons: Reasons = {
  nextDateMs: {
    'type only: undefined is not later than any time': { ConditionalExpression: 1 },
    'replacing a time by an equal time changes nothing': { EqualityOperator: 1 },
  },
  byKeyOf: { 'speed only: the search finds no duplicates where there are none': { ConditionalExpression: 1 } },
  diff: {
    'the added text is a mapping without a group, and no change waits for such a mapping': { ArrayDeclaration: 1 },
    'speed only: the long way has the same result for a mapping that is already as desired': {
      EqualityOperator: 1,
      ConditionalExpression: 2,
      StringLiteral: 2,
    },
    'speed only: the next line uses the mapping only if a role is desired': { ConditionalExpression: 1 },
    'speed only: with a wrong count of declared keys, each existing mapping is checked one by one': { UpdateOperator: 1 },
    'speed only: the loop finds nothing undeclared if every key is declared, and it skips a list that is not managed': {
      ConditionalExpression: 1,
    },
  },
  diffKey: {
    'speed only: with a wrong count of declared keys, each existing mapping is checked one by one': {
      ConditionalExpression: 1,
      UpdateOperator: 1,
    },
  },
  diffMapped: {
    'type only: a mapping without a role compares as `other`, which is neither of the two echoed results': { ConditionalExpression: 1 },
  },
  keepMapping: { 'speed only: a plan that does not list these mappings leaves the list out': { ConditionalExpression: 1 } },
  unknownIds: {
    'of the deletes that dates bring none is undeclared, so no ID is looked up': {
      ArrowFunction: 1,
      ObjectLiteral: 1,
      ArrayDeclaration: 2,
    },
  },
  'src/core/order.ts: place': { 'the texts are only compared with each other, and no role has this name': { StringLiteral: 1 } },
  replacements: { 'type only: the place was found through a delete, so its list of deletes exists': { OptionalChaining: 1 } },
  notePending: {
    'type only: a text that wants no mapping is never held for a reason that may end without an edit': { ConditionalExpression: 1 },
    'type only: any role may give more than a mapping that does not exist': { ConditionalExpression: 1 },
  },
  exceeded: {
    'type only: without a journal no delete happens because a file is gone': { ConditionalExpression: 1 },
    'speed only: of no changes no set is made': { ConditionalExpression: 1 },
  },
  withEnds: { 'type only: only a delete has a `why`': { ConditionalExpression: 1 } },
  limitsOf: { 'no limit is called like the added text': { ArrayDeclaration: 3 } },
  openPeopleOf: { 'no change has the added text as its id': { ArrayDeclaration: 1 } },
  noteHeldSuccessor: { 'replacing a key by an equal key changes nothing': { EqualityOperator: 1 } },
  oldKeys: { 'the added name belongs to no mapping': { ArrayDeclaration: 1 } },
  projectsKnownBy: { 'no rule names a project called like the added text': { ArrayDeclaration: 1 } },
  managedMappings: { 'speed only: without entries under `unmanaged`, the filter keeps every mapping': { ConditionalExpression: 1 } },
  isOwnedInPart: { 'the added text names no list': { ArrayDeclaration: 1 } },
  settingsDispute: { 'type only: settings in dispute have a place': { ConditionalExpression: 1 } },
  differs: { 'a difference of 0 gives no finding': { EqualityOperator: 1 } },
  stepped: { 'a step of 0 gives no finding': { EqualityOperator: 1 } },
  missingProjectFindings: {
    'speed only: without an archived project the loop notes nothing': { ConditionalExpression: 1, EqualityOperator: 1 },
    'type only: a target that is not a project has no project': { ConditionalExpression: 1 },
    'type only: the function has returned already if there is no list': { OptionalChaining: 1 },
  },
  isTrusted: { 'no rule has the added text as its place': { ArrayDeclaration: 1 } },
  noteRule: { 'replacing a place by an equal place changes nothing': { EqualityOperator: 1 } },
  'src/core/findings/notices.ts: firstOf': {
    'two rules at one position give the same text, since it shows only the position': { EqualityOperator: 1 },
  },
  renamedGroups: {
    'type only: an exact name captures nothing, so its rule has a fixed target': { ConditionalExpression: 1, StringLiteral: 1 },
    'speed only: no group has the id undefined, so the lookup finds nothing': { ConditionalExpression: 1 },
    'type only: a hint without a name has a note': { OptionalChaining: 1 },
  },
  singleCure: { 'type only: a hint without a name has a note': { StringLiteral: 1 } },
  knownGroups: {
    'type only: the other of the two lines leaves out the patterns': { ConditionalExpression: 2 },
    'type only: no group has the id undefined, so the entry is left out a few lines below': {
      ConditionalExpression: 2,
      LogicalOperator: 1,
    },
  },
  commonName: { 'type only: a text that matches has the captured part, which may be empty': { OptionalChaining: 1 } },
  lastPart: { 'speed only: the last part of a name without a slash is the name, and the other name is different': { StringLiteral: 1 } },
  byId: { 'speed only: without the stored result it is computed again': { CallExpression: 1 } },
  anotherWriterFindings: {
    'the added text stands for a hold without a change; it was never written, so it cannot have come back': { ArrayDeclaration: 1 },
  },
  isUndone: { 'type only: the times come from the last write to the key, so that write exists': { OptionalChaining: 1 } },
  keyNow: {
    'no mapping has the added text as its id': { ArrayDeclaration: 1 },
    'type only: the function is called only for a change that was undone, so its last write exists': { OptionalChaining: 1 },
  },
  foundText: {
    'type only: `lastApplied.ts` never counts settings as undone, so this case is never reached': {
      ConditionalExpression: 1,
      StringLiteral: 2,
    },
  },
  foreignTwins: {
    'speed only: without writes of its own the program finds no twins': { ConditionalExpression: 1 },
    'speed only: mappings of other keys are never looked up': { MethodExpression: 1 },
  },
  isTwin: { 'the added text has no id, and no mapping has it as its id': { ArrayDeclaration: 2 } },
  outsideOf: {
    'type only: an exact group has no `within`': { ConditionalExpression: 1, StringLiteral: 1 },
    'type only: a captured target is always a project': { ConditionalExpression: 1 },
  },
  globDepthFindings: { 'speed only: without globs the loop finds none': { ConditionalExpression: 1 } },
  mayBeExpired: { 'type only: no time is greater than or equal to undefined': { ConditionalExpression: 1 } },
  'src/core/findings/patterns.ts: patternText': { 'type only: only the rules of patterns get here': { ConditionalExpression: 1 } },
  removalNotFeltFindings: { 'the added text is no delete': { ArrayDeclaration: 1 } },
  differingSettings: { 'type only: no role is called null or undefined': { ConditionalExpression: 1 } },
  jsonIn: { 'a function without a return statement returns undefined, too': { BlockStatement: 1 } },
  approvalWhys: {
    'type only: only a rename has an old name, and no protected group is called undefined': { ConditionalExpression: 1 },
    'a change without a reason to wait and one with an undefined reason are the same to both callers': { ConditionalExpression: 1 },
  },
  'src/core/judge/guards.ts: idsOf': { 'no ID is the added text': { ArrayDeclaration: 1 } },
  idsForTooFew: { 'type only: what waits for its people has an ID': { StringLiteral: 1 } },
  isEnough: { 'type only: no number is below or equal to undefined': { ConditionalExpression: 1 } },
  judgedLater: {
    'no change, set or plan has the added text as its ID': { ArrayDeclaration: 1 },
    'type only: a row whose change is not known waits already': { ArrayDeclaration: 1 },
    'the added text has no time until which it would let something pass': { ArrayDeclaration: 1 },
    'speed only: a date on which nothing waits is judged a second time': { ConditionalExpression: 1 },
  },
  forFewerPeople: { 'no words describe the added text': { ArrayDeclaration: 2 } },
  statesOf: { 'the next case returns the same state: a create replaces no role': { ConditionalExpression: 1 } },
  judge: {
    'type only: a change without its waiver was held a few lines above': { ConditionalExpression: 1 },
    'no change has the added text as its ID': { ArrayDeclaration: 1 },
  },
  'src/core/judge/guards.ts: constructor': { 'type only: a list that is undefined counts as absent': { ConditionalExpression: 1 } },
  isForPeople: { 'type only: only a limit on sets has a name': { ConditionalExpression: 1 } },
  ownedBy: {
    'the added text names no list': { ArrayDeclaration: 1 },
    'no target and no group has the added text as its name': { ArrayDeclaration: 1 },
    'speed only: without keys of fences, no rule is inside a fence': { ConditionalExpression: 1, EqualityOperator: 1 },
  },
  isKeyIn: {
    'type only: the keys of the list of the workspace have no projects, and those of the other list not the workspace': {
      ConditionalExpression: 1,
    },
  },
  exactKey: { 'type only: a pattern has no name': { ConditionalExpression: 1 } },
  serviceOfSettings: { 'type only: the map is a set of names, and its values are never read': { BooleanLiteral: 1 } },
  declaredOwnership: {
    'speed only: the long way has the same result for a mapping that is ours': { ConditionalExpression: 1, StringLiteral: 1 },
    'type only: a mapping of which nothing is known has returned already, or is named': { OptionalChaining: 1 },
  },
  isWaitingEnd: { 'type only: only a role is written or not': { ConditionalExpression: 1 } },
  endAfter: { 'type only: only a role has an end to come': { ConditionalExpression: 1 } },
  namedSince: { 'type only: only what is named has this time': { ConditionalExpression: 1 } },
  withOwnership: { 'speed only: what stays known is put in again': { MethodExpression: 1, ConditionalExpression: 1 } },
  unconfirmedAfter: { 'speed only: to remove a name that the set does not have leaves the set as it is': { ConditionalExpression: 1 } },
  afterWrite: { 'speed only: the filter removes nothing if there is no earlier write': { ConditionalExpression: 1 } },
  bounded: { 'speed only: with a surplus of zero the rest of the function returns a copy of the same list': { EqualityOperator: 1 } },
  isEchoed: { 'type only: an echoed role is a text or undefined, so it never equals null': { ConditionalExpression: 1 } },
  reverts: {
    'type only: without a wanted state there is no earlier write, and the condition asks for that one first': { OptionalChaining: 1 },
  },
  isSameIds: { 'type only: the size was compared just before, so the texts of the id exist': { OptionalChaining: 1 } },
  remember: { 'speed only: the copy is equal': { ConditionalExpression: 1 } },
  withNewNames: {
    'type only: a host without slugs has no new names': { StringLiteral: 1 },
  },
  put: { 'speed only: a copy that is in its place is put there again': { ConditionalExpression: 1 } },
  looksExchanged: {
    'speed only: no known id is in an empty set': { ConditionalExpression: 1 },
    'no group has the added text as its id': { StringLiteral: 1 },
  },
  nearestOf: {
    'speed only: lengths that differ by more than the limit need more edits than the limit; the exception is a name longer than the service accepts':
      { ConditionalExpression: 2 },
    'without a candidate the result is undefined in both cases, and the first candidate sets the value': { BooleanLiteral: 1 },
  },
  isAscii: { 'speed only: the long way has the same result for a text that is ASCII': { ArrowFunction: 1 } },
  unequalParts: { 'speed only: a beginning that both texts share needs no edit': { ConditionalExpression: 1, EqualityOperator: 1 } },
  distance: {
    'speed only: the additional cells never give a smaller distance': { MethodExpression: 2 },
    'speed only: after a row above the limit every later row is above it too, and the last line returns undefined': {
      ConditionalExpression: 1,
    },
  },
  peopleEffects: {
    'undefined replaces undefined': { ConditionalExpression: 1 },
    'type only: without a ladder there is a `why`, which is asked, too': { ConditionalExpression: 1, StringLiteral: 1 },
    'speed only: a change with a `why` shows no numbers': { LogicalOperator: 1, ConditionalExpression: 1 },
  },
  'src/core/people/counted.ts: countOf': {
    'speed only: the people of a group are there once each, so a set of them has the same people': { ConditionalExpression: 1 },
    'type only: only a rename has an old name, and no group is called undefined': { ConditionalExpression: 1 },
    'the people of the old group are not known then, so the effect is unknown': { ArrayDeclaration: 1 },
  },
  notePeople: {
    'after the last person, both roles of the person undefined are none, and nothing is counted': { EqualityOperator: 1 },
    'equal ranks were left out a few lines above': { EqualityOperator: 2 },
  },
  rolesOfPerson: { 'the added text has no role': { ArrayDeclaration: 1 } },
  'src/core/people/personRoles.ts: rowsAt': { 'the added text has no role': { ArrayDeclaration: 1 } },
  targetOrder: { 'the name of a project target begins with a letter, which comes after both digits': { StringLiteral: 1 } },
  highestOf: { 'two names of one place in `roles.order` are the same role': { EqualityOperator: 1 } },
  'src/core/people/rows.ts: rowsOf': {
    'type only: a change of settings has no mapping, and no mapping has the id undefined': { ConditionalExpression: 1 },
  },
  wouldText: { 'the added text comes before the text of any object, like the empty text': { StringLiteral: 1 } },
  passes: {
    'the next case then returns the name of the policy, which is truthy like true': { ConditionalExpression: 1, StringLiteral: 1 },
  },
  isDeclaredDelete: { 'type only: only a delete has a `why`': { ConditionalExpression: 1 } },
  'src/core/policy.ts: reasonOf': { 'type only: only a delete has a `why`': { ConditionalExpression: 1 } },
  untilText: { 'type only: an ISO time always has a day and a time': { StringLiteral: 2 } },
  valueIfRead: {
    'type only: a failed reading has no value, so the result is undefined either way': { ConditionalExpression: 1, StringLiteral: 1 },
  },
  whyIncomplete: {
    'type only: a complete reading has no reason to give, so the result is undefined either way': {
      ConditionalExpression: 1,
      StringLiteral: 1,
    },
  },
  resolveConflict: {
    'speed only: a single claim settles to its own result, and nearly every key has a single one': { ConditionalExpression: 1 },
  },
  withEarlierNames: {
    'the added name belongs to no mapping': { ArrayDeclaration: 1 },
    'an empty list of earlier names counts as none': { ConditionalExpression: 1 },
  },
  resolveEqual: {
    'speed only: a single claim settles to its own result, and nearly every key has a single one': { ConditionalExpression: 1 },
    'the added text has no earlier names': { ArrayDeclaration: 2 },
    'type only: only an unknown mapping has `would`': { ConditionalExpression: 1 },
  },
  disputed: { 'type only: an exact rule inside a fence says what it wants': { ArrayDeclaration: 1 } },
  ruleResultText: { 'the texts are only compared with each other': { StringLiteral: 1 } },
  'src/core/resolve/claims.ts: resultText': {
    'the texts are only compared with each other, and each of these results still has a text of its own': {
      ConditionalExpression: 1,
      StringLiteral: 1,
    },
  },
  startOf: {
    'claims of rules that start later are never sorted among others; among the others no claim has a start then, and a comparison of undefined counts as equal':
      { ConditionalExpression: 1 },
  },
  collectClaims: {
    'in one file the two contradict each other, and the declaration is invalid': { ConditionalExpression: 1 },
    'speed only: the same text gives the same project for each group of the rule': { StringLiteral: 1, ConditionalExpression: 1 },
    'speed only: without dates to come, nothing changes at a date': { ConditionalExpression: 1 },
  },
  isHeldBeside: { 'in one file the two contradict each other, and the declaration is invalid': { ConditionalExpression: 1 } },
  'src/core/resolve/collectClaims.ts: fenceOf': { 'type only: a field that is undefined counts as absent': { ConditionalExpression: 1 } },
  openSkipped: {
    'no rule names the project undefined, and none names a project called like the added text': {
      ArrayDeclaration: 1,
      ConditionalExpression: 1,
    },
  },
  'src/core/resolve/collectClaims.ts: isKnown': {
    'type only: the list is read if a rule names a project, and a complete list has a value': { OptionalChaining: 2 },
  },
  directoriesWithout: {
    'the groups are asked only if each directory was read completely, and each has a value then': { ArrayDeclaration: 1 },
  },
  desiredFor: {
    'type only: no time is greater than or equal to undefined, and the next lines ask for the time itself': { ConditionalExpression: 3 },
    'type only: the text is compared only with the other two, and every other text differs from both, too': { StringLiteral: 2 },
    'type only: the length was compared just before, so the place exists': { OptionalChaining: 2 },
  },
  projectUnseen: { 'type only: `resolve` uses the answer only for project targets': { ConditionalExpression: 1 } },
  labelsIn: { 'speed only: without the stored result it is computed again': { ConditionalExpression: 1, CallExpression: 1 } },
  newGroupIds: {
    'speed only: a name whose ids and texts stay the same is left out at the end': { ConditionalExpression: 1 },
    'the text of an exact rule is kept for its own name only, which the rule selects': { ConditionalExpression: 1 },
    'no rule has the added text as its hash': { ArrayDeclaration: 2 },
  },
  'src/core/resolve/groupIds.ts: isKept': { 'speed only: an empty set has no text': { ConditionalExpression: 1 } },
  splitName: { 'no directory is called like the added text, and none has the empty name': { StringLiteral: 1 } },
  openMeantIds: { 'speed only: without the stored result it is computed again': { CallExpression: 1 } },
  idNow: { 'the added text has no id': { ArrayDeclaration: 1 } },
  onlyPlace: { 'type only: the id is undefined, too, if there is no group': { ConditionalExpression: 1 } },
  isExpired: { 'type only: no time is greater than or equal to undefined': { ConditionalExpression: 1 } },
  'src/core/resolve/groups.ts: namesIn': {
    'type only: the names are asked only of a directory that was read': { ArrayDeclaration: 1, OptionalChaining: 1 },
  },
  'src/core/resolve/groups.ts: openNames': { 'speed only: without the stored result it is computed again': { CallExpression: 1 } },
  checkGroups: {
    'type only: each directory with a change has a waiver for all its changes, and each accepted change has a waiver': {
      StringLiteral: 1,
      ArrayDeclaration: 1,
    },
  },
  'src/core/resolve/groups.ts: passOf': {
    'type only: each directory with a change has a waiver for all its changes': { StringLiteral: 1 },
  },
  withSuggestions: { 'speed only: without a suggestion, an equal result replaces the result': { ConditionalExpression: 1 } },
  lastGroupIds: {
    'type only: a pattern has no name, and no directory has a group without a name': { ConditionalExpression: 1, StringLiteral: 1 },
  },
  noteChanged: { 'two rules at one position about one change give the same text': { EqualityOperator: 1 } },
  meantElsewhere: { 'type only: only the reason `projectChanged` has a `called`': { ConditionalExpression: 1 } },
  undeclaredIn: { 'type only: only a project target has a project, so no other target has one that moved': { ConditionalExpression: 1 } },
  checkProjects: { 'speed only: without the stored result it is computed again': { CallExpression: 1 } },
  newProjectIds: { 'type only: the function has returned already if there is no reading': { OptionalChaining: 1 } },
  openRemembered: { 'type only: the line before sets the value': { OptionalChaining: 1 } },
  resolve: {
    'speed only: if no project changed, both steps have nothing to do': { ConditionalExpression: 1, EqualityOperator: 1 },
    'speed only: without frozen files none of them corrects a key': { ConditionalExpression: 1 },
    'the added text names no list': { ArrayDeclaration: 1 },
  },
  isOwned: { 'this program has not made the added text': { ArrayDeclaration: 1 } },
  groupIdsIn: { 'the added text has no ID, and is none': { ArrayDeclaration: 2 } },
  isThere: { 'type only: the function is called only after a complete reading of the projects': { OptionalChaining: 1 } },
  projectsShownByMappings: {
    'no rule names the project undefined, and none names a project called like the added text': {
      ArrayDeclaration: 1,
      ConditionalExpression: 1,
    },
    'no rule names a project called like the added text': { ArrayDeclaration: 1 },
  },
  renames: { 'the added name belongs to no mapping': { ArrayDeclaration: 1 } },
  isRemovedByOthers: { 'type only: no owner is called undefined': { ConditionalExpression: 1 } },
  turnsOf: {
    'type only: a claim with dates also says how it is from a date on': { OptionalChaining: 2 },
    'speed only: where the result is no delete, the claims that decide have no hold in the place of a delete': { ConditionalExpression: 1 },
    'only a removal outdoes a rule that starts; it does so today, and then nothing is left for the date': {
      ConditionalExpression: 1,
      StringLiteral: 1,
    },
  },
  'src/core/resolve/resolve.ts: add': { 'speed only: a class that is left without claims has no representative': { UpdateOperator: 1 } },
  'src/core/resolve/resolve.ts: replace': {
    'speed only: a class that is left without claims has no representative': {
      LogicalOperator: 1,
      ConditionalExpression: 1,
      CallExpression: 1,
      UpdateOperator: 1,
    },
    'type only: each claim was added before, so it has a class': { LogicalOperator: 1, ConditionalExpression: 3 },
  },
  representatives: {
    'type only: a class without claims was taken away': { ArrayDeclaration: 1 },
    'type only: undefined is none of the claims that are gone': { ConditionalExpression: 1 },
  },
  className: {
    'the names are only compared with each other, and the two values change places in all of them': { EqualityOperator: 2 },
    'a removal and an expired rule have different weights already': { ArrayDeclaration: 1 },
  },
  heldForAnother: {
    'only exact rules have an earlier name, and the claim of an exact rule is weak only if the rule starts later': {
      ConditionalExpression: 1,
    },
  },
  deletable: { 'type only: no mapping has the project undefined': { ConditionalExpression: 1 } },
  onlyOfChangedProjects: {
    'the added text takes effect only if a rule whose project is unchanged asks for the deletion, and then the deletion stays anyway': {
      ArrayDeclaration: 1,
    },
    'type only: every element is `unknown`, and without elements the second half of the condition is true': { ConditionalExpression: 1 },
  },
  mayReplace: {
    'only exact rules have an earlier name, and the claim of an exact rule is weak only if the rule starts later': {
      ConditionalExpression: 1,
    },
  },
  'src/core/resolve/textName.ts: nameOf': {
    'speed only: the same text gives the same name when it is computed again': { ConditionalExpression: 1, CallExpression: 1 },
  },
  isAdministrator: { 'type only: no role is null, so null has no place in the order': { ConditionalExpression: 1 } },
  'src/core/roles.ts: compareRoles': { 'type only: no role is null, so none is equal to it': { ConditionalExpression: 1 } },
  unsafeName: { 'speed only: a name has at most as many characters as code units': { ConditionalExpression: 1, EqualityOperator: 1 } },
  laterSlice: {
    'no change has the added text as its id': { ArrayDeclaration: 1 },
    'no guard is called like the added text': { ArrayDeclaration: 1 },
  },
  openRunTally: { 'the first call computes the sum anew': { ArrayDeclaration: 1 } },
  'src/cycle/ownership.ts: of': { 'type only: only a delete has a `why`': { ConditionalExpression: 1 } },
  sameRole: { 'type only: no role is null, so the service shows none for it': { ConditionalExpression: 1 } },
  declaredIn: { 'the added text is no delete': { ArrayDeclaration: 1 } },
  tally: { 'speed only: the sum is computed again': { ConditionalExpression: 1 } },
  dayOf: { 'speed only: the sum is computed again at each call': { ArithmeticOperator: 1 } },
  compileWaivers: { 'type only: the schema has refused a text that is no time': { OptionalChaining: 1 } },
  'src/declaration/compileWaivers.ts: wordsOf': { 'the places of the changes are not used here': { ArrayDeclaration: 1 } },
  'src/declaration/compileWaivers.ts: changesOf': {
    'type only: the schema asks for a group where there are no settings': { ArrayDeclaration: 1 },
  },
  settingsOf: {
    'type only: a setting that a file does not name is absent, and not undefined': { ConditionalExpression: 1, ArrayDeclaration: 1 },
  },
  listsText: { 'if one of the two lists is outside, at most one is inside': { StringLiteral: 1 } },
  groupFaults: {
    'speed only: an entry with a pattern has no exact name': { ConditionalExpression: 1 },
    'type only: an entry with `group` or `groups` has exact names only': { ConditionalExpression: 1 },
    'a place that would be inside a text is the place of the text': { ConditionalExpression: 1, ArrayDeclaration: 1 },
  },
  matchesName: { 'speed only: without the stored result it is computed again': { CallExpression: 1 } },
  projectFaults: { 'a place that would be inside a text is the place of the text': { ConditionalExpression: 1, StringLiteral: 1 } },
  countValues: { 'without a match the first number is missing either way, so the part counts as no answer': { ArrayDeclaration: 1 } },
  isType: {
    'speed only: the comparison in lower case alone has the same result, but it runs for several attributes of up to a million groups': {
      ConditionalExpression: 2,
    },
  },
  'src/directories/ldap/entry.ts: distinct': { 'speed only: of a single value the map makes the same list': { ConditionalExpression: 1 } },
  countRest: {
    'type only: members are counted only if the settings name their attribute': { StringLiteral: 1 },
    'speed only: a further part has at least one value, so the members are more than the maximum with it': { EqualityOperator: 1 },
    'undefined is not greater than 0 either, so there is no paging': { ObjectLiteral: 1 },
  },
  'src/directories/ldap/page.ts: done': {
    'type only: ldapts always gives a list of controls, which may be empty': { OptionalChaining: 1 },
  },
  foreignReferences: { 'the added text is no name of a partition, and undefined is none': { ArrayDeclaration: 1 } },
  dnOf: { 'neither the empty text nor the added one is a DN below a partition': { StringLiteral: 1 } },
  'src/directories/ldap/search.ts: take': {
    'memory only: the number of people of such an entry is unknown already, and its members would only take places of the two million that are kept':
      { ConditionalExpression: 1 },
  },
  doingOf: { 'the text is only compared with `open`, and it is another one either way': { StringLiteral: 1 } },
  'src/directories/transcript.ts: words': { 'the empty text becomes a known word; it says nothing about a company': { Regex: 1 } },
  headerShape: { 'type only: each match of the pattern has this group': { StringLiteral: 1 } },
  openShapes: {
    'type only: a text that is split has a first part': { StringLiteral: 1 },
    'no field of numbers is called like the added text, and none is empty': { StringLiteral: 1 },
  },
  parsed: { 'a function without a return statement returns undefined, too': { BlockStatement: 1 } },
  reset: { 'type only: undefined is not greater than any number': { ConditionalExpression: 1 } },
  httpDate: {
    'the added text is no date, and the empty text is none': { StringLiteral: 1 },
    'the added text stands in the place of the whole match, which is not used': { ArrayDeclaration: 1 },
  },
  itemsOf: {
    'the added text is an item without parameters that no policy names, so it gives no quota': { StringLiteral: 1 },
    'the default is used only for an item of the header that consists of semicolons alone; the added text has no parameters and is no number, so it gives no quota':
      { StringLiteral: 1 },
  },
  'src/http/rateHeaders.ts: numberOf': {
    'the added text is no number, and the empty text is none': { StringLiteral: 1 },
    'the added text stands in the place of the whole match, which is not used': { ArrayDeclaration: 1 },
  },
  occupyingAt: { 'speed only: the other branch returns a copy of the same list': { ConditionalExpression: 1 } },
  'src/plane/rate/fairQueue.ts: take': {
    '`choose` compares with the other two texts only, so any third text has the same effect': { StringLiteral: 1 },
  },
  kindOf: { 'the two numbers are never equal, since each request has its own': { EqualityOperator: 1 } },
  permissionOf: { 'type only: only an open circuit is answered with `refuse`': { ConditionalExpression: 1 } },
  sendsRole: {
    'type only: the second half of the condition is true for a create, which has no role before, and for a patch, which always changes the role':
      { ConditionalExpression: 1 },
  },
  outcomeOfError: { 'type only: undefined is not 300 or more': { ConditionalExpression: 1 } },
  outcomeOfStall: {
    'type only: the error for a stall says when the stall ends': { ConditionalExpression: 1 },
    'the sentence of a stall begins with these words, and only their first place is replaced': { Regex: 1 },
  },
  data: { '`visible` has replaced each carriage return before': { StringLiteral: 1 } },
  idsIn: { 'type only: a hold for approval has its change': { ConditionalExpression: 1 } },
  approvablesOf: { 'type only: a text that is split has a first part': { StringLiteral: 1 } },
  'src/render/approvable.ts: nameOf': {
    'a hold for another reason has nothing to approve, so the result is empty in both cases': { ConditionalExpression: 1 },
  },
  ofHold: {
    'type only: `nameOf` gives the id of a change only if its hold is for approval': {
      LogicalOperator: 1,
      ConditionalExpression: 3,
      ArrayDeclaration: 1,
    },
  },
  waitingText: {
    'type only: the change of the settings is the only one without a group, and it has returned already': { ArrayDeclaration: 1 },
  },
  nameAt: { 'any text that is the same for all has the same effect': { ConditionalExpression: 1, StringLiteral: 2 } },
  folderOf: { 'the added text lies in no folder, and the empty text does not either': { StringLiteral: 1 } },
  bundleParts: { 'type only: a row has at least one group': { StringLiteral: 1 } },
  rolesText: { 'each role begins with the sign, so it is the first one': { Regex: 1 } },
  placesText: { 'type only: if the places differ, there is at least one file': { StringLiteral: 2 } },
  changeKindOf: { '`direction` uses the order and the aliases, but not the ordinary roles': { ArrayDeclaration: 1 } },
  withoutPeople: { 'type only: a change of settings has neither of the two fields': { ConditionalExpression: 1, StringLiteral: 1 } },
  holdParts: { 'type only: a reason of another kind has a sentence as its `why`, and not this word': { ConditionalExpression: 1 } },
  subjectOf: { 'type only: an entry that has the property also has a value in it': { ConditionalExpression: 3, LogicalOperator: 3 } },
  reach: { 'type only: an entry that grants a role always has a target': { ConditionalExpression: 1 } },
  holdEntry: { 'type only: a reason of another kind has a sentence as its `why`, and not this word': { ConditionalExpression: 1 } },
  'src/render/entry.ts: textOf': { 'type only: `waitsForDirectory` asks for this reason, too': { ConditionalExpression: 1 } },
  foldByRule: { 'the numbers only tell duplicates apart, and numbers that count down do so as well': { ArithmeticOperator: 1 } },
  membersText: { 'type only: only a failed reading has a cure': { ConditionalExpression: 1 } },
  readingText: { 'type only: only a failed reading has a cure': { ConditionalExpression: 1 } },
  expectText: { 'type only: every incomplete reading says what is missing or why it failed': { StringLiteral: 1 } },
  explainPeople: {
    'type only: a change of settings has neither of the two fields': { ConditionalExpression: 1, StringLiteral: 1 },
    'type only: an effect that is unknown has no numbers': { ConditionalExpression: 1 },
  },
  mistakesText: { 'type only: a text that is split has a first part': { StringLiteral: 1 } },
  holdOf: { 'type only: the time of undefined is undefined': { ConditionalExpression: 1 } },
  declarationOf: { 'type only: the time of undefined is undefined': { ConditionalExpression: 1 } },
  heldWriteDocument: {
    'the code that runs instead adds only fields without a value, which JSON leaves out': { ConditionalExpression: 2, StringLiteral: 1 },
  },
  lastDocument: { 'type only: `isoTime` has no text for undefined either': { ConditionalExpression: 1 } },
  shortened: {
    'any text before "b" gives the same order': { StringLiteral: 1 },
    'a row goes one byte earlier; the room has many bytes to spare for the numbers of what is left out': { EqualityOperator: 2 },
  },
  'src/render/markdown.ts: partOf': { 'speed only: without the stored result it is computed again': { CallExpression: 1 } },
  drawnOf: { 'speed only: without the stored result it is computed again': { CallExpression: 1 } },
  'src/render/rows.ts: rowOf': { 'type only: a short text or an end that is undefined counts as none': { ConditionalExpression: 2 } },
  sectionOf: { 'type only: only the reason `groupUnknown` has `mapped`': { ConditionalExpression: 1 } },
  isProtectedChange: { 'type only: a change of settings is never marked as protected': { ConditionalExpression: 1, StringLiteral: 1 } },
  statusCure: { 'type only: a hold for approval has its change': { ConditionalExpression: 1 } },
  aroundLines: { 'an empty text is wrapped into no line': { ConditionalExpression: 1, StringLiteral: 1 } },
  columnWidths: { 'without rows no column is used': { ArrayDeclaration: 1 } },
  layout: { 'type only: a row has at least one line': { OptionalChaining: 2 } },
  contentLines: {
    'the next line refuses what is too wide': { ArithmeticOperator: 1 },
    'type only: a row has at least one line': { ConditionalExpression: 1 },
    'with the added text as its columns a row never fits, and the next try is the one without columns': { ArrayDeclaration: 1 },
  },
  withPlace: { 'type only: a row has at least one line': { StringLiteral: 2, OptionalChaining: 1 } },
  timeOfCredential: {
    'type only: a credential has at least one workspace, and each has a budget': { OptionalChaining: 1, ConditionalExpression: 1 },
  },
  waitsForDirectory: { 'type only: only the reason `readingIncomplete` has `of`': { ConditionalExpression: 1 } },
  isUrgent: { 'the added text stands for a hold without a change, so it grants no role': { ArrayDeclaration: 1 } },
  foldChanges: {
    'all changes on another target get the same list of projects, and their entry does not show it': {
      ConditionalExpression: 1,
      ArrayDeclaration: 1,
    },
  },
  fromGroupOf: { 'type only: only a rename has an old group': { ConditionalExpression: 1 } },
  sayings: { 'JSON writes null in the same way': { ConditionalExpression: 1 } },
  'src/render/waiverYaml.ts: valueText': { 'JSON writes a boolean and null in the same way': { ConditionalExpression: 1 } },
  isSayable: { 'the settings before a change are no text, so they are never "none"': { ConditionalExpression: 1, StringLiteral: 1 } },
  'src/render/waiverYaml.ts: rolesOf': { 'the added text is not "none"': { ArrayDeclaration: 2 } },
  changeWords: { 'type only: one change gives one entry': { ArrayDeclaration: 1 } },
  'src/render/whoText.ts: rowsOf': { 'type only: each group of rows has at least one': { ArrayDeclaration: 1, ConditionalExpression: 3 } },
  'src/render/whoText.ts: rowOf': { 'type only: a list of one place has a first place': { StringLiteral: 1 } },
  markOf: {
    'type only: several roles are no role of the order, which has the same mark': {
      ConditionalExpression: 3,
      LogicalOperator: 1,
      StringLiteral: 2,
    },
  },
  isWithin: { 'type only: a mapping that gives a role gives a highest role': { OptionalChaining: 1 } },
  graphemesOf: { '`grapheme` is the default of `Intl.Segmenter`': { ObjectLiteral: 1 } },
  narrow: { 'speed only: a text of narrow characters has as many graphemes as characters': { Regex: 1 } },
  widthOf: { 'speed only: a text of narrow characters has as many graphemes as characters': { ConditionalExpression: 1 } },
  flowList: { 'type only: a list of one text has a first text': { StringLiteral: 1 } },
}
