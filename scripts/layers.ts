/*
 * For each part of the code, this table lists the other parts that the part may import. `npm run check:structure`
 * applies this table to the imports of every file in `scripts` and in the `src` folders of the packages and the server.
 * The table covers type-only imports, too. Other files, such as tests, have no rows. The command also checks that the
 * repository contains no circular imports.
 *
 * A file belongs to the first row with a path that contains the file. The file may import the other files of this row,
 * the files of the rows that this row lists, and the listed packages. `node:` stands for every built-in module. The
 * name of an external package stands for all its entries. The name of a package in this repository stands only for the
 * package's main entry. `@svc/contract/*` stands for the other entries of the contract.
 */

export interface Layer {
  name: string;
  /** A file matches an entry if the file's path begins with the entry. */
  paths: readonly string[];
  imports: readonly string[];
  packages: readonly string[];
}

const words = (text: string) => text.split(' ').filter(Boolean);

const layer = (name: string, paths: string, imports: string, packages: string): Layer => ({
  name,
  paths: words(paths),
  imports: words(imports),
  packages: words(packages),
});

/** Creates a row of the table for a part of the server. The paths are relative to `mock-server/src`. */
const server = (name: string, paths: string, imports: string, packages = ''): Layer =>
  layer(name, paths.replaceAll(/(?<=^| )/g, 'mock-server/src/'), imports, packages);

export const LAYERS: readonly Layer[] = [
  // The descriptions are large, and only the OpenAPI documents need them.
  layer('documents', 'packages/contract/src/openapi', 'contract', 'zod'),
  layer('contract', 'packages/contract/src/', '', 'zod'),

  // The client runs in every runtime, so it imports no built-in module of Node. Only one file imports ky.
  layer('transport', 'packages/client/src/transport.ts', 'client', 'ky'),
  layer('client schemas', 'packages/client/src/schemas.ts', 'client', '@svc/contract @svc/contract/schemas'),
  layer('client', 'packages/client/src/', 'transport', '@svc/contract'),

  // The receiver library's check of signatures must not depend on the server's code.
  layer('webhooks-command', 'packages/webhooks/src/cli/', 'webhooks', 'node: leven #index'),
  layer(
    'webhooks',
    'packages/webhooks/src/',
    'webhooks-command',
    'node:http zod standardwebhooks fastify #hashing #index',
  ),

  // The dashboard runs in browsers. zod generates code at run time, which the page's content security policy forbids.
  layer(
    'dashboard',
    'packages/dashboard/src/',
    '',
    'preact preact/hooks preact-iso/router @preact/signals @tanstack/virtual-core @svc/client @svc/webhooks ' +
      '@svc/webhooks/testing @svc/contract @svc/contract/control/types',
  ),
  // The conformance suite tests services over HTTP.
  layer('conformance', 'packages/conformance/src/', '', 'node:'),
  layer('testing', 'packages/testing/src/', '', 'node: vitest pg axe-core playwright-core'),
  layer('acceptance', 'packages/acceptance/src/', 'scripts', 'node: vitest yaml @svc/testing @svc/testing/postgres'),
  layer('scripts', 'scripts/', 'main', 'node: typescript @svc/testing'),

  // The rows of the server, from top to bottom. `cli` and the test entries act like a customer, so they may use the
  // client.
  server('main', 'main.ts', 'serve cli config domain', 'node: commander'),
  server(
    'entries',
    'testing/ msw/ vitest/ control/ require-es-module.cjs',
    'index control-client config http demo domain runtime',
    'node: msw undici vitest @svc/contract @svc/contract/* @svc/webhooks',
  ),
  server('serve', 'cli/start/', 'cli index config http databases domain runtime', 'node:'),
  // These two commands also work while the server is stopped.
  server(
    'cli-offline',
    'cli/doctor/ cli/commands/transfer.ts',
    'cli start control-client transfer databases config storage',
    'node: commander @svc/contract @svc/contract/* @svc/webhooks/diagnose',
  ),
  server(
    'cli',
    'cli/',
    'cli-offline control-client config demo domain',
    'node: commander undici open leven string-width cli-progress @bomb.sh/tab @svc/client @svc/contract @svc/contract/* @svc/webhooks @svc/webhooks/testing @svc/webhooks/diagnose',
  ),
  server('control-client', 'control-client/', 'domain', '@svc/contract/*'),
  server('index', 'index.ts', 'context start http config storage', 'node:'),
  server('context', 'context.ts', 'start state time fleet http config runtime', 'node:module'),
  server(
    'start',
    'start/',
    'http delivery lifecycle notifications network fleet time transfer databases config changes demo storage domain runtime',
    'node:',
  ),

  // The following rows do not import each other. The row `start` connects them.
  server(
    'http',
    'http/',
    'state time transfer changes demo storage domain runtime',
    'node: hono @hono/node-server zod @svc/contract @svc/contract/*',
  ),
  server('delivery', 'delivery/', 'time changes storage network domain runtime', 'node: undici @svc/contract'),
  server('lifecycle', 'lifecycle/', 'time changes storage network domain runtime', 'node: undici @svc/contract'),
  server('notifications', 'notifications/', 'time storage domain runtime', 'nodemailer @svc/contract'),

  // The following rows are for everything that all nodes share.
  server('fleet', 'fleet/', 'time databases domain runtime'),
  server('state', 'state/', 'time transfer changes storage domain runtime', 'node: @svc/contract'),
  server('time', 'time/', 'changes storage domain runtime', 'node:'),

  server(
    'transfer',
    'transfer/',
    'config changes storage domain',
    'node:string_decoder zod @svc/contract @svc/contract/schemas @svc/contract/control/schemas',
  ),
  server('config', 'config/', 'databases storage domain', 'node: commander yaml @svc/contract'),
  server('databases', 'storage/sqlite/ storage/postgres/', 'storage domain runtime', 'node: kysely pg'),
  // The commands and the test entries may know the demo data, but nothing else of the storage.
  server('demo', 'storage/seed/demo.ts', 'storage domain'),
  // A change runs several statements, or makes a decision. So a change may import statements, but no statement imports
  // a change.
  server(
    'changes',
    'storage/changes/ storage/delivery/ storage/transfer/rows.ts storage/seed/apply.ts storage/seed/profiles.ts',
    'storage domain runtime',
    'kysely @svc/contract',
  ),
  server(
    'storage',
    'storage/',
    'demo domain',
    'kysely zod @svc/contract @svc/contract/schemas @svc/contract/control/schemas',
  ),

  // `network` opens connections to other machines, and limits what these machines may send.
  server('network', 'network/', 'domain runtime', 'node: undici'),

  // The objects in `runtime` have state, so they are injected into other code. The rules in `domain` are pure
  // functions.
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
    'node:buffer node:crypto node:net node:module temporal-polyfill ulid zod @svc/contract @svc/contract/*',
  ),
];
