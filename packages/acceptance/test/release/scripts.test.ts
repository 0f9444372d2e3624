import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { copyRepository, root, run } from '@svc/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { benches } from '../../../../scripts/benches.ts';

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** Scripts that only call others. */
const chains = Object.entries(scripts).filter(([, command]) =>
  /^npm run \S+( && npm run \S+)+$|^npm run --silent build && .* run-p /.test(command),
);
/** Scripts that install something or take minutes. CI runs each on a clean checkout. */
const ofCi = ['build', 'tools', 'runtimes', 'docs:install', 'test:release', 'check:docs'];
const others = Object.keys(scripts).filter(
  (name) => !name.startsWith('pre') && !ofCi.includes(name) && !chains.some(([chain]) => chain === name),
);
/** Scripts that build the type declarations first, which takes most of the time of a build. */
const withDeclarations = others.filter((name) => scripts[name]?.startsWith('npm run --silent build && '));

let folder: string;
let clone: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-scripts-'));
  clone = join(folder, 'clone');
  await run('git', ['clone', '--quiet', await copyRepository(folder), clone]);
  // What `npm ci` installed here, without what other scripts left in it.
  mkdirSync(join(clone, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')).filter((name) => name !== '.cache')) {
    const [from, to] = [join(root, 'node_modules', name), join(clone, 'node_modules', name)];
    // These have relative links, which lead to the packages of the clone.
    if (['.bin', '@svc'].includes(name)) cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    else symlinkSync(from, to);
  }
  if (existsSync(join(root, 'mock-server/node_modules')))
    cpSync(join(root, 'mock-server/node_modules'), join(clone, 'mock-server/node_modules'), { recursive: true });
  for (const place of ['tools', 'docs', 'packages/client/test', 'packages/webhooks/test', 'packages/webhooks/bench']) {
    const installed = join(clone, place, 'node_modules');
    expect(existsSync(dirname(installed))).toBe(true);
    symlinkSync(join(root, place, 'node_modules'), installed);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** Runs a script in the clone. */
async function expectToRun(name: string): Promise<void> {
  // The example has no `--help`, and runs for real.
  const argv = ['run', '--silent', name, ...(name === 'example' ? [] : ['--', '--help'])];
  const { status, stdout, stderr } = await run('npm', argv, { cwd: clone });
  expect(status, stdout + stderr).toBe(0);
  expect(stdout + stderr).not.toMatch(/ERR_MODULE_NOT_FOUND|Cannot find (?:module|package)/);
  // `--help` only prints.
  expect((await run('git', ['status', '--porcelain', '--untracked-files=no'], { cwd: clone })).stdout).toBe('');
}

test.each([
  ['tools/run.ts', 'npm run tools'],
  ['docs/build/ensure-installed.ts', 'npm run docs:install'],
])('%s says why an installation failed, and what to do', async (script, remedy) => {
  using scratch = new DisposableStack();
  const place = mkdtempSync(join(tmpdir(), 'svc-offline-'));
  scratch.defer(() => rmSync(place, { recursive: true, force: true }));
  const bare = join(place, 'clone');
  await run('git', ['clone', '--quiet', await copyRepository(place), bare]);
  // Nobody listens on this port. `silent` is what `npm run --silent` sets.
  const settings = ['registry=http://127.0.0.1:9', `cache=${place}/cache`, 'fetch_retries=0', 'loglevel=silent'];
  const argv = [...settings.map((setting) => `npm_config_${setting}`), 'node', script];
  const { status, stderr } = await run('env', argv, { cwd: bare });
  expect(status).toBe(1);
  expect(stderr).toContain('ECONNREFUSED');
  expect(stderr).toMatch(new RegExp(`npm says why above\\. .+ run: ${remedy}\n$`));
  expect(stderr).not.toMatch(/\n {4}at /);
});

/** Gives the clone the builds of this checkout, so that they are not stale. */
function copyBuilds(): void {
  // Each after those that it needs.
  for (const folder of [
    'packages/client',
    'packages/webhooks',
    'packages/dashboard',
    'mock-server',
    'packages/conformance',
  ]) {
    const stamp = join('node_modules/.cache/built', folder.replace('/', '-'));
    for (const path of [join(folder, 'dist'), stamp]) {
      rmSync(join(clone, path), { recursive: true, force: true });
      cpSync(join(root, path), join(clone, path), { recursive: true });
    }
  }
}

describe('In a clone, after npm ci and the installers,', () => {
  test.each(others.filter((name) => !withDeclarations.includes(name)))(
    'npm run %s finds everything that it needs',
    expectToRun,
  );

  describe('and after npm run build, which CI runs on a clean checkout,', () => {
    beforeAll(copyBuilds);

    test.each(withDeclarations)('npm run %s finds everything that it needs', expectToRun);
  });

  // Another test runs `npm run bench`. Without npm, each benchmark starts in half the time.
  test.each(Object.keys(benches))('npm run bench -- %s finds everything that it needs', async (name) => {
    const { status, stdout, stderr } = await run('node', ['scripts/bench.ts', name, '--help'], { cwd: clone });
    expect(status, stdout + stderr).toBe(0);
    expect(stdout).not.toBe('');
  });

  test('builds at the same time take turns, and the second one finds everything built', async () => {
    rmSync(join(clone, 'packages/webhooks/dist'), { recursive: true, force: true });
    const build = () => run('node', ['scripts/ensure-built.ts', 'packages/webhooks'], { cwd: clone });
    const outcomes = await Promise.all([build(), build()]);
    expect(outcomes.map(({ status }) => status)).toEqual([0, 0]);
    expect(outcomes.map(({ stderr }) => stderr).sort()).toEqual([
      'Building webhooks (once) …\n',
      'Waiting for another process to finish its build …\n',
    ]);
  });

  test('a build whose process is killed is taken over', async () => {
    rmSync(join(clone, 'packages/webhooks/dist'), { recursive: true, force: true });
    const argv = ['scripts/ensure-built.ts', 'packages/webhooks'];
    const killed = spawn('node', argv, { cwd: clone, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
    const [said] = await once(killed.stderr, 'data');
    expect(String(said)).toBe('Building webhooks (once) …\n');
    // With the build that it started.
    process.kill(-Number(killed.pid), 'SIGKILL');
    const { status, stderr } = await run('node', argv, { cwd: clone });
    expect([status, stderr.split('\n').at(-2)]).toEqual([0, 'Building webhooks (once) …']);
    expect(existsSync(join(clone, 'packages/webhooks/dist/index.js'))).toBe(true);
  });

  test('a script whose build fails says so, and ends with 1', async () => {
    rmSync(join(clone, 'packages/client/src/index.ts'));
    const { status, stderr } = await run('npm', ['run', '--silent', 'bench', '--', 'pages', '--help'], { cwd: clone });
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('Cannot build packages/client') });
  });
});

test('npm run typecheck checks every file, but for those that have a configuration of their own', async () => {
  const [tracked, checked] = await Promise.all([
    run('git', ['ls-files', '*.ts', '*.tsx']),
    run('npm', ['run', '--silent', 'typecheck', '--', '--listFilesOnly']),
  ]);
  const isChecked = new Set(checked.stdout.split('\n').map((file) => relative(root, file).replaceAll('\\', '/')));
  const left = tracked.stdout
    .trim()
    .split('\n')
    .filter((file) => !isChecked.has(file));
  const others = [
    'docs/.vitepress/',
    'docs/build/',
    'docs/test/',
    'examples/cloudflare-worker/test/',
    'examples/frontend-msw/',
  ];
  expect(isChecked.size).toBeGreaterThan(500);
  expect(left.filter((file) => !others.some((folder) => file.startsWith(folder)))).toEqual([]);
});

test.each(chains)('npm run %s calls only scripts that exist', (_name, command) => {
  const [, listed = ''] = command.split(' run-p ');
  const called = [
    ...[...command.matchAll(/npm run (?:--silent )?(\S+)/g)].map(([, name = '']) => name),
    ...listed.split(' ').filter((word) => /^[a-z]/.test(word)),
  ];
  expect(called.length).toBeGreaterThan(1);
  expect(called.filter((name) => scripts[name] === undefined)).toEqual([]);
});
