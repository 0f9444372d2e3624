import { NODE_ROLES } from '../../domain/node-role.ts';
import { visibleLine } from '../../domain/visible-text.ts';
import type { Server, ServerConfig } from '../../index.ts';
import { databaseName } from '../../storage/postgres/url.ts';

const profile = (config: ServerConfig) => (config.strict ? 'strict' : 'local');
const databaseKind = (config: ServerConfig) => (config.databaseUrl === undefined ? 'sqlite' : 'postgresql');

function whereKept({ databaseUrl, dataDir }: ServerConfig): string {
  if (databaseUrl !== undefined) return databaseName(databaseUrl);
  return dataDir === null ? 'in memory: nothing is stored on the disk' : `data in ${dataDir}`;
}

export function readyLine(config: ServerConfig, server: Server): string {
  return JSON.stringify({
    ready: true,
    url: server.url,
    dashboardUrl: servesDashboard(config) ? `${server.url}/dashboard` : null,
    controlUrl: `${server.url}/_control`,
    profile: profile(config),
    database: databaseKind(config),
    credentials: server.credentials,
  });
}

/** In the strict profile, the server has a control API only if there is an admin token. */
const controlIsOpen = ({ strict, adminToken }: ServerConfig) => !strict || adminToken !== undefined;

const servesDashboard = (config: ServerConfig) => controlIsOpen(config) && config.roles.includes('api');

function noCredentials(config: ServerConfig): string[] {
  if (config.seed !== undefined) return [];
  if (!config.strict) {
    return [
      '  The server cannot show the credentials again: generated credentials are shown only once, at the first start.',
      '  To create a new credential: npx @svc/mock-server keys create --workspace <id>',
      '',
    ];
  }
  return [
    '  No tenants exist yet. Create the first tenants with --seed <file> on an empty database,',
    `  or through the control API, ${config.adminToken === undefined ? 'which requires --admin-token <token>' : 'with the admin token'}.`,
    '',
  ];
}

export function readyText(config: ServerConfig, server: Server): string {
  const width = Math.max(0, ...server.credentials.map(({ name }) => name.length));
  const key = server.credentials.find(({ kind }) => kind === 'api_key');
  return [
    '',
    `  Workspace Lifecycle Service is ready at ${server.url}`,
    '',
    ...(servesDashboard(config) ? [`  dashboard    ${server.url}/dashboard`] : []),
    `  control API  ${controlIsOpen(config) ? `${server.url}/_control` : 'closed: it requires --admin-token'}`,
    `  OpenAPI      ${server.url}/openapi.json`,
    `  database     ${databaseKind(config)}, ${whereKept(config)}`,
    `  profile      ${profile(config)}`,
    ...(config.roles.length < NODE_ROLES.length ? [`  roles        ${config.roles.join(', ')}`] : []),
    '',
    ...(server.credentials.length > 0 ? ['  Credentials'] : noCredentials(config)),
    ...server.credentials.map(({ name, credential }) => `    ${name.padEnd(width)}  ${credential}`),
    ...(key
      ? [
          '',
          '  Try',
          `    curl -H "Authorization: Bearer ${key.credential}" ${server.url}/v1/workspaces/${key.workspaceId}`,
        ]
      : []),
    ...(server.credentials.length > 0 ? [''] : []),
    '  Stop with Ctrl+C.',
    '',
    '',
  ]
    .map(visibleLine)
    .join('\n');
}
