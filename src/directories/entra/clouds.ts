/**
 * The hosts of Microsoft's clouds. Tokens: learn.microsoft.com/entra/identity-platform/authentication-national-cloud. Graph:
 * learn.microsoft.com/graph/deployments; a tenant of Microsoft 365 GCC is in the global cloud, GCC High in `usgov`, DoD in `usgov-dod`.
 */
export const clouds = {
  global: { login: 'https://login.microsoftonline.com', graph: 'https://graph.microsoft.com' },
  usgov: { login: 'https://login.microsoftonline.us', graph: 'https://graph.microsoft.us' },
  'usgov-dod': { login: 'https://login.microsoftonline.us', graph: 'https://dod-graph.microsoft.us' },
  china: { login: 'https://login.partner.microsoftonline.cn', graph: 'https://microsoftgraph.chinacloudapi.cn' },
} as const
