import type { Reading } from '../../../src/core/reading.ts'
import { valuesMax } from '../../../src/http/json.ts'
import { always, first, groups, reading as readTenant, usual } from '../entra/world.ts'
import { json } from '../keycloak-fake.ts'
import { type ScimPart, scimGroups, scimReading } from '../scimWorld.ts'
import type { ScimFault } from '../standIns/scim.ts'
import { membersOfHuge } from './keycloak.ts'
import { seen } from './said.ts'

/** Answers requests for groups with this body. */
const sends =
  (body: string | Buffer, headers: Readonly<Record<string, string>> = {}): ScimFault =>
  ({ key }, response) => {
    if (key !== 'groups') return false
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body)
    return true
  }
const reading = async (fault?: ScimFault, part: ScimPart = {}): Promise<Reading<unknown>> =>
  (await scimReading(scimGroups(25), fault, part)).result
/** Graph names this link as that of the next page. */
const links = async (linkOf: (url: URL) => string): Promise<Reading<unknown>> =>
  (
    await readTenant(
      usual,
      (key, _, response, url) =>
        key.startsWith('groups') && json(response, 200, { '@odata.count': 25, '@odata.nextLink': linkOf(url), value: [] }),
    )
  ).result
const many = async (): Promise<Reading<unknown>> =>
  (
    await readTenant(
      { ...usual, groups: groups(60) },
      first('x', always, () => undefined),
      { limits: { pagesMax: 2 } },
    )
  ).result

export const httpDoubts = {
  'http.otherShape': seen(/the answer has an unexpected shape/, () => reading(sends('{}'))),
  'http.notJson': seen(/is not whole JSON/, () => reading(sends('{"a'))),
  'http.compressed': seen(/although the request asks for none that is/, () =>
    reading(sends(Buffer.from([31, 139, 8, 0]), { 'content-encoding': 'gzip' })),
  ),
  'http.notUtf8': seen(/UTF-8/, () => reading(sends(Buffer.from([123, 255, 125])))),
  'http.tooManyValues': seen(/the answer has more than 4 million values/, () =>
    reading(sends(`[${'0,'.repeat(valuesMax + 1)}0]`), { bytesMax: 50_000_000 }),
  ),
  'http.tooLarge': seen(/larger than|more than .* bytes/, () => reading(undefined, { bytesMax: 200 })),
  'http.requestsMax': seen(/not read after 2 requests/, () => reading(undefined, { limits: { requestsMax: 2 } })),
  'http.pagesMax': seen(/there are more than 2 pages/, many),
  'http.linkToOtherHost': seen(/leads to another host/, () => links(() => 'https://graph.example.com/v1.0/groups?x')),
  'http.linkTwice': seen(/leads to a page that was read before/, () => links((url) => `http://${url.host}/v1.0/groups?$top=5&x=1`)),
  'members.max': seen(/there are more than 100,000 members/, membersOfHuge),
}
