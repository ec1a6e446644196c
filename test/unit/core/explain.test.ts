import { describe, expect, test } from 'vitest'
import { type ExplainInput, type Explanation, explainKey } from '../../../src/core/explain/explanation.ts'
import { originOf } from '../../../src/core/explain/origin.ts'
import { outcomeAt } from '../../../src/core/explain/outcome.ts'
import { type GroupName, type Key, listOf, type Mapping, type ProjectIdentifier, type WorkspaceName } from '../../../src/core/mapping.ts'
import type { Ownership } from '../../../src/core/memory/ownership.ts'
import { emptyShardedMap, emptySmallMap, put, shardedMapOf } from '../../../src/core/memory/shardedMap.ts'
import { nothingDeclared, type Rule } from '../../../src/core/rule.ts'
import { patternFits } from '../../../src/cycle/patternFits.ts'
import { patternOf } from '../../../src/declaration/pattern.ts'
import { answerText, claimText, nearRuleText, whyNotText } from '../../../src/render/explainSentence.ts'
import { acme, complete, desiredIn, failed, mapping, matchesIn, planIn, rule, type SmallWorld, seenOf, target } from './smallWorld.ts'

const at = (line: number, file = 'groups.yaml') => ({ at: { file, line, column: 5 } })

/** A rule with a real pattern, so that its letter case can be ignored. */
function glob(
  source: string,
  where: string,
  role: string,
  line: number,
  more: Partial<Rule> & { readonly except?: readonly string[] } = {},
): Rule {
  const { except = [], ...rest } = more
  const groups = { kind: 'pattern', pattern: patternOf('glob', source), except: new Set(except as readonly GroupName[]) } as const
  return rule('', where, role, { groups, because: at(line), ...rest })
}

type Question = SmallWorld & { readonly more?: Partial<ExplainInput> }

/** What is said of a key that is written like a mapping: `ENG devs`. */
async function explainedIn(question: string, { more, ...world }: Question): Promise<Explanation> {
  const seen = seenOf(world)
  const { declared, existing, directories } = seen
  const [where = '', ...words] = question.split(' ')
  const asked = { target: target(where), group: words.join(' ') as GroupName }
  const mapped = [...existing.lists.values()].flatMap((reading) => (reading.status === 'failed' ? [] : reading.value))
  return explainKey(asked, {
    ...{ declared, directories, others: seen.others ?? [], existing: { ...existing, projects: seen.projects } },
    ...{ desired: desiredIn(seen), matches: matchesIn(declared, directories, mapped), list: existing.lists.get(listOf(asked.target)) },
    fits: await patternFits(declared, asked.group, AbortSignal.any([])),
    ...more,
  })
}

async function answerTo(question: string, { more, ...world }: Question): Promise<string> {
  const explained = await explainedIn(question, { more: more ?? {}, ...world })
  const plan = planIn(seenOf(world), [], { listsUnchanged: true })
  const everywhere = outcomeAt(`acme/allProjects/${explained.group}` as Key, plan)
  return answerText({
    explained,
    outcome: outcomeAt(explained.key, plan),
    everywhere,
    about: { workspace: acme, policy: world.policy ?? 'sync' },
  })
}

const nearIn = async (question: string, world: Question): Promise<readonly string[]> => {
  const { near, group } = await explainedIn(question, world)
  return near.map((each) => `${each.rule.because.at.line}: ${nearRuleText(each)}: ${whyNotText(each, group)}`)
}

