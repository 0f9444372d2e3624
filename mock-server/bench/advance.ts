import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, startCluster } from '@svc/testing/postgres';
import { printHelpIfAsked } from '../../scripts/usage.ts';
import { type ServerConfig, startServer } from '../src/index.ts';

printHelpIfAsked(`
Measures how long it takes to move the clock by five minutes past many retries, and how that time grows: three times as
many retries should take three times as long. The move runs once with a frozen clock, so that all retries are due at the
same instant, and once with a running clock, so that nearly all retries are due at different instants. The last line for
each database shows the cost of a clock step: the difference between the durations of the two moves, divided by the
number of retries. The cost of a step is compared with the cost of bare requests that are sent to the same receiver one
after the other. The exit code is 1 if a target is missed. SIZES=8000,24000 sets the numbers of retries.

  npm run bench -- advance
`);

const SIZES = (process.env['SIZES'] ?? '8000,24000').split(',').map(Number);
const ENDPOINTS = 8;
/**
 * How much a clock step may cost on each database, as a multiple of the time that a bare request takes. The cost is the
 * extra time that a retry takes if no other retry is due at the same instant.
 */
const STEP_MAX = { SQLite: 2, PostgreSQL: 3 };
const BARE_REQUESTS = 5_000;
const MASTER_KEY = Buffer.alloc(32, 'bench').toString('base64');

const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(500).end());
}).listen(0, '127.0.0.1');
await new Promise((resolve) => receiver.once('listening', resolve));
const address = receiver.address();
const receiverUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
try {
  await using cluster = await startCluster();
  const databases: Record<keyof typeof STEP_MAX, () => Promise<Partial<ServerConfig>>> = {
    SQLite: async () => ({ dataDir: mkdtempSync(join(folder, 'data-')) }),
    PostgreSQL: async () => ({
      databaseUrl: await createDatabase({ url: cluster.url, prefix: `svc_advance_${process.pid}` }),
      masterKey: MASTER_KEY,
    }),
  };
  for (const name of ['SQLite', 'PostgreSQL'] as const) {
    const longest: number[] = [];
    for (const isFrozen of [true, false]) {
      const times: number[] = [];
      for (const size of SIZES) times.push(await measure(await databases[name](), size, isFrozen));
      const [first = 0, last = 0] = [times[0], times.at(-1)];
      longest.push(last);
      const rates = SIZES.map((size, index) => `${size} in ${((times[index] ?? 0) / 1_000).toFixed(1)} s`);
      const grown = (SIZES.at(-1) ?? 0) / (SIZES[0] ?? 1);
      const grownMax = (grown * 4) / 3;
      if (last / first > grownMax) process.exitCode = 1;
      console.log(
        `${name.padEnd(10)} ${isFrozen ? 'frozen ' : 'running'} clock: ${rates.join(', ')}; ` +
          `ratio ${(last / first).toFixed(2)} for ${grown} times the retries (target: at most ${grownMax.toFixed(1)})`,
      );
    }
    const [atOneInstant = 0, atMany = 0] = longest;
    const stepMs = (atMany - atOneInstant) / (SIZES.at(-1) ?? 1);
    const bareMs = await bareRequest();
    const ratio = stepMs / bareMs;
    if (ratio > STEP_MAX[name]) process.exitCode = 1;
    console.log(
      `${name.padEnd(10)} a step costs ${stepMs.toFixed(2)} ms, ${ratio.toFixed(1)} times as much as a bare request, ` +
        `which takes ${bareMs.toFixed(2)} ms (target: at most ${STEP_MAX[name]})`,
    );
  }
} finally {
  receiver.closeAllConnections();
  receiver.close();
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Returns the mean time, in milliseconds, of a request that this program sends directly to the receiver. The requests
 * run one after the other.
 */
async function bareRequest(): Promise<number> {
  const post = async () => {
    const response = await fetch(receiverUrl, { method: 'POST', body: '{}' });
    await response.arrayBuffer();
  };
  for (let count = 0; count < 500; count++) await post();
  const startedAt = performance.now();
  for (let count = 0; count < BARE_REQUESTS; count++) await post();
  return (performance.now() - startedAt) / BARE_REQUESTS;
}

/**
 * Lets every first attempt fail, and then moves the clock past the due times of the retries. @returns the duration of
 * the move, in milliseconds.
 */
async function measure(config: Partial<ServerConfig>, size: number, isFrozen: boolean): Promise<number> {
  const server = await startServer({ dataDir: null, port: 0, logLevel: 'silent', rateLimit: false, ...config });
  const post = async (path: string, body: object, credential?: string) => {
    const headers = {
      'content-type': 'application/json',
      ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
    };
    const response = await fetch(new URL(path, server.url), { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { settled?: boolean; ran?: { attempts: number } };
  };
  try {
    const key = server.credentials.find(({ kind }) => kind === 'api_key');
    if (!key?.workspaceId) throw new Error('The demo seed has no API key.');
    const { workspaceId, credential } = key;
    for (let count = 0; count < ENDPOINTS; count++) {
      await post('/v1/webhooks/endpoints', { url: receiverUrl, subscribedEvents: ['lifecycle.*'] }, credential);
    }
    if (isFrozen) await post('/_control/clock', { freeze: true });
    const batch = { events: Array.from({ length: 100 }, () => ({ workspaceId, type: 'lifecycle.evaluated' })) };
    for (let made = 0; made < size / ENDPOINTS; made += batch.events.length) await post('/_control/events', batch);
    const settled = await post('/_control/settle', { timeoutMs: 600_000 });
    if (!settled.settled) throw new Error('The first attempts did not end.');
    const startedAt = performance.now();
    const { ran } = await post('/_control/clock', { advance: '5m' });
    const tookMs = performance.now() - startedAt;
    const expected = Math.ceil(size / ENDPOINTS / batch.events.length) * batch.events.length * ENDPOINTS;
    if (ran?.attempts !== expected) throw new Error(`${ran?.attempts} attempts were made instead of ${expected}.`);
    return tookMs;
  } finally {
    await server.close();
  }
}
