import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startCluster } from '../postgres/cluster.ts';
import { check } from './check.ts';
import { end, finish, tell } from './drive.ts';
import type { FromNode } from './node.ts';
import { startCountingReceiver } from './receiver.ts';
import { report } from './report.ts';
import { parseCount, runCommand } from './run-command.ts';
import { seedEndpoints } from './seed.ts';
import { putToSleep, type Sleeper } from './sleeper.ts';

const help = `Kills nodes under load, again and again, and counts what was lost, sent twice or counted wrongly.

  npm run crash                                        20 kills, one node on SQLite
  npm run crash -- --kills 50 --postgres --nodes 3     three nodes on a PostgreSQL of its own

On PostgreSQL another node is frozen with attempts in flight for longer than its lease, and wakes when others have
its lanes: what it then writes goes to the log as late, and moves nothing.

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
  if (counts.nodes > 1 && !postgres) throw new TypeError('Several nodes need --postgres.');
  return { ...counts, postgres, help };
}

async function main({ kills, nodes: count, postgres }: { kills: number; nodes: number; postgres: boolean }) {
  const folder = await mkdtemp(join(tmpdir(), 'crash-'));
  const cluster = postgres ? await startCluster() : undefined;
  const database = cluster?.url ?? join(folder, 'data.sqlite');
  const masterKey = randomBytes(32).toString('hex');
  const receiver = await startCountingReceiver();
  // The lanes of a node that was killed stand still until its lease ends. So that the next kill finds a node at work,
  // there are many more lanes than the nodes hold together, and on PostgreSQL a node holds few.
  const concurrency = postgres ? 8 : 64;
  const workspaceId = await seedEndpoints(database, masterKey, receiver.url, postgres ? 25 : 5);
  const accepted = new Set<string>();

  async function startNode(): Promise<ChildProcess> {
    const node = fork(new URL('./node.ts', import.meta.url), [database, masterKey, String(concurrency)]);
    node.on('message', (message: FromNode) => {
      if ('accepted' in message) for (const id of message.accepted) accepted.add(id);
    });
    await once(node, 'message');
    return node;
  }

  const startedAt = performance.now();
  const nodes = await Promise.all(Array.from({ length: count }, startNode));
  let sleeper: Sleeper | undefined;
  const all = () => [...nodes, ...(sleeper ? [sleeper.node] : [])];
  const load = setInterval(
    () => {
      for (const node of all()) tell(node, { emit: { workspaceId, count: postgres ? 1 : 10 } });
    },
    postgres ? 600 : 5,
  );
  for (let kill = 0; kill < kills; kill++) {
    if (postgres && kill === Math.floor(kills / 2)) sleeper = await putToSleep(await startNode(), receiver);
    await wait(30 + Math.random() * (postgres ? 4_000 : 250));
    const index = kill % nodes.length;
    const node = nodes[index] as ChildProcess;
    // Freezing stops the process between any two instructions; the kill then meets it there.
    if (kill % 3 === 2) {
      node.kill('SIGSTOP');
      await wait(50);
    }
    await end(node);
    nodes[index] = await startNode();
  }
  await sleeper?.woken;
  clearInterval(load);
  const idle = (await Promise.all(all().map(finish))).every((isIdle) => isIdle);
  await Promise.all(all().map(end));
  receiver.stop();

  const { wrong, ...findings } = await check(database, accepted, receiver.received);
  await cluster?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
  const sentTwiceMax = concurrency * (kills + (sleeper ? 1 : 0));
  const problems = [
    ...(idle ? [] : ['the deliveries did not end']),
    ...(findings.lost > 0 ? [`${findings.lost} deliveries were lost`] : []),
    ...(findings.sentTwice > sentTwiceMax ? ['more were sent twice than the nodes had slots'] : []),
    ...(sleeper && findings.late === 0 ? ['nothing came back late from the node that was frozen'] : []),
    ...wrong,
  ];
  const figures = {
    database: postgres ? 'PostgreSQL' : 'SQLite',
    nodes: count,
    kills,
    ...(sleeper && { 'frozen past its lease': `a node with ${sleeper.inFlight} attempts in flight` }),
    seconds: Math.round((performance.now() - startedAt) / 1_000),
    'deliveries accepted': findings.accepted,
    lost: findings.lost,
    'sent twice': `${findings.sentTwice} (at most ${sentTwiceMax} were in flight)`,
    ...(postgres && { 'results that came back late': findings.late }),
    'wrong states and counts': wrong.length,
  };
  report(figures, problems);
}
