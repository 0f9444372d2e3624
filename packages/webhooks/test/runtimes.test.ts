import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PATIENCE_MS } from '@svc/testing';
import { describe, expect, it } from 'vitest';
import { findInstalled, requireInstalled } from '../../../runtimes/installed.ts';
import { bundleFor, VECTORS_MODULE } from './support/bundle.ts';
import { reportOfChromium } from './support/chromium.ts';
import { startWorker } from './support/workerd.ts';
import { countChecks, type Vector, type VectorReport } from './vectors/check-vectors.ts';
import document from './vectors/vectors.json' with { type: 'json' };

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const main = path('./vectors/main.ts');

/** Runs a program on the vectors, and reads its report. */
function reportOf(command: string, ...args: string[]): VectorReport {
  const ended = spawnSync(command, [...args, main], { encoding: 'utf8', cwd: path('..'), timeout: PATIENCE_MS });
  if (ended.status !== 0) throw new Error(`${command} ended with ${ended.status}: ${ended.stderr}`);
  return JSON.parse(ended.stdout);
}

const node22 = findInstalled('node-22', 'bin/node');
const node26 = findInstalled('node-26', 'bin/node');
const bun = findInstalled('bun', 'bin/bun.exe');
const deno = findInstalled('deno', 'deno');
const miniflare = findInstalled('miniflare');
const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((file) => existsSync(file));
const playwright = findInstalled('playwright-core');

async function reportOfWorkerd(): Promise<VectorReport> {
  await using worker = startWorker(requireInstalled, await bundleFor('workerd', VECTORS_MODULE));
  return (await (await worker.fetch('http://worker.test/')).json()) as VectorReport;
}

type Run = () => VectorReport | Promise<VectorReport>;
const inNode = (node: string | undefined, ...args: string[]): Run | undefined =>
  node === undefined ? undefined : () => reportOf(node, '--disable-warning=ExperimentalWarning', ...args);

const runtimes: [name: string, build: VectorReport['build'], run: Run | undefined][] = [
  ['Node 22', 'node', inNode(node22)],
  ['Node 22, portable build', 'portable', inNode(node22, '--conditions=workerd')],
  ['Node 24', 'node', inNode(process.execPath)],
  ['Node 24, portable build', 'portable', inNode(process.execPath, '--conditions=workerd')],
  ['Node 26', 'node', inNode(node26)],
  ['Node 26, portable build', 'portable', inNode(node26, '--conditions=workerd')],
  ['Bun', 'node', bun === undefined ? undefined : () => reportOf(bun, 'run')],
  [
    'Deno',
    'node',
    deno === undefined ? undefined : () => reportOf(deno, 'run', '--quiet', '--allow-all', '--node-modules-dir=manual'),
  ],
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
  for (const [name, build, run] of runtimes) {
    if (!run) console.warn(`Not tested in ${name}: it is not installed (npm run runtimes, and Debian's chromium).`);
    it.skipIf(!run)(`in ${name}`, async () => {
      expect(await run?.()).toEqual({ build, checked: countChecks(document.vectors as Vector[]), wrong: [] });
    });
  }
});
