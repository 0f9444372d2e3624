import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startCluster } from '../../../mock-server/test/postgres/cluster.ts';
import { createDatabase, dropDatabases, type TestPostgres } from '../../../mock-server/test/postgres/databases.ts';
import { parseGuide } from '../src/guide.ts';
import { playGuide } from '../src/play-guide.ts';
import { startRegistry } from '../src/registry.ts';
import { root, run } from '../src/run.ts';

/** The pages that a newcomer follows, and how many of their blocks do something. */
const PAGES = [
  ['mock-server/README.md', 3],
  ['docs/guides/seeds.md', 2],
  ['docs/guides/test-your-code.md', 5],
  ['docs/guides/test-with-node-or-jest.md', 5],
  ['docs/guides/test-with-msw.md', 5],
  ['docs/guides/test-in-a-browser.md', 4],
  ['docs/guides/develop-locally.md', 11],
  ['docs/guides/write-scripts.md', 1],
  ['docs/guides/reproduce-a-bug.md', 9],
  ['docs/guides/run-a-fleet.md', 6],
] as const;

const cleanup = new AsyncDisposableStack();
let folder: string;
let postgres: TestPostgres;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-newcomer-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const packages = ['@svc/client', '@svc/webhooks', '@svc/mock-server'].flatMap((name) => ['-w', name]);
  const packed = await run('npm', ['pack', '--silent', '--pack-destination', folder, ...packages]);
  expect(packed.status).toBe(0);
  const tarballs = readdirSync(folder).map((name) => join(folder, name));
  const registry = cleanup.use(await startRegistry(tarballs));

  const { SVC_URL: _url, SVC_API_KEY: _key, NODE_OPTIONS: _options, ...rest } = process.env;
  env = Object.fromEntries(Object.entries(rest).filter(([name]) => !/^(npm_|VITEST|NODE_ENV|TEST$)/.test(name)));
  // The Node that runs this test comes first, and no command of this repository is found.
  const path = String(env['PATH']).split(delimiter);
  env['PATH'] = [dirname(process.execPath), ...path.filter((one) => !one.startsWith(root))].join(delimiter);
  env['npm_config_loglevel'] = 'error';
  writeFileSync(
    join(folder, '.npmrc'),
    `@svc:registry=${registry.url}\nprefer-offline=true\naudit=false\nfund=false\n`,
  );
  writeFileSync(join(folder, 'package.json'), '{ "name": "newcomer", "private": true }');
  const install = 'npm install @svc/client @svc/webhooks @svc/mock-server';
  await playGuide(parseGuide(`\`\`\`sh\n${install}\n\`\`\``), { cwd: folder, env });

  const named = process.env['SVC_TEST_POSTGRES_URL'];
  const url = named ?? cleanup.use(await startCluster()).url;
  postgres = { url, prefix: `svc_newcomer_${process.pid}` };
  if (named) cleanup.defer(() => dropDatabases(postgres));
});
afterAll(() => cleanup.disposeAsync());

/** The pages use the ports that are written in them. Another program may have one for a while. */
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
  test.each(PAGES)('every block of %s runs as it is written', async (page, blocksMin) => {
    const blocks = parseGuide(readFileSync(join(root, page), 'utf8'));
    expect(blocks.length).toBeGreaterThanOrEqual(blocksMin);
    for (const port of [3000, 4010, 4011, 4012]) await whenFree(port);
    const isFleet = page.includes('fleet');
    // One newcomer follows all pages, in one folder.
    const settings = isFleet ? { SVC_DATABASE_URL: await createDatabase(postgres) } : {};
    await playGuide(blocks, { cwd: folder, env: { ...env, ...settings } });
  });

  test('a block that fails is reported with its line', async () => {
    const blocks = parseGuide('# A guide\n\n```sh\nnpx svc-mock nonsense\n```\n');
    await expect(playGuide(blocks, { cwd: folder, env })).rejects.toThrow(/^The block on line 3: It ended with 2/);
  });

  test('a block that nothing explains is reported', async () => {
    const blocks = parseGuide('```yaml\na: 1\n```\n');
    await expect(playGuide(blocks, { cwd: folder, env })).rejects.toThrow('Nothing says what a block of yaml is for.');
  });

  test('npx finds the command by the name of the package, too', async () => {
    await playGuide(parseGuide('```sh\nnpx @svc/mock-server --help\n```'), { cwd: folder, env });
  });
});
