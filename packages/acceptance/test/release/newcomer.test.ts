import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { root, run } from '@svc/testing';
import { createDatabase, dropDatabases, startCluster, type TestPostgres } from '@svc/testing/postgres';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { customerProject } from '../../src/customer-project.ts';
import { parseGuide } from '../../src/guide.ts';
import { playGuide } from '../../src/play-guide.ts';
import { blocksToPlay, PLAYED_PAGES } from '../../src/played-pages.ts';
import { startRegistry } from '../../src/registry.ts';
import { blocksOnSite } from '../../src/site-page.ts';

const cleanup = new AsyncDisposableStack();
/** The project that a newcomer made, in which they follow all pages. */
let folder: string;
let postgres: TestPostgres;
let env: NodeJS.ProcessEnv;
/** Like `env`, but `npx` starts an installed command without npm. Starting npm costs more than most commands. */
let envWithoutNpm: NodeJS.ProcessEnv;

/** The pages that run with npm's own `npx`: one for each package that has a command. */
const WITH_NPM: readonly string[] = ['mock-server/README.md', 'docs/guides/register-an-endpoint.md'];

const NPX_WITHOUT_NPM = `#!/bin/sh
case "$1" in
  @svc/mock-server) command=svc-mock ;;
  *) command="$1" ;;
esac
[ -x "node_modules/.bin/$command" ] || exec "$NPX_OF_NPM" "$@"
shift
exec "node_modules/.bin/$command" "$@"
`;

beforeAll(async () => {
  const home = mkdtempSync(join(tmpdir(), 'svc-newcomer-'));
  cleanup.defer(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  folder = join(home, 'my-project');
  mkdirSync(folder);
  const { tarballs } = customerProject();
  const registry = cleanup.use(await startRegistry(tarballs));

  const { SVC_BASE_URL: _url, SVC_API_KEY: _key, NODE_OPTIONS: _options, ...rest } = process.env;
  env = Object.fromEntries(Object.entries(rest).filter(([name]) => !/^(npm_|VITEST|NODE_ENV|TEST$)/.test(name)));
  // The Node that runs this test comes first in the path, and commands of this repository are not in it.
  const outside = String(env['PATH'])
    .split(delimiter)
    .filter((one) => !one.startsWith(root));
  env['PATH'] = [dirname(process.execPath), ...outside].join(delimiter);
  env['npm_config_loglevel'] = 'error';
  writeFileSync(
    join(folder, '.npmrc'),
    `@svc:registry=${registry.url}\nprefer-offline=true\naudit=false\nfund=false\n`,
  );
  // A call that the server refuses fails its block.
  writeFileSync(join(folder, '.curlrc'), 'fail\n');
  env['CURL_HOME'] = folder;
  const bin = join(home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'npx'), NPX_WITHOUT_NPM, { mode: 0o755 });
  const npx = outside.map((one) => join(one, 'npx')).find(existsSync);
  envWithoutNpm = { ...env, NPX_OF_NPM: npx, PATH: [bin, env['PATH']].join(delimiter) };
  // npm 11 makes a CommonJS project. An older npm does not say which kind it is.
  const project = ['npm init --yes', 'npm pkg set type=commonjs'];
  const install = 'npm install @svc/client @svc/webhooks @svc/mock-server';
  await playGuide(parseGuide(`\`\`\`sh\n${[...project, install].join('\n')}\n\`\`\``), { cwd: folder, env });

  const named = process.env['SVC_TEST_POSTGRES_URL'];
  const url = named ?? cleanup.use(await startCluster()).url;
  postgres = { url, prefix: `svc_newcomer_${process.pid}` };
  if (named) cleanup.defer(() => dropDatabases(postgres));
});
afterAll(() => cleanup.disposeAsync());

/** Waits until a port is free. The pages use fixed ports, and another program may hold one for a while. */
async function whenFree(port: number): Promise<void> {
  await vi.waitUntil(
    async () =>
      await new Promise<boolean>((resolve) => {
        const server = createServer();
        server.once('error', () => resolve(false));
        server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
      }),
  );
}

