// Kills a node under load, again and again, and counts what was lost, doubled or counted wrongly.
//   npm run crash -- --kills 50
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { check } from './check.ts';
import type { FromNode, ToNode } from './node.ts';
import { startCountingReceiver } from './receiver.ts';
import { seedEndpoints } from './seed.ts';

const { values } = parseArgs({ options: { kills: { type: 'string', default: '20' }, seed: { type: 'string' } } });
const kills = Number(values.kills);
const folder = await mkdtemp(join(tmpdir(), 'crash-'));
const file = join(folder, 'data.sqlite');
const masterKey = randomBytes(32).toString('hex');
const receiver = await startCountingReceiver();
const workspaceId = await seedEndpoints(file, masterKey, receiver.url);
const accepted = new Set<string>();

async function startNode(): Promise<ChildProcess> {
  const node = fork(new URL('./node.ts', import.meta.url), [file, masterKey]);
  node.on('message', (message: FromNode) => {
    if ('accepted' in message) for (const id of message.accepted) accepted.add(id);
  });
  await once(node, 'message');
  return node;
}

const tell = (node: ChildProcess, message: ToNode) => node.send(message, () => {});

for (let kill = 0; kill < kills; kill++) {
  const node = await startNode();
  const gone = once(node, 'exit');
  const load = setInterval(() => tell(node, { emit: { workspaceId, count: 10 } }), 5);
  // Freezing stops the process between any two instructions; the kill then meets it there.
  await wait(30 + Math.random() * 250);
  if (kill % 3 === 2) {
    node.kill('SIGSTOP');
    await wait(50);
  }
  clearInterval(load);
  node.kill('SIGKILL');
  await gone;
}

const node = await startNode();
tell(node, { finish: true });
const [last] = (await once(node, 'message')) as [FromNode];
node.kill('SIGKILL');
await once(node, 'exit');
receiver.stop();

const findings = await check(file, accepted, receiver.received);
await rm(folder, { recursive: true });
console.log(
  JSON.stringify({ kills, idle: 'idle' in last && last.idle, ...findings, wrong: findings.wrong.slice(0, 10) }),
);
const inFlightMax = 64 * kills;
process.exitCode = findings.lost > 0 || findings.wrong.length > 0 || findings.duplicates > inFlightMax ? 1 : 0;