describe('which rules come near, and why they do not count', () => {
  const directories = { corp: ['eng-web', 'Eng-data', 'eng-ext', 'devs'] }
  const cases: readonly (readonly [string, string, Question, readonly string[]])[] = [
    [
      'a pattern in another letter case',
      'ENG Eng-data',
      { rules: [glob('eng-*', 'ENG', 'member', 3)] },
      ['3: glob eng-* → member: the glob says eng-*, the group is Eng-data, and letter case counts'],
    ],
    [
      'a pattern with an exception',
      'ENG eng-ext',
      { rules: [glob('eng-*', 'ENG', 'member', 3, { except: ['eng-ext'] })] },
      ['3: glob eng-* → member: its "except" leaves eng-ext out'],
    ],
    [
      'a pattern of a file whose fence does not have the group',
      'ENG eng-web',
      {
        rules: [
          glob('eng-*', 'ENG', 'member', 3, {
            groups: {
              kind: 'pattern',
              pattern: patternOf('glob', 'eng-*'),
              except: new Set(),
              within: [{ kind: 'exact', name: 'devs' as GroupName }],
            },
          }),
        ],
      },
      ['3: glob eng-* → member: eng-web is outside of the fence of this file'],
    ],
    [
      'a pattern, and a group that nobody has',
      'ENG eng-new',
      { rules: [glob('eng-*', 'ENG', 'member', 3)] },
      ['3: glob eng-* → member: its glob fits, but corp does not know the group eng-new'],
    ],
    [
      'a pattern, and a directory that was not read',
      'ENG eng-new',
      { rules: [glob('eng-*', 'ENG', 'member', 3)], directories: { corp: failed } },
      ['3: glob eng-* → member: its glob fits, but corp could not be read whole, and may have eng-new'],
    ],
    [
      'a pattern, and a narrow recording that does not have the group',
      'ENG eng-new',
      { rules: [glob('eng-*', 'ENG', 'member', 3)], more: { recordedGroups: { names: new Set(), patterns: new Set() } } },
      ['3: glob eng-* → member: its glob fits, but this recording does not have the group eng-new'],
    ],
    [
      'a former name',
      'ENG devs',
      { rules: [rule('engineers', 'ENG', 'member', { previously: 'devs' as GroupName, because: at(3) })] },
      ['3: engineers → member: it names engineers, and has devs as the former name'],
    ],
    [
      'similar names, and not those that are similar elsewhere',
      'ENG dev',
      {
        rules: [
          rule('devs', 'ENG', 'member', { because: at(3) }),
          rule('DEV', 'ENG', 'guest', { because: at(4) }),
          rule('devs', 'OPS', 'guest'),
        ],
      },
      [
        '3: devs → member: it names devs, the group is dev',
        '4: DEV → guest: it names DEV, the group is dev: they differ only in letter case',
      ],
    ],
    [
      'other targets of one line, those with a similar project first',
      'ENG devs',
      {
        rules: [
          rule('devs', 'workspace', 'guest', { because: at(2) }),
          rule('devs', 'OPS', 'member', { because: at(3) }),
          rule('devs', '*', 'member', { because: at(3) }),
          rule('devs', 'ENGG', 'guest', { because: at(4) }),
        ],
      },
      [
        '4: devs → guest: it is for ENGG',
        '2: devs → guest: it is for the workspace itself',
        '3: devs → member: it is for OPS and all projects',
      ],
    ],
    [
      'an unmanaged entry',
      'ENG eng-web',
      {
        rules: [glob('eng-*', 'ENG', 'member', 3)],
        unmanaged: [{ groups: { kind: 'exact', name: 'eng-web' as GroupName }, because: at(9) }],
      },
      ['3: glob eng-* → member: groups.yaml:9 lists eng-web under "unmanaged"'],
    ],
    [
      'a project that a rule skips',
      'NEW eng-web',
      { rules: [glob('eng-*', 'NEW', 'member', 3, { unknownProjects: 'skip' })] },
      ['3: glob eng-* → member: the credential sees no such project, and the rule skips it (unknownProjects: skip)'],
    ],
    [
      'another workspace',
      'ENG devs',
      {
        others: [{ ...nothingDeclared('beta' as WorkspaceName), rules: [rule('devs', 'ENG', 'member', { because: at(7, 'beta.yaml') })] }],
      },
      ['7: devs → member: it is for the workspace beta'],
    ],
    [
      'none that names the key itself, although it does not count',
      'ENG eng-old',
      { rules: [glob('eng-*', 'ENG', 'member', 3, { unknownProjects: 'skip' })], existing: ['OPS eng-old guest'] },
      [],
    ],
    ['none, beside a rule that decides', 'ENG devs', { rules: [rule('devs', 'ENG', 'member'), rule('devs', 'OPS', 'guest')] }, []],
  ]
  test.each(cases)('%s', async (_, question, world, expected) => {
    expect(await nearIn(question, { directories, ...world })).toEqual(expected)
  })
})

