import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { PATIENCE_MS } from '@svc/testing';
import { executablePath } from '@svc/testing/chromium';
import { describe, expect, it } from 'vitest';
import { findInstalled, requireInstalled } from '../../../../runtimes/installed.ts';
import { bundleFor, VECTORS_MODULE } from '../support/bundle.ts';
import { reportOfChromium } from '../support/chromium.ts';
import { startWorker } from '../support/workerd.ts';
import { countChecks, type Vector, type VectorReport } from '../vectors/check-vectors.ts';
import document from '../vectors/vectors.json' with { type: 'json' };

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** A runtime that is installed: its command, followed by arguments. */
type Runtime = readonly [command: string, ...args: string[]];

/** Runs a program in a runtime and parses the report that it prints. */
function reportOf(program: string, [command, ...args]: Runtime) {
  const argv = [...args, path(program)];
  const ended = spawnSync(command, argv, { encoding: 'utf8', cwd: path('../..'), timeout: PATIENCE_MS });
  if (ended.status !== 0) throw new Error(`${command} ended with ${ended.status}: ${ended.stderr}`);
  return JSON.parse(ended.stdout);
}

const inNode = (node: string | undefined, ...args: string[]): Runtime | undefined =>
  node === undefined ? undefined : [node, '--disable-warning=ExperimentalWarning', ...args];

const node22 = findInstalled('node-22', 'bin/node');
const node26 = findInstalled('node-26', 'bin/node');
const bun = findInstalled('bun', 'bin/bun.exe');
const deno = findInstalled('deno', 'deno');
const miniflare = findInstalled('miniflare');
const chromium = executablePath;
const playwright = findInstalled('playwright-core');

const withNodeCrypto: [name: string, runtime: Runtime | undefined][] = [
  ['Node 22', inNode(node22)],
  ['Node 24', inNode(process.execPath)],
  ['Node 26', inNode(node26)],
  // A customer has none of this repository's paths, which lead to the sources.
  [
    'Bun',
    bun === undefined ? undefined : [bun, 'run', `--tsconfig-override=${path('../../../../tsconfig.base.json')}`],
  ],
  ['Deno', deno === undefined ? undefined : [deno, 'run', '--quiet', '--allow-all', '--node-modules-dir=manual']],
];

const portable: typeof withNodeCrypto = [
  ['Node 22, portable build', inNode(node22, '--conditions=workerd')],
  ['Node 24, portable build', inNode(process.execPath, '--conditions=workerd')],
  ['Node 26, portable build', inNode(node26, '--conditions=workerd')],
];

async function reportOfWorkerd(): Promise<VectorReport> {
  await using worker = startWorker(requireInstalled, await bundleFor('workerd', VECTORS_MODULE));
  return (await (await worker.fetch('http://worker.test/')).json()) as VectorReport;
}

type Run = () => VectorReport | Promise<VectorReport>;
const runVectors = (runtime: Runtime | undefined): Run | undefined =>
  runtime && (() => reportOf('../vectors/main.ts', runtime));

const runs: [name: string, build: VectorReport['build'], run: Run | undefined][] = [
  ...withNodeCrypto.map(([name, runtime]): (typeof runs)[0] => [name, 'node', runVectors(runtime)]),
  ...portable.map(([name, runtime]): (typeof runs)[0] => [name, 'portable', runVectors(runtime)]),
  ['workerd', 'portable', miniflare ? reportOfWorkerd : undefined],
  [
    'Chromium',
    'portable',
    chromium && playwright
      ? async () => reportOfChromium(requireInstalled, chromium, await bundleFor('browser', VECTORS_MODULE))
      : undefined,
  ],
];

describe('every vector has the right outcome', () => {
  for (const [name, build, run] of runs) {
    if (!run) console.warn(`Not tested in ${name}: it is not installed (npm run runtimes, and Debian's chromium).`);
    it.skipIf(!run)(`in ${name}`, async () => {
      expect(await run?.()).toEqual({ build, checked: countChecks(document.vectors as Vector[]), wrong: [] });
    });
  }
});

describe("every signature equals the one from the runtime's createHmac", () => {
  for (const [name, runtime] of withNodeCrypto) {
    it.skipIf(!runtime)(`in ${name}`, () => {
      expect(runtime && reportOf('../signatures/main.ts', runtime)).toEqual({ compared: 1264, wrong: [] });
    });
  }
});
