// Kills nodes under load, again and again, and counts what was lost, doubled or counted wrongly.
//   npm run crash -- --kills 50                        one node on SQLite
//   npm run crash -- --kills 50 --postgres --nodes 3   three nodes on a PostgreSQL of its own
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { LEASE_MS } from '../../src/delivery/limits.ts';
import { startCluster } from '../postgres/cluster.ts';
import { check } from './check.ts';
import type { FromNode, ToNode } from './node.ts';
import { startCountingReceiver } from './receiver.ts';
import { seedEndpoints } from './seed.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    nodes: { type: 'string', default: '1' },
    postgres: { type: 'boolean', default: false },
  },
});
const kills = Number(values.kills);
if (values.nodes !== '1' && !values.postgres) throw new Error('Several nodes need --postgres.');

const folder = await mkdtemp(join(tmpdir(), 'crash-'));
const cluster = values.postgres ? await startCluster() : undefined;
const database = cluster?.url ?? join(folder, 'data.sqlite');
const masterKey = randomBytes(32).toString('hex');
const receiver = await startCountingReceiver();
// The lanes of a node that was killed stand still until its lease ends. So that the next kill finds a node at work,
// there are many more lanes than the nodes hold together, and on PostgreSQL a node holds few.
const concurrency = values.postgres ? 8 : 64;
const workspaceId = await seedEndpoints(database, masterKey, receiver.url, values.postgres ? 25 : 5);
const accepted = new Set<string>();

async function startNode(): Promise<ChildProcess> {
  const node = fork(new URL('./node.ts', import.meta.url), [database, masterKey, String(concurrency)]);
  node.on('message', (message: FromNode) => {
    if ('accepted' in message) for (const id of message.accepted) accepted.add(id);
  });
  await once(node, 'message');
  return node;
}

const tell = (node: ChildProcess, message: ToNode) => node.send(message, () => {});

async function end(node: ChildProcess): Promise<void> {
  const gone = once(node, 'exit');
  node.kill('SIGKILL');
  await gone;
}

// A node that is frozen past its lease, and wakes when others have its lanes: what it writes then must move nothing.
let sleeper: ChildProcess | undefined;
const nodes = await Promise.all(Array.from({ length: Number(values.nodes) }, startNode));
const load = setInterval(
  () => {
    for (const node of [...nodes, ...(sleeper ? [sleeper] : [])])
      tell(node, { emit: { workspaceId, count: values.postgres ? 1 : 10 } });
  },
  values.postgres ? 600 : 5,
);
let asleepAt = performance.now();

for (let kill = 0; kill < kills; kill++) {
  const index = kill % nodes.length;
  const node = nodes[index];
  if (!node) break;
  if (values.postgres && kill === Math.floor(kills / 2)) {
    sleeper = await startNode();
    await wait(1_000);
    // It may hold locks, and the database ends its transaction only after a while: the others stand still until then.
    sleeper.kill('SIGSTOP');
    asleepAt = performance.now();
  }
  await wait(30 + Math.random() * (values.postgres ? 4_000 : 250));
  // Freezing stops the process between any two instructions; the kill then meets it there.
  if (kill % 3 === 2) {
    node.kill('SIGSTOP');
    await wait(50);
  }
  await end(node);
  nodes[index] = await startNode();
}
clearInterval(load);

if (sleeper) {
  await wait(Math.max(0, LEASE_MS + 8_000 - (performance.now() - asleepAt)));
  sleeper.kill('SIGCONT');
}
const [last] = nodes;
if (!last) throw new Error('No node is left.');
const answer = new Promise<boolean>((resolve) => {
  last.on('message', (message: FromNode) => 'idle' in message && resolve(message.idle));
});
tell(last, { finish: true });
const idle = await answer;
await Promise.all([...nodes, ...(sleeper ? [sleeper] : [])].map(end));
receiver.stop();

const findings = await check(database, accepted, receiver.received);
await cluster?.[Symbol.asyncDispose]();
await rm(folder, { recursive: true });
console.log(JSON.stringify({ kills, nodes: nodes.length, idle, ...findings, wrong: findings.wrong.slice(0, 10) }));
const inFlightMax = concurrency * (kills + (sleeper ? 1 : 0));
process.exitCode = !idle || findings.lost > 0 || findings.wrong.length > 0 || findings.duplicates > inFlightMax ? 1 : 0;