describe('why a rule does not decide', () => {
  const directories = { corp: ['devs'] }
  const fenced = { fenced: true, because: at(2, 'teams/a.yaml') } as const
  const losing: readonly (readonly [string, SmallWorld, readonly string[]])[] = [
    [
      'an exact rule beats a pattern',
      { rules: [rule('devs', 'ENG', 'member', { because: at(1) }), glob('d*', 'ENG', 'guest', 2)] },
      ['1 decides', '2 exact'],
    ],
    ['removed beats rules', { removed: ['ENG devs'], rules: [glob('d*', 'ENG', 'guest', 2)] }, ['99 decides', '2 removed']],
    [
      'a file without limits beats one inside a fence',
      { rules: [rule('devs', 'ENG', 'member', { because: at(1) }), rule('devs', 'ENG', 'guest', fenced)] },
      ['1 decides', '2 fenced'],
    ],
    [
      'a rule that has ended',
      { nowMs: 5, rules: [rule('devs', 'ENG', 'guest', { expiresMs: 4, because: at(1) }), glob('d*', 'ENG', 'guest', 2)] },
      ['2 decides', '1 ended'],
    ],
    [
      'a rule that starts later',
      { nowMs: 5, rules: [rule('devs', 'ENG', 'guest', { startsMs: 9, because: at(1) }), glob('d*', 'ENG', 'guest', 2)] },
      ['2 decides', '1 notStarted'],
    ],
    [
      'entries of different files that contradict each other decide together',
      { removed: ['ENG devs'], rules: [rule('devs', 'ENG', 'member', { because: at(1, 'a.yaml') })] },
      ['99 decides', '1 counts'],
    ],
    [
      'rules that say the same',
      { rules: [rule('devs', 'ENG', 'member', { because: at(1) }), rule('devs', 'ENG', 'member', { because: at(2) })] },
      ['1 decides', '2 counts'],
    ],
  ]
  test.each(losing)('%s', async (_, world, expected) => {
    const { claims } = await explainedIn('ENG devs', { directories, ...world })
    const words = claims.map(({ wanted, decides, lost }) => `${wanted.because.at.line} ${decides ? 'decides' : (lost ?? 'counts')}`)
    expect(words).toEqual(expected)
  })
})

