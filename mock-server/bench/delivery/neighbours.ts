// Measures how 99 hostile receivers in one workspace affect other workspaces: how long the first attempt of another
// workspace's event takes to arrive, how long `GET /v1/me` takes, and how long the longest attempt takes. Each kind of
// receiver runs against a separate server. Exits with code 1 if a limit is not met. KINDS (default: all) and SECONDS
// (default: 15) limit the run. Storing an event and its attempt takes two disk flushes, so the output also shows
// how long the slowest bare `fdatasync` took. Set TMPDIR to a memory file system to avoid the disk.
import { mkdtemp, open, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startReceiver } from '@svc/testing';
import { Pool } from 'undici';
import { startServerProcess } from '../../test/crash/server-process.ts';
import { demo } from '../../test/support/demo.ts';
import { BEHAVIOURS } from './hostile-behaviours.ts';

const kinds = process.env['KINDS']?.split(',') ?? Object.keys(BEHAVIOURS);
const RUN_MS = Number(process.env['SECONDS'] ?? 15) * 1_000;
const ENDPOINTS = 99;
/** All hostile endpoints first get enough events to fill every slot, and then one event per interval. */
const FIRST_EVENTS = 10;
const EVENT_INTERVAL_MS = 100;
const PROBE_INTERVAL_MS = 100;
const ME_INTERVAL_MS = 5;
const SYNC_INTERVAL_MS = 20;

const FIRST_ATTEMPT_MAX_MS = 250;
const ME_P99_MAX_MS = 100;
const ATTEMPT_MAX_MS = 10_500;

/** A receiver in this process that reports the arrival time of each delivery. */
async function startGoodReceiver() {
  const arrivals = new Map<string, PromiseWithResolvers<number>>();
  const arrival = (id: string) => {
    const known = arrivals.get(id) ?? Promise.withResolvers<number>();
    arrivals.set(id, known);
    return known;
  };
  const server = createServer((request, response) => {
    arrival(String(request.headers['webhook-id'])).resolve(performance.now());
    request.resume().on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    arrivedAt: (id: string) => arrival(id).promise,
    [Symbol.dispose]() {
      server.close().closeAllConnections();
    },
  };
}

/** Calls a server over connections that stay open. */
function createCaller(url: string) {
  const pool = new Pool(url, { connections: 8 });
  // biome-ignore lint/suspicious/noExplicitAny: the benchmark reads a few fields of several operations' responses.
  async function call(method: 'GET' | 'POST', path: string, credential?: string, body?: object): Promise<any> {
    const headers = {
      'content-type': 'application/json',
      ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
    };
    const response = await pool.request({ method, path, headers, body: body ? JSON.stringify(body) : null });
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
    return JSON.parse(text);
  }
  return {
    call,
    cause(workspaceId: string, count: number) {
      const events = Array(count).fill({ workspaceId, type: 'lifecycle.evaluated' });
      return call('POST', '/_control/events', undefined, { events });
    },
    register: (credential: string, receiver: string) =>
      call('POST', '/v1/webhooks/endpoints', credential, { url: receiver, subscribedEvents: ['*'] }),
    [Symbol.asyncDispose]: () => pool.destroy(),
  };
}

/** Returns the outcomes of a workspace's attempts, and the duration of the longest attempt. */
async function outcomesOf(call: ReturnType<typeof createCaller>['call'], credential: string) {
  let longestMs = 0;
  const outcomes = new Map<string, number>();
  let path: string | undefined = '/v1/webhooks/deliveries?limit=100';
  while (path !== undefined) {
    const { data, nextPageUrl } = await call('GET', path, credential);
    for (const { responseTimeMs, error, responseStatus } of data) {
      if (responseTimeMs === null) continue;
      longestMs = Math.max(longestMs, responseTimeMs);
      const outcome = error ?? `HTTP ${responseStatus}`;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    path = nextPageUrl === null ? undefined : new URL(nextPageUrl).pathname + new URL(nextPageUrl).search;
  }
  return { longestMs, outcomes };
}

/** Runs one kind of receiver against a separate server. */
async function measure(kind: string, hostileUrl: string, folder: string) {
  await using server = await startServerProcess(['--data', folder]);
  using good = await startGoodReceiver();
  await using caller = createCaller(server.url);
  for (let count = 1; count <= ENDPOINTS; count++) {
    const url = new URL(kind, hostileUrl);
    url.hostname = `127.0.0.${count}`;
    await caller.register(demo.production.key, url.href);
  }
  await caller.register(demo.globex.key, good.url);

  const firstAttempts: number[] = [];
  const mes: number[] = [];
  const syncs: number[] = [];
  await using file = await open(join(folder, 'sync'), 'w');
  const until = performance.now() + RUN_MS;
  async function every(intervalMs: number, act: () => Promise<unknown>) {
    while (performance.now() < until) {
      await act();
      await wait(intervalMs);
    }
  }
  await caller.cause(demo.production.id, FIRST_EVENTS);
  await Promise.all([
    every(EVENT_INTERVAL_MS, () => caller.cause(demo.production.id, 1)),
    every(PROBE_INTERVAL_MS, async () => {
      const startedAt = performance.now();
      const { events } = await caller.cause(demo.globex.id, 1);
      firstAttempts.push((await good.arrivedAt(events[0].deliveries[0].id)) - startedAt);
    }),
    every(ME_INTERVAL_MS, async () => {
      const startedAt = performance.now();
      await caller.call('GET', '/v1/me', demo.globex.key);
      mes.push(performance.now() - startedAt);
    }),
    every(SYNC_INTERVAL_MS, async () => {
      const startedAt = performance.now();
      await file.write(Buffer.alloc(4_096));
      await file.datasync();
      syncs.push(performance.now() - startedAt);
    }),
  ]);
  return { firstAttempts, mes, syncs, ...(await outcomesOf(caller.call, demo.production.key)) };
}

const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))] ?? Number.NaN;

const hostile = await startReceiver(new URL('./hostile-receiver.ts', import.meta.url), String(ENDPOINTS));
for (const kind of kinds) {
  const folder = await mkdtemp(join(tmpdir(), 'neighbours-'));
  const { firstAttempts, mes, syncs, longestMs, outcomes } = await measure(kind, hostile.url, folder);
  await rm(folder, { recursive: true });
  const latestMs = quantile(firstAttempts, 1);
  const meMs = quantile(mes, 0.99);
  const ended = [...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
  console.log(
    `${kind}: first attempts after ${quantile(firstAttempts, 0.5).toFixed(0)} ms in the median, ${latestMs.toFixed(0)} ms at most (${firstAttempts.length}); ` +
      `GET /v1/me ${quantile(mes, 0.5).toFixed(1)} ms, p99 ${meMs.toFixed(1)} ms, at most ${quantile(mes, 1).toFixed(0)} ms (${mes.length}); ` +
      `a bare fdatasync ${quantile(syncs, 1).toFixed(0)} ms at most (${syncs.length}); ` +
      `the longest attempt ${longestMs} ms (${ended})`,
  );
  if (latestMs > FIRST_ATTEMPT_MAX_MS) fail(`a first attempt may take at most ${FIRST_ATTEMPT_MAX_MS} ms`);
  if (meMs > ME_P99_MAX_MS) fail(`GET /v1/me may take at most ${ME_P99_MAX_MS} ms`);
  if (longestMs > ATTEMPT_MAX_MS) fail(`an attempt may take at most ${ATTEMPT_MAX_MS} ms`);
}
hostile.stop();

function fail(problem: string): void {
  console.error(`WRONG: ${problem}.`);
  process.exitCode = 1;
}
