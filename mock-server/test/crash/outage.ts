import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startCluster } from '@svc/testing/postgres';
import { demo } from '../support/demo.ts';
import { check } from './check.ts';
import { IN_ORDER } from './ends-in-order.ts';
import { type CountingReceiver, startCountingReceiver } from './receiver.ts';
import { report } from './report.ts';
import { parseCount, runCommand } from './run-command.ts';
import { UNREAD_MS, UNWRITTEN_MS } from './sent-twice.ts';
import { call, cause, type ServerProcess, startServerProcess } from './server-process.ts';

const help = `Takes the database away from a server under load, and counts what was lost, sent twice or counted wrongly.

  npm run outage                       kills PostgreSQL, and starts it again after 60 s
  npm run outage -- --seconds 5        after 5 s
  npm run outage -- --clients 8        8 clients call at the same time instead of 4
`;

/** How long the load lasts before the database is stopped, and after it is back. */
const LOADED_MS = 5_000;
const CONCURRENCY = 32;
/** Pause between two calls of a client. */
const CLIENT_PAUSE_MS = 20;

await runCommand({ name: 'outage', help, read: readOptions, run: main });

function readOptions() {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '60' },
      clients: { type: 'string', default: '4' },
      help: { type: 'boolean', default: false },
    },
  });
  const { seconds, clients, help } = values;
  return { seconds: parseCount('seconds', seconds), clients: parseCount('clients', clients), help };
}

async function main({ seconds, clients }: { seconds: number; clients: number }): Promise<void> {
  // These settings keep PostgreSQL's defaults for durability, so every confirmed commit survives the kill.
  await using cluster = await startCluster(IN_ORDER);
  const receiver = await startCountingReceiver();
  await using server = await startServerProcess(['--database', cluster.url, '--concurrency', String(CONCURRENCY)]);
  await addEndpoints(server, receiver);

  const load = startLoad(server, clients);
  await wait(LOADED_MS);
  const stoppedAt = performance.now();
  await cluster.stop();
  const before = new Set(load.accepted);
  await wait(seconds * 1_000);
  const startedAt = performance.now();
  await cluster.start();
  await untilReady(server);
  const readyMs = performance.now() - startedAt;
  await wait(LOADED_MS);
  await load.stop();
  const settled = (await call(server, 'POST', '/_control/settle', { timeoutMs: 120_000 })).body.settled === true;
  receiver.stop();
  const exitCode = await server.stop();

  const { wrong, ...findings } = await check(cluster.url, {
    accepted: load.accepted,
    received: receiver.received,
    breaks: [{ from: stoppedAt, to: startedAt + readyMs }],
    enablings: [],
  });
  const lastMs = Math.max(0, ...[...before].map((id) => (receiver.received.get(id)?.requests[0]?.at ?? 0) - startedAt));
  const others = Object.entries(load.answers).filter(([answer]) => answer !== '201' && answer !== '503');
  const problems = [
    ...(settled ? [] : ['the deliveries did not end']),
    ...(exitCode === 0 ? [] : [`the server exited with code ${exitCode}`]),
    ...others.map(([answer, count]) => `${count} calls returned ${answer}`),
    ...(load.answers['503'] === undefined ? ['no call returned 503 during the outage'] : []),
    ...(findings.lost > 0 ? [`${findings.lost} deliveries were lost`] : []),
    ...(findings.sentTwice > CONCURRENCY ? ['more requests were sent twice than the server had slots'] : []),
    ...wrong,
  ];
  const figures = {
    'database down for': `${seconds} s`,
    clients,
    'calls that returned 201': load.answers['201'] ?? 0,
    'calls that returned 503': load.answers['503'] ?? 0,
    'other calls': others.reduce((sum, [, count]) => sum + count, 0),
    'deliveries accepted': findings.accepted,
    lost: findings.lost,
    'sent twice': `${findings.sentTwice} (the server had ${CONCURRENCY} slots)`,
    'open when the database was killed': findings.underWay.open,
    [`answered up to ${UNWRITTEN_MS} ms before, ${UNREAD_MS} ms after`]: findings.underWay.answered,
    'wrong states and counts': wrong.length,
    'server ready': `${Math.round(readyMs)} ms after the database was started`,
    'last delivery from before the outage':
      lastMs === 0 ? 'before the database started' : `${Math.round(lastMs)} ms after the database started`,
  };
  report(figures, problems);
}

/** Adds two endpoints that respond at once and two slow ones, so that attempts are in flight when the database stops. */
async function addEndpoints(server: ServerProcess, receiver: CountingReceiver): Promise<void> {
  for (const behaviour of ['ok', 'ok', 'slow', 'slow'] as const) {
    const body = { url: receiver.url(behaviour), subscribedEvents: ['lifecycle.*'] };
    const { status } = await call(server, 'POST', '/v1/webhooks/endpoints', body, demo.production.key);
    if (status !== 201) throw new Error(`Cannot create an endpoint: HTTP ${status}.`);
  }
}

/** Starts clients that cause events, one call after another, even if calls fail. */
function startLoad(server: ServerProcess, clients: number) {
  /** Deliveries that the server accepted. */
  const accepted = new Set<string>();
  const answers: Record<string, number> = {};
  let isOver = false;

  async function drive(): Promise<void> {
    for (; !isOver; await wait(CLIENT_PAUSE_MS)) {
      const { status, pending } = await cause(server, demo.production.id, 5).catch((error: Error) => ({
        status: String((error.cause as Error | undefined)?.message ?? error),
        pending: [],
      }));
      answers[status] = (answers[status] ?? 0) + 1;
      for (const id of pending) accepted.add(id);
    }
  }
  const driven = Promise.all(Array.from({ length: clients }, drive));
  return {
    accepted: accepted as ReadonlySet<string>,
    answers: answers as Readonly<Record<string, number>>,
    async stop() {
      isOver = true;
      await driven;
    },
  };
}

async function untilReady(server: ServerProcess): Promise<void> {
  while ((await call(server, 'GET', '/health/ready')).status !== 200) await wait(20);
}