describe('the answer', () => {
  const directories = { corp: ['devs', 'staff'] }
  const answers: readonly (readonly [string, Question, string])[] = [
    [
      'ENG devs',
      { rules: [rule('devs', 'ENG', 'member', { because: at(3) })], existing: ['ENG devs member'] },
      'devs has member in ENG: groups.yaml:3 gives it.',
    ],
    [
      'ENG devs',
      { rules: [rule('devs', 'ENG', 'member', { because: at(3) })] },
      'devs gets member in ENG with the next apply or cycle: groups.yaml:3 gives it.',
    ],
    [
      'ENG devs',
      { rules: [rule('devs', 'ENG', 'member', { because: at(3) })], existing: ['ENG devs guest'] },
      'devs has guest in ENG, and gets member with the next apply or cycle: groups.yaml:3 gives it.',
    ],
    [
      'ENG devs',
      { rules: [rule('devs', 'ENG', 'member', { because: at(3) })], existing: ['ENG devs guest'], policy: 'create-only' },
      'devs has guest in ENG: groups.yaml:3 gives member, but the policy create-only does not write this.',
    ],
    [
      'ENG old',
      { rules: [rule('devs', 'ENG', 'member', { previously: 'old' as GroupName, because: at(3) })], existing: ['ENG old member'] },
      'old loses member in ENG with the next apply or cycle: groups.yaml:3 renames the mapping to devs.',
    ],
    [
      'ENG old',
      { rules: [rule('gone', 'ENG', 'member', { previously: 'old' as GroupName, because: at(3) })], existing: ['ENG old member'] },
      'old keeps member in ENG: waits for the change of acme/project/ENG/gone.',
    ],
    [
      'ENG devs',
      { removed: ['ENG devs'], existing: ['ENG devs guest'] },
      'devs loses guest in ENG with the next apply or cycle: groups.yaml:99 lists it under "removed".',
    ],
    [
      'ENG devs',
      { existing: ['ENG devs guest'], policy: 'exclusive' },
      'devs loses guest in ENG with the next apply or cycle: no rule declares it, and the policy exclusive deletes what no rule declares.',
    ],
    [
      'ENG devs',
      { existing: ['ENG devs guest'], policy: 'upsert-only' },
      'devs has guest in ENG: no rule declares this mapping; the policy upsert-only keeps it.',
    ],
    [
      'workspace devs',
      { owns: [], more: { list: complete([mapping('workspace devs admin', 0)]) } },
      'devs has admin in the workspace, and the declaration does not manage this mapping.',
    ],
    [
      'workspace devs',
      { owns: [] },
      'It is not known whether devs has a role in the workspace: the mappings were not read whole, and no rule gives it one.',
    ],
    [
      'ENG staff',
      { rules: [rule('staff', '*', 'guest', { because: at(3) })], existing: ['* staff guest'] },
      'staff has no role of its own in ENG: no rule gives it one. By its mapping to all projects it has guest there: groups.yaml:3 gives it.',
    ],
    [
      'GONE devs',
      { rules: [rule('devs', 'GONE', 'member', { because: at(3) })] },
      'devs has no role in GONE yet: groups.yaml:3 gives member, but the credential sees no project GONE.',
    ],
    ['ENG "two words', {}, '"\\"two words" has no role in ENG: no rule gives it one.'],
    ['ENG bad\u001b[2J', {}, 'bad\\u{1b}[2J has no role in ENG: no rule gives it one.'],
  ]
  test.each(answers)('to %s', async (question, world, expected) => {
    expect(await answerTo(question, { directories, ...world })).toBe(expected)
  })

  test('has what a pattern captures, and what its map makes of it', async () => {
    const map = new Map([['pay', ['PAY', 'OPS'] as readonly string[] as readonly ProjectIdentifier[]]])
    const captures = glob('*', 'ENG', 'member', 3, {
      groups: { kind: 'pattern', pattern: patternOf('regex', 'plane-(?<app>[a-z]+)'), except: new Set() },
      target: { kind: 'captured', capture: 'app', map },
    })
    const { claims } = await explainedIn('OPS plane-pay', { rules: [captures], directories: { corp: ['plane-pay'] } })
    expect(claims[0]).toMatchObject({ decides: true, captured: { app: 'pay' } })
    expect(claims.map(claimText)).toEqual(['regex plane-(?<app>[a-z]+) → member'])
  })

  test('names the project and the group that were probably meant', async () => {
    expect(await explainedIn('ENGG dev', { directories })).toMatchObject({ nearGroup: 'devs', noProject: { near: 'ENG' } })
    expect(await explainedIn('ENG devs', { directories: { corp: ['devs', 'dev'] } })).not.toHaveProperty('nearGroup')
  })
})

describe('where a mapping comes from', () => {
  const [made] = ['ENG devs member'].map(mapping) as [Mapping]
  const known = (how: Ownership['how'], begun = true) => {
    const ownership: Ownership = { id: made.id, role: made.role, file: 'a.yaml', ...(how === 'named' ? { how, sinceMs: 1 } : { how }) }
    const keys = put<Ownership>(emptySmallMap, { [made.key]: ownership })
    return originOf(made, acme, { ownership: shardedMapOf({ 'acme/projectRoles': { begun, keys } }) })
  }
  test('is what the journal knows of it', () => {
    expect(known('made')).toEqual({ how: 'made', isOurs: true })
    expect(known('adopted')).toEqual({ how: 'adopted', isOurs: true })
    expect(known('made', false)).toEqual({ how: 'made', isOurs: false })
    expect(known('named')).toEqual({ how: 'named', isOurs: false, adoptedMs: 7 * 86_400_000 + 1 })
    expect(originOf(made, acme, { ownership: emptyShardedMap })).toEqual({ how: 'others', isOurs: false })
  })
})
