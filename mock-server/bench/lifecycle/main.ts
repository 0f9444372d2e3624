import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { startServerProcess } from '../../test/crash/server-process.ts';
import { type BenchDatabase, type DatabaseWork, openPostgresBench, openSqliteBench } from './databases.ts';
import { startProbe } from './first-attempts.ts';
import { linesOf, longLine, QUERIES } from './people.ts';

// Imports, evaluates and searches profiles on both databases, and compares these times with the times that plain
// inserts and a plain LIKE take in the same run.

const { values } = parseArgs({
  options: {
    profiles: { type: 'string', default: '1000000' },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log('npm run bench -- lifecycle --profiles 1000000 [--only sqlite|postgres]');
  process.exit(0);
}
const COUNT = Number(values.profiles);
const IDLE_MS = 5_000;
const SEARCHES = 10;

const WORKSPACE = 'wsp_BENCH';
const KEY = 'svc_sk_test_bench';
const OTHER = 'wsp_OTHER';
const LONG_BYTES = 2 * 1024 ** 3;

async function measure(database: BenchDatabase): Promise<void> {
  console.log(`\n${database.name}, ${COUNT.toLocaleString('en')} profiles`);
  const plain = await database.insertPlainly(COUNT);
  print('plain multi-row inserts', `${whole(plain)} rows/s`);

  await using server = await startServerProcess(database.options);
  const call = async (method: string, path: string, body?: object | ReturnType<typeof linesOf>, type?: string) => {
    const isStream = body !== undefined && 'pipe' in body;
    const response = await request(new URL(path, server.url), {
      method: method as 'GET',
      headers: { 'content-type': type ?? 'application/json', authorization: `Bearer ${KEY}` },
      body: isStream ? body : body === undefined ? null : JSON.stringify(body),
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const text = await response.body.text();
    if (response.statusCode > 299) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
    return JSON.parse(text) as never;
  };
  const seed = seedOf();
  await call('POST', '/_control/reset', { seed });
  const before = residentMb(server.process.pid);

  const imported = await counted(database, () =>
    call('PUT', `/_control/workspaces/${WORKSPACE}/profiles`, linesOf(COUNT), 'application/x-ndjson'),
  );
  compare('import', (COUNT / imported.ms) * 1000, plain, imported.work);
  print(
    'memory',
    `${before} MB before, ${residentMb(server.process.pid)} MB after, ${peakMb(server.process.pid)} MB at most`,
  );

  const beforeLong = residentMb(server.process.pid);
  const { upserted, rejected } = (await call(
    'PUT',
    `/_control/workspaces/${OTHER}/profiles`,
    longLine(LONG_BYTES),
    'application/x-ndjson',
  )) as { upserted: number; rejected: number };
  print(
    'a line of 2 GiB between two others',
    `${upserted} imported, ${rejected} rejected; ${beforeLong} MB before, ${residentMb(server.process.pid)} MB after, ${peakMb(server.process.pid)} MB at most`,
  );

  const evaluate = () => call('POST', `/_control/workspaces/${WORKSPACE}/evaluate`);
  const probe = await startProbe(call as never, OTHER);
  const endpoint = { url: probe.url, subscribedEvents: ['*'] };
  await request(new URL('/v1/webhooks/endpoints', server.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer svc_sk_test_other' },
    body: JSON.stringify(endpoint),
  });
  const until = Date.now() + IDLE_MS;
  const idle = await probe.measure(() => Date.now() > until);

  let isDone = false;
  const evaluation = timed(evaluate).finally(() => {
    isDone = true;
  });
  const busy = await probe.measure(() => isDone);
  probe.close();
  const firstMs = await evaluation;
  compare('first evaluation, all changed', (COUNT / firstMs) * 1000, plain);
  const [idleMedian, busyMedian] = [medianOf(idle), medianOf(busy)];
  print(
    'first attempts',
    `median ${idleMedian.toFixed(1)} ms on an idle server, ${busyMedian.toFixed(1)} ms during the evaluation (${busy.length}): ratio ${(busyMedian / idleMedian).toFixed(2)} (target: below 2)`,
  );
  const again = await counted(database, evaluate);
  compare('second evaluation, nothing changed', (COUNT / again.ms) * 1000, plain, again.work);
  print('memory', `${residentMb(server.process.pid)} MB after, ${peakMb(server.process.pid)} MB at most`);

  const searches: number[] = [];
  const likes: number[] = [];
  for (let round = 0; round < SEARCHES; round++) {
    for (const q of QUERIES) searches.push(await timed(() => call('GET', `/v1/search?q=${encodeURIComponent(q)}`)));
  }
  for (const q of QUERIES) likes.push(await database.like(q));
  for (const q of ['a', 'ada', 'person']) {
    print(`search for "${q}"`, `${(await timed(() => call('GET', `/v1/search?q=${q}`))).toFixed(1)} ms`);
  }
  print(
    'search',
    `median ${medianOf(searches).toFixed(1)} ms, slowest ${Math.max(...searches).toFixed(1)} ms (target: median below 50); LIKE ${medianOf(likes).toFixed(1)} ms`,
  );
}

const seedOf = () => ({
  organizations: [
    {
      slug: 'bench',
      name: 'Bench',
      workspaces: [
        { id: WORKSPACE, slug: 'w', name: 'W', apiKeys: [{ credential: KEY }] },
        { id: OTHER, slug: 'o', name: 'O', apiKeys: [{ credential: 'svc_sk_test_other' }] },
      ],
    },
  ],
});

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

const whole = (value: number) => Math.round(value).toLocaleString('en');
const print = (name: string, text: string) => console.log(`  ${name.padEnd(36)} ${text}`);
const compare = (name: string, perSecond: number, plain: number, work?: DatabaseWork | undefined) =>
  print(
    name,
    `${whole(perSecond)} rows/s, ${(plain / perSecond).toFixed(1)} times the time of plain inserts` +
      (work ? `; ${whole(work.statements)} statements wrote ${whole(work.rows)} rows` : ''),
  );

/** Measures how long `act` takes, and how much work the database does meanwhile, including the server's own queries. */
async function counted(
  database: BenchDatabase,
  act: () => Promise<unknown>,
): Promise<{ ms: number; work: DatabaseWork | undefined }> {
  const before = await database.work();
  const ms = await timed(act);
  const after = await database.work();
  const work = before && after && { statements: after.statements - before.statements, rows: after.rows - before.rows };
  return { ms, work };
}
const medianOf = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Returns a memory figure that the kernel reports for a process, in MB. */
function memoryOf(pid: number | undefined, field: string): number {
  const [, kilobytes] = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}
const residentMb = (pid: number | undefined) => memoryOf(pid, 'VmRSS');
const peakMb = (pid: number | undefined) => memoryOf(pid, 'VmHWM');

const databases = { sqlite: openSqliteBench, postgres: openPostgresBench };
for (const [name, open] of Object.entries(databases)) {
  if (values.only !== undefined && values.only !== name) continue;
  await using database = await open();
  await measure(database);
}
