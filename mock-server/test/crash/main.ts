import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { FORGETFUL, startCluster } from '@svc/testing/postgres';
import { checkClock, startAdvance, virtualNow } from './advancing.ts';
import { check } from './check.ts';
import { finish, load } from './drive.ts';
import { createEnabler } from './enabling.ts';
import { IN_ORDER } from './ends-in-order.ts';
import { RETRY_DELAYS_MS } from './plan.ts';
import { startCountingReceiver } from './receiver.ts';
import { report } from './report.ts';
import { parseCount, runCommand } from './run-command.ts';
import { API_KEY, seedOf, WORKSPACE_ID } from './seed.ts';
import { type Break, UNREAD_MS, UNWRITTEN_MS } from './sent-twice.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { putToSleep, type Sleeper } from './sleeper.ts';

const help = `Kills servers under load repeatedly, and counts what was lost, sent twice or counted wrongly.

  npm run crash                                        20 kills, one node on SQLite
  npm run crash -- --kills 50 --postgres --nodes 3     three nodes on a new PostgreSQL

On PostgreSQL, the test also freezes a node with attempts in flight for longer than its session. The node wakes when
other nodes hold its lanes. What it writes then is logged as late and changes nothing.

Some receivers always fail, and some fail at random. When these failures disable an endpoint, the test activates it
again. At the end, the test counts each endpoint's failures in a row again, from the results of the deliveries. It
compares this count with the stored count, the endpoint's state, and the endpoint's events and notifications. A request
may be sent twice only if the receiver saw it in progress when a node was killed. The number of such requests must not
exceed the number of slots of the killed nodes.

Every fourth kill hits a node while it moves the virtual clock by two hours. After that, no event may be created in the
future, and the clock must run again.

\`npm run outage\` takes the database away instead.
`;

await runCommand({ name: 'crash', help, read: readOptions, run: main });

function readOptions() {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '20' },
      nodes: { type: 'string', default: '1' },
      postgres: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { postgres, help } = values;
  const counts = { kills: parseCount('kills', values.kills), nodes: parseCount('nodes', values.nodes) };
  if (counts.nodes > 1 && !postgres) throw new TypeError('More than one node requires --postgres.');
  return { ...counts, postgres, help };
}

