import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PUBLISHED } from '../check-release/manifests.ts';
import { npm } from '../check-release/npm.ts';
import { pack } from '../check-release/tarballs.ts';
import { printHelpIfAsked } from '../usage.ts';

printHelpIfAsked(`
Measures how long npm takes to install the three packed packages, and other mock servers, from a warm cache. Each
round runs every install once, in an empty project. Also prints the installed size and the number of packages. ROUNDS=5
sets the number of rounds.

  npm run bench -- install
`);

const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
const OURS = '@svc/client, @svc/webhooks and @svc/mock-server';

const folder = mkdtempSync(join(tmpdir(), 'svc-install-'));
try {
  // Nobody installs the conformance suite for development.
  const measured = PUBLISHED.filter((name) => name !== 'packages/conformance');
  const tarballs = (await pack(measured, folder)).map(({ path }) => path);
  const contestants = new Map([
    [OURS, tarballs],
    ['json-server 0.17.4', ['json-server@0.17.4']],
    ['Prism 5.16.0', ['@stoplight/prism-cli@5.16.0']],
  ]);
  const seconds = new Map([...contestants.keys()].map((name) => [name, [] as number[]]));
  const installed = new Map<string, { megabytes: number; packages: number }>();
  // The first round fills the cache, so its result does not count.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, packages] of contestants) {
      const project = join(folder, `${round}-${name.replaceAll(/\W+/g, '-')}`);
      const took = await install(project, packages);
      if (round > 0) seconds.get(name)?.push(took);
      installed.set(name, look(project));
      rmSync(project, { recursive: true });
    }
  }

  const base = median(seconds.get('json-server 0.17.4') ?? []);
  console.log(`npm install from a warm cache. Medians of ${ROUNDS} rounds.\n`);
  console.log('| | time | relative to json-server | size | packages |');
  console.log('|---|---|---|---|---|');
  for (const [name, times] of seconds) {
    const time = median(times);
    const { megabytes, packages } = installed.get(name) ?? { megabytes: 0, packages: 0 };
    const columns = [`${time.toFixed(1)} s`, (time / base).toFixed(2), `${megabytes.toFixed(1)} MB`, packages];
    console.log(`| ${name} | ${columns.join(' | ')} |`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Returns the duration in seconds. */
async function install(project: string, packages: string[]): Promise<number> {
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
  const startedAt = performance.now();
  await npm(['install', '--prefer-offline', '--no-audit', '--no-fund', '--silent', ...packages], project);
  return (performance.now() - startedAt) / 1_000;
}

function look(project: string): { megabytes: number; packages: number } {
  const files = readdirSync(join(project, 'node_modules'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  const packages = files.filter(
    ({ parentPath, name }) => name === 'package.json' && /node_modules\/(?:@[^/]+\/)?[^/@]+$/.test(parentPath),
  );
  return { megabytes: bytes / 1e6, packages: packages.length };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
