import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TIMESTAMP_TOLERANCE_SECONDS } from '@svc/contract';
import type { Finding } from '@svc/webhooks/diagnose';
import { ConfigError } from '../../config/config.ts';
import { jsonOf } from '../../control-client/response.ts';
import type { Queries } from '../../storage/port.ts';
import { databaseName, isPostgresUrl, NO_POSTGRES_URL } from '../../storage/postgres/url.ts';
import { readAtMost } from '../read-at-most.ts';
import { right, wrong } from './captured.ts';

/** The maximum difference between this machine's clock and the server's. Receivers accept a difference of 5 minutes. */
const SKEW_MAX_MS = 60_000;

export async function checkMachine(url: string, dataDir: string, databaseUrl: string | undefined): Promise<Finding[]> {
  const served = await askServer(url);
  return [
    checkNode(),
    await checkPort(url, served),
    checkFolder(dataDir),
    checkClock(served?.timeMs),
    ...(await (databaseUrl ? checkDatabase(databaseUrl, served ? undefined : dataDir) : checkData(dataDir))),
  ];
}

function checkNode(): Finding {
  const { engines } = createRequire(import.meta.url)('@svc/mock-server/package.json') as { engines: { node: string } };
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [needMajor = 0, needMinor = 0] = engines.node.replace('>=', '').split('.').map(Number);
  const ok = major > needMajor || (major === needMajor && minor >= needMinor);
  const { node } = process.versions;
  return ok ? right('Node', node) : wrong('Node', `${node}. Install ${needMajor}.${needMinor} or later.`);
}

async function checkPort(url: string, served: Awaited<ReturnType<typeof askServer>>): Promise<Finding> {
  if (served && !served.isService) {
    return wrong(
      'server',
      `another program responds at ${url}. Pass the server's URL with --server, or start the server on another port with --port.`,
    );
  }
  if (served) return right('server', `responds at ${url}`);
  const { port: given, protocol } = new URL(url);
  const port = Number(given || (protocol === 'https:' ? 443 : 80));
  const failure = await new Promise<NodeJS.ErrnoException | undefined>((done) => {
    const probe = createServer();
    probe.once('error', done).listen(port, '127.0.0.1', () => probe.close(() => done(undefined)));
  });
  if (!failure) return right('port', `${port} is free, and no server responds at ${url}`);
  if (failure.code !== 'EADDRINUSE') return wrong('port', `cannot listen on ${port}: ${failure.message}`);
  return wrong(
    'port',
    `${port} is in use, but no server responded at ${url} within 3 s. If another program uses the port, start the server with another --port.`,
  );
}

function checkFolder(dataDir: string): Finding {
  const folder = resolve(dataDir);
  let existing = folder;
  while (!existsSync(existing)) existing = dirname(existing);
  if (!statSync(existing).isDirectory())
    return wrong('data folder', `${existing} is not a folder. Choose a folder with --data.`);
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
    const { blocks, bavail, bsize } = statfsSync(existing);
    // A new database needs about 1 MiB. A file system without a size, such as `/proc`, is never full.
    if (blocks > 0 && bavail * bsize < 2 ** 20)
      return wrong('data folder', `less than 1 MiB is free on the disk of ${existing}.`);
    return right('data folder', existing === folder ? folder : `${folder}, which svc-mock start will create`);
  } catch {
    return wrong('data folder', `cannot write to ${existing}. Choose another folder with --data.`);
  }
}

function checkClock(served: number | undefined): Finding {
  if (served === undefined) return right('clock', `${new Date().toISOString()} (no server to compare with)`);
  const skewMs = Date.now() - served;
  if (Math.abs(skewMs) < SKEW_MAX_MS) return right('clock', "agrees with the server's clock");
  return wrong(
    'clock',
    `${Math.round(Math.abs(skewMs) / 1_000)} s ${skewMs > 0 ? 'ahead of' : 'behind'} the server's clock. Receivers reject timestamps that are more than ${TIMESTAMP_TOLERANCE_SECONDS} s off.`,
  );
}

