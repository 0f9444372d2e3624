import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempDisposableSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyRepository, run } from '@svc/testing';
import { npm } from '../check-release/npm.ts';
import { printHelpIfAsked } from '../usage.ts';

printHelpIfAsked(`
Measures a newcomer's first minute: npm ci in a new clone, the first npm start, and a later npm start. Compares the
times with a peer from the same run: a project with one script that starts a bare HTTP server. ROUNDS=3 sets the number
of clones.

  npm run bench -- first-start
`);

const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
const FIRST_START_MAX_S = 10;
const LATER_START_MAX_S = 1.5;
const LINES_MAX = 5;

/** The environment, without the variables that `npm run` has set for this script, such as the one for `--silent`. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

interface Started {
  seconds: number;
  /** The number of lines before the banner. npm's lines count, but npm's warnings and empty lines do not. */
  lines: number;
}

async function start(folder: string, argv: string[] = []): Promise<Started> {
  const begunAt = performance.now();
  const child = spawn('npm', ['start', '--', ...argv], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let screen = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text: Buffer) => {
        screen += text;
        if (screen.includes('ready')) resolve();
      });
    }
    child.on('error', reject).on('exit', () => reject(new Error(`npm start ended:\n${screen}`)));
  });
  const seconds = (performance.now() - begunAt) / 1_000;
  await stop(child);
  const before = screen.slice(0, screen.indexOf('ready')).trimStart().split('\n').slice(0, -1);
  return { seconds, lines: before.filter((line) => line.trim() !== '' && !line.startsWith('npm warn')).length };
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Creates a project whose `npm start` is a bare HTTP server. */
function createPeer(folder: string): string {
  const peer = join(folder, 'peer');
  mkdirSync(peer);
  const server =
    "require('node:http').createServer((_, response) => response.end()).listen(0, () => console.log('ready'))";
  writeFileSync(join(peer, 'server.cjs'), server);
  writeFileSync(join(peer, 'package.json'), '{ "private": true, "scripts": { "start": "exec node server.cjs" } }');
  return peer;
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

using folder = mkdtempDisposableSync(join(tmpdir(), 'svc-first-start-'));
const repository = await copyRepository(folder.path);
const peer = createPeer(folder.path);
const installs: number[] = [];
const first: Started[] = [];
const later: number[] = [];
const bare: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const clone = join(folder.path, `clone-${round}`);
  const { status, stderr } = await run('git', ['clone', '--quiet', repository, clone]);
  if (status !== 0) throw new Error(stderr);
  const begunAt = performance.now();
  await npm(['ci', '--prefer-offline'], clone);
  installs.push((performance.now() - begunAt) / 1_000);
  const options = ['--port', '0', '--data', join(clone, '.svc-mock')];
  first.push(await start(clone, options));
  for (let time = 0; time < 3; time++) {
    later.push((await start(clone, options)).seconds);
    bare.push((await start(peer)).seconds);
  }
  rmSync(clone, { recursive: true, force: true });
}

const install = median(installs);
const firstS = median(first.map(({ seconds }) => seconds));
const lines = Math.max(...first.map((one) => one.lines));
const laterS = median(later);
const bareS = median(bare);
const verdict = (isMet: boolean) => (isMet ? 'reached' : 'MISSED');
console.log(`Medians of ${ROUNDS} clones. The peer, npm start of a bare HTTP server, takes ${bareS.toFixed(2)} s.\n`);
console.log('| | time | relative to the peer | target |');
console.log('|---|---|---|---|');
console.log(`| npm ci, from a warm cache | ${install.toFixed(1)} s | ${(install / bareS).toFixed(1)} | none |`);
console.log(
  `| first npm start | ${firstS.toFixed(2)} s | ${(firstS / bareS).toFixed(1)} | ${FIRST_START_MAX_S} s: ${verdict(firstS <= FIRST_START_MAX_S)} |`,
);
console.log(
  `| later npm start | ${laterS.toFixed(2)} s | ${(laterS / bareS).toFixed(1)} | ${LATER_START_MAX_S} s: ${verdict(laterS <= LATER_START_MAX_S)} |`,
);
console.log(`\nLines before the banner: ${lines} (at most ${LINES_MAX}: ${verdict(lines <= LINES_MAX)})`);
if (firstS > FIRST_START_MAX_S || laterS > LATER_START_MAX_S || lines > LINES_MAX) process.exitCode = 1;