async function main({ kills, nodes: count, postgres }: { kills: number; nodes: number; postgres: boolean }) {
  const folder = await mkdtemp(join(tmpdir(), 'crash-'));
  const cluster = postgres ? await startCluster({ ...FORGETFUL, ...IN_ORDER }) : undefined;
  const database = cluster?.url ?? join(folder, 'svc-mock.sqlite');
  const receiver = await startCountingReceiver();
  // The lanes of a killed node stay held until its session ends. The next kill must still hit a node with work, so
  // there are many more lanes than all nodes hold together, and on PostgreSQL each node holds only a few.
  const concurrency = postgres ? 8 : 64;
  const seed = join(folder, 'seed.json');
  await writeFile(seed, JSON.stringify(seedOf(receiver.url, postgres ? 20 : 5)));
  const options = [
    ...(cluster ? ['--database', cluster.url] : ['--data', folder]),
    ...['--seed', seed, '--concurrency', String(concurrency), '--endpoint-concurrency', '8'],
    ...['--retry-schedule', RETRY_DELAYS_MS.map((ms) => `${ms}ms`).join()],
  ];
  const over = new AbortController();
  const events = { workspaceId: WORKSPACE_ID, isOver: over.signal };
  const pace = postgres ? { clients: 1, count: 1, pauseMs: 600 } : { clients: 4, count: 1, pauseMs: 50 };
  const pendingMax = 5_000;
  const accepted = new Set<string>();
  const loaded: Promise<void>[] = [];

  async function startNode(): Promise<ServerProcess> {
    const node = await startServerProcess(options);
    for (let client = 0; client < pace.clients; client++)
      loaded.push(load(node, { ...events, ...pace, pendingMax }, accepted));
    return node;
  }

  const startedAt = performance.now();
  const nodes = await Promise.all(Array.from({ length: count }, startNode));
  const breaks: Break[] = [];
  const enabler = createEnabler(API_KEY, postgres ? async () => Date.now() : virtualNow);
  let sleeper: Sleeper | undefined;
  let isFrozen = false;
  let killedAdvancing = 0;
  const wrongClocks: string[] = [];
  const all = () => [...nodes, ...(sleeper ? [sleeper.node] : [])];
  for (let kill = 0; kill < kills; kill++) {
    if (postgres && kill === Math.floor(kills / 2)) {
      sleeper = await putToSleep(await startNode(), receiver);
      isFrozen = true;
      void sleeper.woken.then(() => {
        isFrozen = false;
      });
    }
    // Another node must watch the frozen node without interruption before it can end the session of the frozen node.
    if (isFrozen && nodes.length === 1) await sleeper?.woken;
    const index = isFrozen ? 0 : kill % nodes.length;
    const node = nodes[index] as ServerProcess;
    // While a node is frozen, activate no endpoints: events may be delayed for so long that they would seem older than
    // a change to their endpoint.
    if (!isFrozen) await enabler.look(node);
    // Sometimes, let a node live until the deliveries to disabled endpoints that it found pending have ended.
    await wait(30 + Math.random() * (postgres ? 4_000 : 250) + (postgres || kill % 5 !== 3 ? 0 : 2_000));
    if (!isFrozen) await enabler.look(node);
    const advance = kill % 4 === 1 ? await startAdvance(node) : undefined;
    const from = performance.now();
    // Freezing stops the process between any two instructions, and the kill then ends it there.
    if (kill % 3 === 2) {
      node.process.kill('SIGSTOP');
      await wait(50);
    }
    const isKilledAdvancing = advance?.isUnderWay() ?? false;
    await node[Symbol.asyncDispose]();
    breaks.push({ from, to: performance.now() });
    const next = await startNode();
    nodes[index] = next;
    if (isKilledAdvancing) {
      killedAdvancing++;
      wrongClocks.push(...(await checkClock(next, API_KEY)));
    }
  }
  await sleeper?.woken;
  over.abort();
  await Promise.all(loaded);
  const idle = (await Promise.all(all().map(finish))).every((isIdle) => isIdle);
  await Promise.all(all().map((node) => node[Symbol.asyncDispose]()));
  receiver.stop();

  const { wrong, ...findings } = await check(database, {
    accepted,
    received: receiver.received,
    breaks,
    enablings: enabler.enablings,
  });
  await cluster?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
  const sentTwiceMax = concurrency * (kills + (sleeper ? 1 : 0));
  const problems = [
    ...(idle ? [] : ['the deliveries did not end']),
    ...(findings.lost > 0 ? [`${findings.lost} deliveries were lost`] : []),
    ...(findings.sentTwice > sentTwiceMax ? ['more requests were sent twice than the nodes had slots'] : []),
    ...(sleeper && findings.late === 0 ? ['no late result came from the frozen node'] : []),
    ...(findings.disabled > 0 ? [] : ['no endpoint was disabled']),
    ...(killedAdvancing > 0 || kills < 20 ? [] : ['no node was killed while it moved the clock']),
    ...wrongClocks,
    ...wrong,
  ];
  const figures = {
    database: postgres ? 'PostgreSQL' : 'SQLite',
    nodes: count,
    kills,
    'kills during a clock move': killedAdvancing,
    ...(sleeper && { 'frozen past its session': `a node with ${sleeper.inFlight} attempts in flight` }),
    seconds: Math.round((performance.now() - startedAt) / 1_000),
    'deliveries accepted': findings.accepted,
    lost: findings.lost,
    'sent twice': `${findings.sentTwice} (the nodes had ${sentTwiceMax} slots)`,
    'open when a node was killed': findings.underWay.open,
    [`answered up to ${UNWRITTEN_MS} ms before, ${UNREAD_MS} ms after`]: findings.underWay.answered,
    'endpoints disabled': `${findings.disabled} times, and made active again ${enabler.enablings.length} times`,
    ...(postgres && { 'late results': findings.late }),
    'event dated before an event stored earlier': `by ${findings.datedBackMs} ms at most`,
    'wrong states and counts': wrong.length + wrongClocks.length,
  };
  report(figures, problems);
}