/** Returns `undefined` if no program responds with HTTP. */
async function askServer(url: string) {
  try {
    const signal = AbortSignal.timeout(3_000);
    const [live, me] = await Promise.all([
      fetch(`${url}/health/live`, { signal }),
      fetch(`${url}/v1/me`, { signal, redirect: 'manual' }),
    ]);
    // Many programs respond to health checks. Only the service responds to `/v1/me` with an error that has a `code`.
    const { status } = Object(await read(live)) as { status?: unknown };
    const { code } = Object(Object(await read(me)).error) as { code?: unknown };
    const isService = live.ok && status === 'ok' && typeof code === 'string';
    // The service's real time.
    const timeMs = Date.parse(live.headers.get('date') ?? '');
    return { isService, timeMs: isService && !Number.isNaN(timeMs) ? timeMs : undefined };
  } catch {
    return undefined;
  }
}

/** The URL may belong to another program, whose response may never end. */
const BODY_MAX_BYTES = 64 * 1024;

async function read({ body }: Response): Promise<unknown> {
  return jsonOf(String(await readAtMost(body, BODY_MAX_BYTES)));
}

/** @param keyFolder - Undefined if a server responds: its key is right, and may be in another folder or variable. */
async function checkDatabase(databaseUrl: string, keyFolder: string | undefined): Promise<Finding[]> {
  if (!isPostgresUrl(databaseUrl)) return [wrong('database', NO_POSTGRES_URL)];
  const { useDatabase } = await import('../../storage/postgres/prepare.ts');
  try {
    return await useDatabase(databaseUrl, (queries) => checkContent(queries, databaseName(databaseUrl), keyFolder));
  } catch (error) {
    return [wrong('database', (error as Error).message)];
  }
}

/** Changes no data, so the check is safe while a server is running. */
async function checkData(dataDir: string): Promise<Finding[]> {
  const file = join(dataDir, 'svc-mock.sqlite');
  if (!existsSync(file)) return [right('database', `none yet in ${dataDir}`)];
  const { DatabaseSync } = await import('../../storage/sqlite/node-sqlite.ts');
  const { queriesOver } = await import('../../storage/sqlite/dialect.ts');
  const url = pathToFileURL(file);
  // If there is no write-ahead log, no server has the database open, so open the file as immutable. Otherwise, SQLite
  // would create a log even for a read.
  if (!existsSync(`${file}-wal`)) url.searchParams.set('immutable', '1');
  try {
    const database = new DatabaseSync(url, { readOnly: true });
    await using queries = queriesOver(database);
    const { quick_check: problem } = Object(database.prepare('PRAGMA quick_check(1)').get()) as { quick_check: string };
    if (problem !== 'ok') return [wrong('database', `${file} is damaged: ${problem}`)];
    return await checkContent(queries, file, dataDir);
  } catch (error) {
    return [wrong('database', `cannot open ${file}: ${(error as Error).message}.`)];
  }
}

async function checkContent(queries: Queries, name: string, keyFolder: string | undefined): Promise<Finding[]> {
  const { findUnknownMigration, hasSchema } = await import('../../storage/statements/start.ts');
  if (!(await hasSchema(queries))) return [right('database', `${name} contains no data yet`)];
  const newer = await findUnknownMigration(queries);
  if (newer !== undefined)
    return [wrong('database', `a newer version of the server applied the migration ${newer} to ${name}.`)];
  return [right('database', name), ...(keyFolder === undefined ? [] : [await checkKey(queries, keyFolder)])];
}

async function checkKey(queries: Queries, dataDir: string): Promise<Finding> {
  const { checkMasterKey } = await import('../../start/master-key-proof.ts');
  const { masterKeyFileIn } = await import('../../config/data-folder.ts');
  try {
    await checkMasterKey(queries, { configured: process.env['SVC_MASTER_KEY'], file: masterKeyFileIn(dataDir) });
    return right('master key', 'the key belongs to the database');
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return wrong('master key', error.message);
  }
}
