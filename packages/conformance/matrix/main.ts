import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createDatabase, dropDatabases, startCluster } from '@svc/testing/postgres';
import { type Result, runStatements } from '../src/run.ts';
import { statements } from '../src/statements.ts';
import { type Matrix, toMarkdown, toSummary, toText } from './matrix.ts';
import { type RunningTarget, startFetchHandler, startMsw, startPostgres, startSqlite } from './targets.ts';

/** The root of the repository. */
const root = join(import.meta.dirname, '../../..');

const help = `Checks every way to run the reference server against every statement of the service document and every decision of
this project. To check another service, use the package's command: node packages/conformance/src/main.ts --help

  npm run conformance                        SQLite, PostgreSQL with one and with three servers, the fetch handler, MSW
  npm run conformance -- --target sqlite     only this target: sqlite, postgresql, fleet, fetch or msw (repeatable)
  npm run conformance -- --write             also write docs/conformance.md and docs/conformance-table.md
`;

const targets = ['sqlite', 'postgresql', 'fleet', 'fetch', 'msw'] as const;

const options = readOptions();
if (options === undefined) process.exitCode = 2;
else if (options.help) process.stdout.write(help);
else process.exitCode = await main(options);

type Options = NonNullable<ReturnType<typeof readOptions>>;

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        target: { type: 'string', multiple: true },
        write: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
    const unknown = values.target?.find((name) => !targets.some((target) => target === name));
    if (unknown !== undefined)
      throw new TypeError(`There is no target "${unknown}". The targets are: ${targets.join(', ')}.`);
    return values;
  } catch (error) {
    process.stderr.write(`conformance: ${error instanceof Error ? error.message : error}\n`);
    return undefined;
  }
}

async function main(options: Options): Promise<number> {
  await using cleanup = new AsyncDisposableStack();
  const matrix = new Map<string, Result[]>();
  for (const start of await starts(options, cleanup)) {
    await using running = await start();
    const { target } = running;
    process.stderr.write(`${target.name}: ${statements.length} statements …`);
    const results = await runStatements(target, statements);
    matrix.set(target.name, results);
    const wrong = results.filter(({ outcome }) => outcome !== 'pass');
    process.stderr.write(` ${results.length - wrong.length} hold\n`);
    for (const { statement, reason } of wrong) {
      process.stderr.write(`${target.name}: ${statement.id} fails: ${reason}\n`);
    }
  }
  process.stdout.write(`${toText(matrix)}\n`);
  if (options.write) {
    writeFileSync(join(root, 'docs/conformance.md'), page(matrix));
    writeFileSync(join(root, 'docs/conformance-table.md'), table(matrix));
  }
  return [...matrix.values()].flat().some(({ outcome }) => outcome !== 'pass') ? 1 : 0;
}

async function starts(options: Options, cleanup: AsyncDisposableStack): Promise<(() => Promise<RunningTarget>)[]> {
  const wanted = options.target ?? [...targets];
  const postgres = wanted.some((name) => name === 'postgresql' || name === 'fleet')
    ? await openPostgres(cleanup)
    : undefined;
  return wanted.map((name) => {
    if (name === 'sqlite') return startSqlite;
    if (name === 'msw') return startMsw;
    if (name === 'fetch' || !postgres) return startFetchHandler;
    const [title, nodes] = name === 'fleet' ? (['PostgreSQL, 3 servers', 3] as const) : (['PostgreSQL', 1] as const);
    return async () => startPostgres(title, await createDatabase(postgres), nodes);
  });
}

/** Returns the PostgreSQL server of `SVC_TEST_POSTGRES_URL`, or a new server for this run. */
async function openPostgres(cleanup: AsyncDisposableStack) {
  const named = process.env['SVC_TEST_POSTGRES_URL'];
  const url = named ?? cleanup.use(await startCluster()).url;
  const postgres = { url, prefix: `svc_conformance_${process.pid}` };
  if (named) cleanup.defer(() => dropDatabases(postgres));
  return postgres;
}

function page(matrix: Matrix): string {
  return `# Conformance

[\`@svc/conformance\`](../packages/conformance/README.md) checks every statement of the service document, and every decision
of this project ([silences](silences.md)), over HTTP. This page shows how many statements hold for each way to run the
reference server.

${toSummary(matrix)}

[The whole table](conformance-table.md) has a row for each statement.

## Check again

- \`npm run conformance\` checks again, and lists each statement that fails.
- \`npm run conformance -- --write\` also writes this page and the table.

## Check another service

If you implement the service yourself, pass the address of your service to the command:

\`\`\`sh
npx @svc/conformance --url https://api.example.com --api-key svc_sk_… --token svc_pat_…
\`\`\`

The command prints which statements pass and fail, which decisions differ from this project's decisions, and which
statements cannot be tested from outside. With \`--control <url>\`, the command tests every statement, **and deletes all
data of the service**. \`--junit\` and \`--json\` are for CI.
[The README](../packages/conformance/README.md) says what the command changes in your service. In a clone, run
\`node packages/conformance/src/main.ts\`.
`;
}

function table(matrix: Matrix): string {
  return `# Conformance, statement by statement

This table lists every statement of the service document and every decision of this project ([silences](silences.md)).
For each way to run the reference server, the table shows whether the statement holds. The last column says what you
need to check another service: only an API key, a token (an API key and a personal access token), or the control API.

\`npm run conformance -- --write\` writes this page. [Conformance](conformance.md) has the summary, and says how to check
another service.

${toMarkdown(matrix)}
`;
}
