import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printHelpIfAsked } from '../../scripts/usage.ts';
import { median } from './delivery/median.ts';
import { type Contestant, contestants } from './start-contestants.ts';

printHelpIfAsked(`
Measures how long the built server and other mock servers take to start. Each round measures all servers once. For the
command, measures the time from the start of the process to its ready line. For each server, measures in a separate
process how long the import takes, the time from the start to the first response, and the memory of the idle server.
ROUNDS=15 sets the number of rounds.

  npm run bench -- start
`);

const ROUNDS = Number(process.env['ROUNDS'] ?? 15);
using cache = mkdtempDisposableSync(join(tmpdir(), 'svc-compiled-'));
/**
 * The built file that the published command loads. In a clone, the command runs the sources instead, so start this file
 * directly.
 */
const command = fileURLToPath(new URL('../dist/main.js', import.meta.url));

interface Measured {
  importMs: number;
  firstCallMs: number;
  rssMb: number;
}

async function untilReadyLine(): Promise<number> {
  const begunAt = performance.now();
  const child = spawn(process.execPath, [command, '--memory', '--json', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    // Keep compiled code in a cache, as the published command does.
    env: { ...process.env, NODE_COMPILE_CACHE: cache.path },
  });
  await once(child.stdout, 'data');
  const tookMs = performance.now() - begunAt;
  child.kill('SIGTERM');
  await once(child, 'exit');
  return tookMs;
}

/** The first `fetch` in a process loads Node's HTTP client, so make one call before the measurement starts. */
const WARM_UP = `await fetch('data:text/plain,warm');`;

function inOwnProcess({ name, load, start }: Contestant): Measured {
  const program = `
    ${WARM_UP}
    const begunAt = performance.now();
    ${load}
    const loadedAt = performance.now();
    ${start}
    const respondedAt = performance.now();
    if (response.status !== 200) throw new Error('It responded with ' + response.status);
    await response.text();
    await new Promise((idle) => setTimeout(idle, 200));
    const measured = { importMs: loadedAt - begunAt, firstCallMs: respondedAt - loadedAt, rssMb: process.memoryUsage().rss / 1e6 };
    process.stdout.write('measured ' + JSON.stringify(measured) + '\\n', () => process.exit(0));
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  const line = /^measured (.*)$/m.exec(stdout)?.[1];
  if (line === undefined) throw new Error(`${name} could not be measured: ${stderr}`);
  return JSON.parse(line) as Measured;
}

const all = contestants();
const commandMs: number[] = [];
const measured = new Map<string, Measured[]>(all.map(({ name }) => [name, []]));
for (let round = 0; round < ROUNDS; round++) {
  commandMs.push(await untilReadyLine());
  for (const contestant of all) measured.get(contestant.name)?.push(inOwnProcess(contestant));
}

const show = (values: readonly number[], unit: string) =>
  `${median(values).toFixed(1)} ${unit} (minimum ${Math.min(...values).toFixed(1)})`;
console.log(`Medians of ${ROUNDS} rounds.\n`);
console.log(`svc-mock --memory, process to ready line: ${show(commandMs, 'ms')}\n`);
console.log('| in a separate process | import | start to first response | memory, idle |');
console.log('|---|---|---|---|');
for (const [name, rounds] of measured) {
  const columns = [
    show(
      rounds.map(({ importMs }) => importMs),
      'ms',
    ),
    show(
      rounds.map(({ firstCallMs }) => firstCallMs),
      'ms',
    ),
    show(
      rounds.map(({ rssMb }) => rssMb),
      'MB',
    ),
  ];
  console.log(`| ${name} | ${columns.join(' | ')} |`);
}
