import { copyFileSync, mkdtempSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, startProcess } from '@svc/testing';
import { createDatabase, dropDatabases, startCluster, type TestPostgres } from '@svc/testing/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findInstalled, type Installable } from '../../../../runtimes/installed.ts';
import { nativeCompiler } from '../../../../tools/installed.ts';
import { type CustomerProject, customerProject } from '../../src/customer-project.ts';

const cleanup = new AsyncDisposableStack();
let project: CustomerProject;
let postgres: TestPostgres;

beforeAll(async () => {
  project = customerProject();
  copyFileSync(join(root, 'packages/acceptance/customer/receive-a-delivery.mjs'), join(project.folder, 'receive.mjs'));
  const named = process.env['SVC_TEST_POSTGRES_URL'];
  const url = named ?? cleanup.use(await startCluster()).url;
  postgres = { url, prefix: `svc_tarballs_${process.pid}` };
  if (named) cleanup.defer(() => dropDatabases(postgres));
});
afterAll(() => cleanup.disposeAsync());

const write = (name: string, text: string) => writeFileSync(join(project.folder, name), text);

const program = `
const secret = 'whsec_' + Buffer.alloc(32, 7).toString('base64url');
const webhooks = createWebhooks({ secrets: secret });
const refused = webhooks.check({ body: '{}', headers: {} });
const client = createClient({ apiKey: 'svc_sk_test_x', baseUrl: 'http://127.0.0.1:9', maxRetries: 0 });
client.me.retrieve().then(
  () => { throw new Error('Nobody listens there.'); },
  (error) => console.log(process.version, refused.error.code, error instanceof NetworkError, error instanceof ServiceError),
);
`;

describe('The packed tarballs, installed in an empty project', () => {
  test('work with import on the oldest Node', async () => {
    write(
      'esm.mjs',
      `import { createClient, NetworkError, ServiceError } from '@svc/client';\nimport { createWebhooks } from '@svc/webhooks';\n${program}`,
    );
    expect(await project.run(project.oldestNode, ['esm.mjs'])).toBe('v22.19.0 missing_header true true\n');
  });

  test('work with require on the oldest Node', async () => {
    write(
      'cjs.cjs',
      `const { createClient, NetworkError, ServiceError } = require('@svc/client');\nconst { createWebhooks } = require('@svc/webhooks');\n${program}`,
    );
    expect(await project.run(project.oldestNode, ['cjs.cjs'])).toBe('v22.19.0 missing_header true true\n');
  });

  const typed = `
import { createClient, type Workspace } from '@svc/client';
import { createWebhooks } from '@svc/webhooks';
const svc = createClient({ apiKey: 'svc_sk_test_x', baseUrl: 'http://127.0.0.1:9' });
export const workspace: Promise<Workspace> = svc.workspaces.retrieve('wsp_1');
const { event, known } = createWebhooks({ secrets: 'whsec_x' }).verify({ body: '', headers: {} });
export const id: string = event.id;
export const isKnown: boolean = known;
// @ts-expect-error an API key lists no workspaces
svc.workspaces.list();
`;

  /** Each way to resolve the packages, and the files that try it. They compile together, in the time of one. */
  const ways = {
    node16: { moduleResolution: 'node16', files: ['types.mts', 'types.cts'] },
    nodenext: { moduleResolution: 'nodenext', files: ['types.mts', 'types.cts', 'wrong.mts'] },
    esnext: { moduleResolution: 'bundler', files: ['types.ts'] },
  };
  const outputs: Partial<Record<keyof typeof ways, Promise<string>>> = {};

  async function compile(module: keyof typeof ways): Promise<string> {
    const { moduleResolution, files } = ways[module];
    for (const file of files) {
      write(file, file === 'wrong.mts' ? typed.replace("'wsp_1'", "'org_1'") : typed);
    }
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2024,dom,dom.iterable'];
    const argv = [nativeCompiler, ...options, '--module', module, '--moduleResolution', moduleResolution, ...files];
    return (await run('node', argv, { cwd: project.folder })).stdout;
  }

  /** The errors in a file, and those outside the files that compile with it. */
  async function errorsOf(module: keyof typeof ways, file: string): Promise<string[]> {
    outputs[module] ??= compile(module);
    const errors = (await outputs[module]).split('\n').filter((line) => line.includes('error TS'));
    return errors.filter((line) => !ways[module].files.some((other) => other !== file && line.startsWith(`${other}(`)));
  }

  test.each([
    ['node16', 'types.mts'],
    ['node16', 'types.cts'],
    ['nodenext', 'types.mts'],
    ['nodenext', 'types.cts'],
    ['esnext', 'types.ts'],
  ] as const)('their types resolve with module %s from %s', async (module, file) => {
    expect(await errorsOf(module, file)).toEqual([]);
  });

  test('a wrong type does not compile', async () => {
    expect(await errorsOf('nodenext', 'wrong.mts')).toEqual([expect.stringContaining('org_1')]);
  });
});

