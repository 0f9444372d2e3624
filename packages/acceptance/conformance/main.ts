import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startCluster } from '../../../mock-server/test/postgres/cluster.ts';
import { createDatabase, dropDatabases } from '../../../mock-server/test/postgres/databases.ts';
import { root } from '../src/run.ts';
import { type Matrix, toMarkdown } from './matrix.ts';
import { type Result, runStatements } from './run.ts';
import { statements } from './statements.ts';
import { type RunningTarget, startFetchHandler, startPostgres, startSqlite } from './targets.ts';

const help = `Asks a service for every statement of its document and every decision of this project.

  npm run conformance                        SQLite, PostgreSQL with one and with three servers, the fetch handler
  npm run conformance -- --target sqlite     one of them: sqlite, postgresql, fleet, fetch (repeatable)
  npm run conformance -- --url <base> --control <url> [--admin-token <token>]
                                             a service that is running, with the demo tenants
  npm run conformance -- --write             and write the table to docs/conformance.md
`;

const { values: options } = parseArgs({
  options: {
    target: { type: 'string', multiple: true },
    url: { type: 'string' },
    control: { type: 'string' },
    'admin-token': { type: 'string' },
    write: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});

if (options.help) process.stdout.write(help);
else process.exitCode = await main();

async function main(): Promise<number> {
  await using cleanup = new AsyncDisposableStack();
  const matrix = new Map<string, Result[]>();
  for (const start of await starts(cleanup)) {
    await using running = await start();
    const { target } = running;
    process.stderr.write(`${target.name}: ${statements.length} statements …`);
    const results = await runStatements(target, statements);
    matrix.set(target.name, results);
    process.stderr.write(` ${results.filter(({ failure, tested }) => tested && failure === undefined).length} hold\n`);
    for (const { statement, failure } of results) {
      if (failure !== undefined) process.stdout.write(`${target.name}: ${statement.id} fails: ${failure}\n`);
    }
  }
  if (options.write) writeFileSync(join(root, 'docs/conformance.md'), document(matrix));
  return [...matrix.values()].flat().some(({ failure }) => failure !== undefined) ? 1 : 0;
}

async function starts(cleanup: AsyncDisposableStack): Promise<(() => Promise<RunningTarget>)[]> {
  const { url, control } = options;
  if (url !== undefined && control !== undefined) {
    const target = { name: url, baseUrl: url, controlUrl: control, fetch, adminToken: options['admin-token'] };
    return [async () => ({ target, [Symbol.asyncDispose]: async () => {} })];
  }
  const wanted = options.target ?? ['sqlite', 'postgresql', 'fleet', 'fetch'];
  const postgres = wanted.some((name) => name === 'postgresql' || name === 'fleet')
    ? await openPostgres(cleanup)
    : undefined;
  return wanted.map((name) => {
    if (name === 'sqlite') return startSqlite;
    if (name === 'fetch') return startFetchHandler;
    if (name === 'postgresql' && postgres)
      return async () => startPostgres('PostgreSQL', await createDatabase(postgres), 1);
    if (name === 'fleet' && postgres)
      return async () => startPostgres('PostgreSQL, 3 servers', await createDatabase(postgres), 3);
    throw new TypeError(`No such target: ${name}. There are sqlite, postgresql, fleet and fetch.`);
  });
}

/** The PostgreSQL that `SVC_TEST_POSTGRES_URL` names, else one of the run's own. */
async function openPostgres(cleanup: AsyncDisposableStack) {
  const named = process.env['SVC_TEST_POSTGRES_URL'];
  const url = named ?? cleanup.use(await startCluster()).url;
  const postgres = { url, prefix: `svc_conformance_${process.pid}` };
  if (named) cleanup.defer(() => dropDatabases(postgres));
  return postgres;
}

function document(matrix: Matrix): string {
  return `# Conformance

Every statement of the service's document and every decision of this project ([silences](silences.md)), asked over HTTP of
each way to run the reference server. Written by \`npm run conformance -- --write\`.

${toMarkdown(matrix)}
`;
}
