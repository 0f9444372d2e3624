/*
 * Which part may import which. `packages/acceptance/test/layers.test.ts` checks every source file against this table,
 * also its type-only imports, and that no files import each other in a circle.
 *
 * A file belongs to the first row whose path it has. It may import the other files of its row, and what the row lists:
 * rows by their names, and packages. `node:` stands for every built-in. A package of others stands for all its entries,
 * one of ours for its main entry, and `@svc/contract/*` for the other entries.
 */

/** A row of the table. */
export interface Layer {
  name: string;
  /** Files and folders, as the beginnings of paths. */
  paths: readonly string[];
  /** Names of rows. */
  imports: readonly string[];
  /** Names of packages and of their entries. */
  packages: readonly string[];
}

const words = (text: string) => text.split(' ').filter(Boolean);

const layer = (name: string, paths: string, imports: string, packages: string): Layer => ({
  name,
  paths: words(paths),
  imports: words(imports),
  packages: words(packages),
});

/** A row of the server. Its folders are those of `mock-server/src`. */
const server = (name: string, paths: string, imports: string, packages = ''): Layer =>
  layer(name, paths.replaceAll(/(?<=^| )/g, 'mock-server/src/'), imports, packages);

export const LAYERS: readonly Layer[] = [
  // The contract does no I/O. The descriptions in the documents are large, so only the documents import them.
  layer('documents', 'packages/contract/src/openapi', 'contract', 'zod'),
  layer('contract', 'packages/contract/src/', '', 'zod'),

  // The client runs in every runtime: no built-in of Node. Only one file knows ky.
  layer('transport', 'packages/client/src/transport.ts', 'client', 'ky'),
  layer('client schemas', 'packages/client/src/schemas.ts', 'client', '@svc/contract @svc/contract/schemas'),
  layer('client', 'packages/client/src/', 'transport', '@svc/contract'),

  // The receiver library imports no other package of ours, so that it is an independent witness of what the server signs.
  layer('webhooks-command', 'packages/webhooks/src/cli/', 'webhooks', 'node: leven #index'),
  layer(
    'webhooks',
    'packages/webhooks/src/',
    'webhooks-command',
    'node:http zod standardwebhooks fastify #hashing #index',
  ),

  // The page runs in browsers, and its policy rejects zod.
  layer(
    'dashboard',
    'packages/dashboard/src/',
    '',
    'preact preact/hooks preact-iso/router @preact/signals @tanstack/virtual-core @svc/client @svc/webhooks ' +
      '@svc/webhooks/testing @svc/contract @svc/contract/control/types',
  ),
  // The suite judges services over HTTP, so it knows none of our code.
  layer('conformance', 'packages/conformance/src/', '', 'node:'),
  layer('testing', 'packages/testing/src/', '', 'node: vitest pg axe-core playwright-core'),

  // The server, from the top. Commands, tests and handlers for MSW act as a customer, so they may use the client.
  server('main', 'main.ts', 'serve cli config storage domain', 'node: commander'),
  server(
    'entries',
    'testing/ msw/ vitest/ control/',
    'index control-client config http storage domain runtime',
    'node: msw undici vitest @svc/contract @svc/contract/* @svc/webhooks',
  ),
  server('serve', 'cli/start/', 'cli index config http databases domain runtime', 'node:'),
  server(
    'cli',
    'cli/',
    'start control-client transfer databases config storage domain',
    'node: commander undici kysely pg open leven string-width cli-progress @bomb.sh/tab @svc/client @svc/contract @svc/contract/* @svc/webhooks @svc/webhooks/testing @svc/webhooks/diagnose',
  ),
  server('control-client', 'control-client/', '', '@svc/contract/*'),
  server('index', 'index.ts', 'context http config storage runtime', 'node:'),
  server('context', 'context.ts', 'start state time fleet http config storage runtime', 'node:module'),
  server(
    'start',
    'start/',
    'http delivery lifecycle notifications pages network fleet time transfer databases config storage domain runtime',
    'node:',
  ),

  // These do not import each other. The start connects them.
  server(
    'http',
    'http/',
    'state time transfer storage domain runtime',
    'node: hono @hono/node-server zod @svc/contract @svc/contract/*',
  ),
  server('delivery', 'delivery/', 'time storage network domain runtime', 'node: undici @svc/contract'),
  server('lifecycle', 'lifecycle/', 'time storage network domain runtime', 'node: undici'),
  server('notifications', 'notifications/', 'time storage domain runtime', 'nodemailer @svc/contract'),
  server('pages', 'dashboard/', 'storage domain', 'node: hono'),

  // What all nodes share.
  server('fleet', 'fleet/', 'time databases runtime'),
  server('state', 'state/', 'time transfer storage domain runtime', 'node:crypto @svc/contract'),
  server('time', 'time/', 'storage domain runtime'),

  server(
    'transfer',
    'transfer/',
    'config storage domain',
    'node:string_decoder kysely zod @svc/contract @svc/contract/schemas @svc/contract/control/schemas',
  ),
  server('config', 'config/', 'databases storage domain', 'node: commander yaml @svc/contract'),
  server('databases', 'storage/sqlite/ storage/postgres/', 'storage domain runtime', 'node: kysely pg'),
  server('storage', 'storage/', 'domain runtime', 'kysely zod @svc/contract @svc/contract/schemas'),

  // Limits what other machines may send over the connections that the server opens to them.
  server('network', 'network/', '', 'node: undici'),

  // What is injected because it has state, and rules as pure functions. Neither knows what is above it.
  server(
    'runtime',
    'runtime/',
    'domain',
    'node: pino prom-client ulid @opentelemetry/api @svc/contract @svc/contract/control',
  ),
  server(
    'domain',
    'domain/',
    '',
    'node:crypto node:net node:module temporal-polyfill ulid zod @svc/contract @svc/contract/*',
  ),
];
