import type { ServerResponse } from 'node:http'
import type { Reading } from '../../../src/core/reading.ts'
import { type Part as EntraPart, groups as entraGroups, reading as readEntra, usual } from '../entra/world.ts'
import { json } from '../keycloak-fake.ts'
import { application, type Fault as EntraFault, type Tenant } from '../standIns/entra.ts'
import { idOf } from '../standIns/entraMembers.ts'
import type { Fault as GoogleFault } from '../standIns/google.ts'
import { type Part as GooglePart, named, reading as readGoogle } from '../standIns/googleWorld.ts'
import { type OktaFault, group as oktaGroup } from '../standIns/okta.ts'
import { reading as readOkta } from '../standIns/oktaReading.ts'
import { seen } from './said.ts'

type Answer = (response: ServerResponse) => unknown
const answered = (isAsked: boolean, answer: () => unknown): boolean => isAsked && (answer(), true)

const entra = async (fault?: EntraFault, part?: EntraPart, tenant: Tenant = usual): Promise<Reading<unknown>> =>
  (await readEntra(tenant, fault, part)).result
const graph = (rows: readonly string[], total?: number) => ({
  ...(total === undefined ? {} : { '@odata.count': total }),
  value: rows.map((id) => ({
    id,
    displayName: id,
    onPremisesSamAccountName: null,
    onPremisesDomainName: null,
    onPremisesNetBiosName: null,
    securityEnabled: true,
  })),
})
const answersGroups =
  (body: object): EntraFault =>
  (key, _, response) =>
    key === 'groups' && json(response, 200, body)
const assigned: Tenant = { ...usual, assigned: [{ principalId: idOf(77), principalType: 'Group' }] }
const ofApplication: EntraPart = { groups: { assigned: application } }

export const entraDoubts = {
  'entra.itemTwice': seen(/-0{11}1 came twice: the list changed while it was read$/, () =>
    entra(answersGroups(graph([idOf(1), idOf(1)], 2))),
  ),
  'entra.noTotal': seen(/Graph did not say how many groups there are/, () => entra(answersGroups(graph([idOf(1)])))),
  'entra.totalIsLess': seen(/or the count of Graph lags behind/, () => entra(answersGroups(graph([idOf(1), idOf(2)], 1)))),
  'entra.totalIsMore': seen(/or the list was cut/, () => entra(answersGroups(graph([idOf(1)], 2)))),
  'entra.assignedNotFound': seen(/1 of 1 assigned group was not found/, () => entra(undefined, ofApplication, assigned)),
  'entra.notAskedFor': seen(/which was not asked for$/, () =>
    entra((key, _, response) => key === 'batch' && json(response, 200, graph([idOf(9)], 1)), ofApplication, assigned),
  ),
  'entra.groupsMax': seen(/there are more groups than groupsMax \(3\): raise groupsMax$/, () =>
    entra(undefined, { limits: { groupsMax: 3 } }, { ...usual, groups: entraGroups(9) }),
  ),
}

type OktaPart = NonNullable<Parameters<typeof readOkta>[0]>
const okta = async (part: OktaPart): Promise<Reading<unknown>> => (await readOkta(part)).result
const page =
  (rows: readonly unknown[], link: string | readonly string[] = '<http://x/api/v1/groups>; rel="self"'): Answer =>
  (response) => {
    response.setHeader('link', link)
    json(response, 200, rows)
  }
const onPage =
  (key: string, answer: Answer): OktaFault =>
  (asked) =>
    answered(asked.key === key, () => answer(asked.response))
const [first, second] = [oktaGroup('00g1', 'one'), oktaGroup('00g2', 'two')]

export const oktaDoubts = {
  'okta.itemTwice': seen(/00g1 came twice: the list changed while it was read$/, () =>
    okta({ fault: onPage('page 1', page([first, second, first])) }),
  ),
  'okta.emptyPage': seen(/a page without groups has a link to a next page/, () =>
    okta({
      fault: ({ key, response, request }) =>
        answered(key === 'page 1', () => page([], `<http://${request.headers.host}/api/v1/groups?after=x>; rel="next"`)(response)),
    }),
  ),
  'okta.noOwnLink': seen(/the last page has no header Link with its own address/, () =>
    okta({ fault: onPage('page 1', page([first], '<http://x>; rel="other"')) }),
  ),
  'okta.lostLinks': seen(/a page of one row was asked for/, () =>
    okta({
      fault: ({ key, request, response }) =>
        answered(key === 'page 1', () =>
          page(request.url?.includes('limit=1&') || request.url?.endsWith('limit=1') ? [first] : [first, second])(response),
        ),
    }),
  ),
  'okta.noDate': seen(/the answers have no header Date/, () =>
    okta({
      fault: ({ response }) => {
        response.removeHeader('date')
        response.sendDate = false
        return false
      },
    }),
  ),
  'okta.changed': seen(/was made or renamed while the groups were read/, () =>
    okta({ fault: onPage('changed', page([oktaGroup('00g9', 'nine')])) }),
  ),
  'okta.otherType': seen(/is of the type OKTA_GROUP, which was not asked for/, () =>
    okta({ settings: { groups: { types: ['APP_GROUP'], name: 'name' } }, fault: onPage('page 1', page([first])) }),
  ),
  'okta.noEveryone': seen(/the group Everyone, which each organization has/, () => okta({ groups: [first, second] })),
  'okta.groupsMax': seen(/there are more groups than groupsMax \(2\): raise groupsMax, or read fewer types/, () =>
    okta({ settings: { limits: { pageSize: 3, groupsMax: 2, attemptsMax: 2 } } }),
  ),
}

const google = async (fault?: GoogleFault, part?: GooglePart, groups = named(7)): Promise<Reading<unknown>> =>
  (await readGoogle(groups, fault, part)).result
/** Answers pages with these; `up`: in ascending order. */
const pages =
  (body: (up: boolean, nth: number) => object | undefined): GoogleFault =>
  (key, nth, response) => {
    const [, order] = /^(up|down) /.exec(key) ?? []
    const own = order === undefined ? undefined : body(order === 'up', key.endsWith(' 1') ? nth : nth + 1)
    return own !== undefined && json(response, 200, { kind: 'admin#directory#groups', ...own })
  }
const five = named(5)

export const googleDoubts = {
  'google.itemTwice': seen(/id-0000 came twice: the list changed while it was read$/, () =>
    google(pages(() => ({ groups: [...five, ...named(1)] }))),
  ),
  'google.emptyLastPage': seen(/a next page was announced, and it was empty/, () =>
    google(pages((_, nth) => (nth === 1 ? { groups: five, nextPageToken: 'next' } : {}))),
  ),
  'google.emptyPage': seen(/a page was empty, although a next page was announced/, () => google(pages(() => ({ nextPageToken: 'next' })))),
  'google.pageAgain': seen(/a page named a next page that was read before/, () =>
    google(pages((_, nth) => ({ groups: [{ id: `n${nth}`, email: `n${nth}@example.com`, name: 'n' }], nextPageToken: 'same' }))),
  ),
  'google.orderIgnored': seen(/as if the order was ignored/, () => google(pages(() => ({ groups: five })))),
  'google.ordersDiffer': seen(/is not the same in both orders of the list/, () =>
    google(pages((up) => ({ groups: up ? five : named(4).toReversed() }))),
  ),
  'google.nameless': seen(/came without its name/, () => google(undefined, undefined, [{ id: 'a', email: 'a@example.com' }])),
  'google.groupsMax': seen(/there are more than groupsMax \(3\) groups/, () => google(undefined, { limits: { groupsMax: 3 } })),
}