const command = (node: string) => [node, join(project.folder, 'node_modules/.bin/svc-mock')];

/** The kinds of lines in a log. @throws if a line is not a JSON line of the log. */
function kindsOf(log: string): string[] {
  const lines = log.trimEnd().split('\n');
  const kinds = lines.map((line) => {
    const { level, msg } = JSON.parse(line) as { level: number; msg: string };
    // The delivery that was just verified may not be stored yet. Then the server says that it is finishing it.
    return `${level} ${msg.replace(/: finishing 1 delivery in flight \(at most 10 s\)/, '')}`;
  });
  return [...new Set(kinds)].toSorted();
}

/** Starts the server, lets a customer's program receive a delivery from it, and stops it, all on this Node. */
async function tryOut(node: string, options: string[]): Promise<void> {
  await using server = await startProcess(
    ['--data', mkdtempSync(join(project.folder, 'data-')), ...options],
    command(node),
  );
  const key = server.ready.credentials.find(({ kind }) => kind === 'api_key');
  const customer = await run(node, ['receive.mjs', server.ready.url, String(key?.credential)], { cwd: project.folder });
  const { stdout: version } = await run(node, ['--version']);
  expect(customer).toEqual({ status: 0, stdout: `${version.trimEnd()} verified webhook.ping\n`, stderr: '' });
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
  // Only the log: no warning from Node, and no error.
  expect(kindsOf(server.stderr())).toEqual([
    '30 Stopping. Send SIGTERM again to stop immediately.',
    '30 attempt made',
    '30 request',
  ]);
}

const promised = { name: 'the oldest Node that the packages promise', find: () => project.oldestNode };
const installed = (['node-22', 'node-24', 'node-26'] satisfies Installable[]).map((name) => ({
  name,
  find: () => findInstalled(name, 'bin/node'),
}));

describe.each([promised, ...installed])('The packed tarballs, on $name,', ({ name, find }) => {
  const isMissing = name !== promised.name && find() === undefined;
  if (isMissing) console.info(`Skipped, ${name} is not installed (npm run runtimes): the packed tarballs on it`);

  test.skipIf(isMissing)('serve, deliver, verify and stop with SQLite', async () => {
    await tryOut(String(find()), []);
  });

  test.skipIf(isMissing)('serve, deliver, verify and stop with PostgreSQL', async () => {
    await tryOut(String(find()), ['--database', await createDatabase(postgres)]);
  });
});

test('on a Node that is too old, svc-mock says which one it needs', async () => {
  const [node = '', ...argv] = command(project.tooOldNode);
  const { status, stdout, stderr } = await run(node, argv);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^svc-mock: Node 22\.19 or later is required; this is Node 22\.12\.0\.\n$/);
});

test('the conformance suite on the oldest Node finds that the packed server follows every statement', async () => {
  await using server = await startProcess(['--memory'], command(project.oldestNode));
  const suite = join(project.folder, 'node_modules/@svc/conformance/bin/svc-conformance.js');
  const argv = [suite, '--url', server.ready.url, '--control', server.ready.controlUrl];
  const { status, stdout, stderr } = await run(project.oldestNode, argv);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^The service conforms\. (\d+) of \1 statements were checked\.$/m);
  const wrong = await run(project.oldestNode, [suite, '--url', server.ready.url, '--api-key', 'svc_sk_wrong']);
  expect(wrong).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('rejected the API key (401)') });
});

