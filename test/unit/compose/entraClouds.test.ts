import { expect, test } from 'vitest'
import { clouds } from '../../../src/compose/httpDirectories.ts'

// learn.microsoft.com/graph/deployments and learn.microsoft.com/entra/identity-platform/authentication-national-cloud
test.each([
  ['global', 'login.microsoftonline.com', 'graph.microsoft.com'],
  ['usgov', 'login.microsoftonline.us', 'graph.microsoft.us'],
  ['usgov-dod', 'login.microsoftonline.us', 'dod-graph.microsoft.us'],
  ['china', 'login.partner.microsoftonline.cn', 'microsoftgraph.chinacloudapi.cn'],
] as const)('the hosts of the cloud %s', (cloud, login, graph) => {
  expect(clouds[cloud]).toEqual({ login: `https://${login}`, graph: `https://${graph}` })
})