describe('In an empty project with the packed packages', () => {
  test.each(PLAYED_PAGES)('every block of %s runs unchanged', async (page, blocksMin) => {
    const blocks = blocksToPlay(page);
    expect(blocks.length).toBeGreaterThanOrEqual(blocksMin);
    for (const port of [3000, 4010, 4011, 4012]) await whenFree(port);
    const isFleet = page.includes('run-in-production');
    // One newcomer follows all pages, in one folder.
    const settings = isFleet ? { SVC_DATABASE_URL: await createDatabase(postgres) } : {};
    const tools = WITH_NPM.includes(page) ? env : envWithoutNpm;
    await playGuide(blocks, { cwd: folder, env: { ...tools, ...settings } });
  });

  test('a block that fails is reported with its line', async () => {
    const blocks = parseGuide('# A guide\n\n```sh\nnpx svc-mock nonsense\n```\n');
    await expect(playGuide(blocks, { cwd: folder, env })).rejects.toThrow(
      /^The block on line 3: The shell ended with 2/,
    );
  });

  test('a block without a known purpose is reported', async () => {
    const blocks = parseGuide('```yaml\na: 1\n```\n');
    await expect(playGuide(blocks, { cwd: folder, env })).rejects.toThrow(
      'No instruction says what to do with a block of yaml.',
    );
  });

  test('a CommonJS module can pass the handlers to MSW before the service has started', async () => {
    const program = `
const { createMockService } = require('@svc/mock-server/msw');
const { setupServer } = require('msw/node');
const service = createMockService();
setupServer(...service.handlers).listen();
fetch('https://api.example.com/v1/me').then(({ status }) => {
  require('node:assert').equal(status, 401);
});
`;
    const lines = [
      '<!-- file: handlers.cjs -->',
      '```js',
      program.trim(),
      '```',
      '',
      '```sh',
      'npm install --save-dev msw',
      'node handlers.cjs',
      '```',
      '',
    ];
    await playGuide(parseGuide(lines.join('\n')), { cwd: folder, env });
  });

  test('npx also finds the command by the name of the package', async () => {
    await playGuide(parseGuide('```sh\nnpx @svc/mock-server --help\n```'), { cwd: folder, env });
  });
});

describe('From clone to a verified webhook, with the site only,', () => {
  // It takes minutes, unless the site is up to date.
  beforeAll(async () => {
    const { status, stderr } = await run('npm', ['run', '--silent', 'docs', '--', '--if-stale']);
    expect(status, stderr).toBe(0);
  }, 600_000);

  const done = () => blocksOnSite('start').filter(({ language }) => language !== 'text');

  test('takes three steps, and then at most three more for each use, in two terminals', () => {
    const blocks = done();
    expect(blocks).toHaveLength(3 + 3 + 2 + 2);
    expect(blocks.filter(({ terminal }) => terminal !== undefined)).toHaveLength(2);
    // Each one is typed or saved: nothing is left to guess.
    expect(blocks.filter(({ language, file }) => language !== 'sh' && file === undefined)).toEqual([]);
  });

  test('every step works when it is pasted', async () => {
    // The first step clones, installs and builds. CI does that with a new clone; here, this checkout is the clone.
    const [, project, ...inProject] = done();
    if (!project) throw new Error('The page has fewer than two steps.');
    const home = mkdtempSync(join(tmpdir(), 'svc-clock-'));
    cleanup.defer(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
    const settings = { ...env, npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
    for (const tarball of customerProject().tarballs) copyFileSync(tarball, join(home, basename(tarball)));
    await playGuide([project], { cwd: home, env: settings });
    for (const port of [3000, 4010]) await whenFree(port);
    // The receiver prints a line only if it has verified a delivery.
    await playGuide(inProject, { cwd: join(home, 'my-project'), env: settings });
  });

  test('does not work with another secret', async () => {
    const blocks = done().slice(2, 6);
    const receiver = blocks.find(({ file }) => file === 'receiver.mjs');
    if (!receiver) throw new Error('The page has no receiver.');
    const wrong = `'whsec_${Buffer.alloc(32, 1).toString('base64')}'`;
    receiver.code = receiver.code.replace('secrets: secret.secret', `secrets: ${wrong}`);
    expect(receiver.code).toContain(wrong);
    for (const port of [3000, 4010]) await whenFree(port);
    await expect(playGuide(blocks, { cwd: folder, env })).rejects.toThrow(/did not print verified webhook.ping/);
  });
});
