import { type Description, initHosts, initKinds } from './description.ts'

export const initDescription = {
  about:
    'It asks for Plane and for a directory, and reads both. Then it writes new files into FOLDER (without it: the current folder), and never replaces one. Secrets are only named, as `env:NAME` or `file:PATH`. Without a terminal, options and the variables of Plane answer.',
  takes: [{ name: 'FOLDER', optional: true }],
  options: {
    'base-url': { type: 'string', value: 'URL', usually: 'PLANE_BASE_URL', describe: 'address of Plane' },
    'ca-file': { type: 'string', value: 'FILE', describe: 'PEM file with the CA of Plane, if it is your own' },
    workspace: {
      type: 'string',
      short: 'w',
      multiple: true,
      value: 'SLUG',
      usually: 'PLANE_WORKSPACE_SLUG',
      describe: 'slug of the workspace',
    },
    key: { type: 'string', value: 'WHERE', usually: 'env:PLANE_API_KEY', describe: 'where the API key is: env:NAME or file:PATH' },
    directory: { type: 'string', value: 'KIND', choices: initKinds, describe: 'the directory that has the groups' },
    set: {
      type: 'string',
      multiple: true,
      value: 'NAME=VALUE',
      describe:
        'a value of the directory; may be repeated. ldap: address, tls, caFile, serverName, bindDn, password, base, name. keycloak: url, caFile, realm, client, secret, names. entra: tenant, client, secret. okta: url, token. scim: url, caFile, token. google: key, subject. file: path',
    },
    ci: {
      type: 'string',
      value: 'HOST',
      choices: initHosts,
      usually: 'none',
      describe: 'also write the workflow that shows plans in pull requests',
    },
    'dry-run': { type: 'boolean', describe: 'print what would be written, and write nothing' },
  },
  common: ['quiet', 'log-level', 'log-format', 'no-color'],
  examples: [
    { does: 'ask for everything', line: 'plane-group-sync init' },
    {
      does: 'without a question: Keycloak, and a workflow for GitHub',
      line: 'plane-group-sync init --directory keycloak --set url=https://sso.example.com --set realm=corp --ci github',
    },
  ],
  exits: ['done', 'failed', 'usage', 'configuration'],
} satisfies Description