/** Bytes of the files in a folder. */
function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

test('the client is under 1.5 MB with ky and with its source maps', () => {
  const modules = join(project.folder, 'node_modules');
  expect(sizeOf(join(modules, '@svc/client')) + sizeOf(join(modules, 'ky'))).toBeLessThan(1.5e6);
});

test('the three packages are under 26 MB, including everything that they install', () => {
  const modules = join(project.folder, 'node_modules');
  // These tests also install two versions of Node there, and the conformance suite.
  const nodes = readdirSync(modules).filter((name) => /^node(-too-old|-bin-setup|-linux-\w+)?$/.test(name));
  const ofTests = [...nodes, '@svc/conformance'];
  const bytes = sizeOf(modules) - ofTests.reduce((sum, name) => sum + sizeOf(join(modules, name)), 0);
  expect(bytes).toBeGreaterThan(5_000_000);
  // The target is 25 MB. The descriptions and samples of both OpenAPI documents take 1 % more, and so do the source maps.
  expect(bytes).toBeLessThan(26_000_000);
});

test.each(['client', 'webhooks', 'mock-server'])(
  'the declarations of %s have examples, not the names of their files',
  (name) => {
    const dist = join(project.folder, 'node_modules/@svc', name, 'dist');
    const texts = readdirSync(dist)
      .filter((file) => file.endsWith('.d.ts'))
      .map((file) => readFileSync(join(dist, file), 'utf8'));
    expect(texts.filter((text) => text.includes('{@includeCode'))).toEqual([]);
    expect(texts.join('')).toContain(' * ```ts\n');
  },
);

test('installing the packages builds nothing', () => {
  const lock = JSON.parse(readFileSync(join(project.folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean }>;
  };
  const scripts = Object.keys(lock.packages).filter((name) => lock.packages[name]?.hasInstallScript);
  expect(scripts.filter((name) => !/^node_modules\/node(-too-old)?$/.test(name))).toEqual([]);
});

test("PostgreSQL's driver is loaded only with --database", async () => {
  const driver = join(project.folder, 'node_modules/pg');
  renameSync(driver, `${driver}.away`);
  try {
    await using server = await startProcess(['--memory'], command(project.oldestNode));
    expect((await fetch(`${server.ready.url}/health/ready`)).status).toBe(200);
    const [node = '', ...argv] = command(project.oldestNode);
    const { status, stderr } = await run(node, [...argv, '--port', '0', '--database', 'postgres://127.0.0.1:9/none']);
    expect({ status: status !== 0, stderr }).toEqual({ status: true, stderr: expect.stringContaining("'pg'") });
  } finally {
    renameSync(`${driver}.away`, driver);
  }
});

test('each entry of the server loads with require on the oldest Node that it promises', async () => {
  write(
    'require-server.cjs',
    `
    const { startServer } = require('@svc/mock-server');
    const { startMockService } = require('@svc/mock-server/testing');
    startMockService().then(async (service) => {
      const answer = await fetch(service.url + '/health/ready');
      await service.close();
      const { openapi, paths } = require('@svc/mock-server/openapi.json');
      const control = require('@svc/mock-server/control-openapi.json');
      const events = require('@svc/webhooks/events.schema.json');
      require('@svc/mock-server/control');
      console.log(typeof startServer, answer.status, typeof require('@svc/mock-server/seed.schema.json').properties);
      console.log(openapi, '/v1/me' in paths, '/_control/clock' in control.paths, 'webhook.ping' in events.$defs);
    });
  `,
  );
  expect(await project.run(project.oldestNode, ['--no-warnings', 'require-server.cjs'])).toBe(
    'function 200 object\n3.1.0 true true true\n',
  );
});
