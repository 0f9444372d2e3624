import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '@svc/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { customerProject } from '../../src/customer-project.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-older-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const must = async (command: string, argv: string[], cwd: string) => {
  const { status, stdout, stderr } = await run(command, argv, { cwd });
  if (status !== 0) throw new Error(stdout + stderr);
};

const install = async (cwd: string, ...tools: string[]) => {
  writeFileSync(join(cwd, 'package.json'), '{ "name": "customer", "private": true, "type": "module" }');
  const argv = ['install', '--prefer-offline', '--no-audit', '--no-fund', ...customerProject().tarballs, ...tools];
  await must('npm', argv, cwd);
};

/** The name of the package in a tarball. */
const nameOf = (path: string) => `@svc/${/svc-([a-z-]+)-\d[^/]*$/.exec(path)?.[1]}`;

/** The `vitest` entry with its fixtures and matchers, and the `msw` entry. */
const SUITE = `
import { createClient } from '@svc/client';
import { createMockService } from '@svc/mock-server/msw';
import { expect, test } from '@svc/mock-server/vitest';
import { setupServer } from 'msw/node';

test('a fixture delivers, and the matchers see it', async ({ service, workspace, receiver }) => {
  const svc = createClient({ apiKey: workspace.apiKey, baseUrl: service.url });
  const { secret } = await svc.webhooks.endpoints.create({ url: receiver.url, subscribedEvents: ['*'] });
  await service.trigger('lifecycle.evaluated', { workspaceId: workspace.workspaceId });
  await service.waitForIdle();
  expect(receiver).toHaveDelivered('lifecycle.evaluated', 1);
  expect(receiver).not.toHaveDelivered('webhook.ping');
  expect(receiver.requests[0]).toBeSignedWith(secret.secret);
});

test('the handlers of MSW answer for the service', async () => {
  await using service = await createMockService();
  const server = setupServer(...service.handlers);
  server.listen({ onUnhandledRequest: 'error' });
  const { apiKey, workspaceId } = await service.workspace();
  const svc = createClient({ apiKey, baseUrl: 'https://api.example.com' });
  expect((await svc.me.retrieve()).workspace.id).toBe(workspaceId);
  server.close();
});
`;

beforeAll(async () => {
  await install(folder, 'vitest@3.2.0', 'msw@2.0.0');
  writeFileSync(join(folder, 'suite.test.js'), SUITE);
});

/** The previous major versions of what the packages have as optional peers. */
const PREVIOUS = { zod: '^3.25.0', fastify: '^4.0.0', vitest: '^2.0.0' };

/** Uses what the client has without zod 4: its schemas come from `zod/v4`. */
const PROGRAM = `
import { createClient } from '@svc/client';
import { resourceSchemas } from '@svc/client/schemas';
import { fixtures } from '@svc/client/testing';
import { createWebhooks } from '@svc/webhooks';
import { z } from 'zod';
createClient();
createWebhooks({ secrets: 'whsec_' + Buffer.alloc(32, 7).toString('base64') });
const { success } = resourceSchemas.Workspace.safeParse(fixtures.workspace());
const refused = resourceSchemas.Workspace.safeParse({ ...fixtures.workspace(), name: 7 });
console.log(success, refused.success, z.string().parse('zod 3'));
`;

describe('Beside zod 3, Fastify 4 and Vitest 2,', () => {
  /** Writes a project with the packages and the older ones, and returns its folder. */
  function projectFor(manager: string, tarballs: readonly string[]): string {
    const project = join(folder, `beside-${manager}`);
    mkdirSync(project);
    const own = Object.fromEntries(tarballs.map((path) => [nameOf(path), `file:${path}`]));
    const dependencies = { ...PREVIOUS, ...own };
    writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
    writeFileSync(join(project, 'program.js'), PROGRAM);
    return project;
  }
  const { tarballs } = customerProject();
  // The server depends on the two others, which only npm finds without a registry.
  const libraries = tarballs.filter((path) => nameOf(path) !== '@svc/mock-server');

  test.each([
    ['npm', tarballs, ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']],
    ['pnpm', libraries, ['npx', '--yes', 'pnpm', 'install', '--ignore-scripts', '--prefer-offline']],
    ['yarn', libraries, ['npx', '--yes', 'yarn@1', 'install', '--ignore-scripts', '--non-interactive']],
  ])('%s installs the packages, and they work', async (manager, packed, [command = '', ...argv]) => {
    const project = projectFor(manager, packed);
    const installed = await run(command, argv, { cwd: project });
    expect(installed.status, installed.stdout + installed.stderr).toBe(0);
    const { stdout, stderr } = await run('node', ['program.js'], { cwd: project });
    expect(stdout, stderr).toBe('true false zod 3\n');
  });
});

test('pnpm links Vitest and MSW to the server, also if it hoists nothing', async () => {
  using scratch = new DisposableStack();
  const project = mkdtempSync(join(tmpdir(), 'svc-pnpm-'));
  scratch.defer(() => rmSync(project, { recursive: true, force: true }));
  const { tarballs } = customerProject();
  const own = Object.fromEntries(tarballs.map((path) => [nameOf(path), `file:${path}`]));
  const dependencies = { ...own, vitest: '3.2.0', msw: '2.7.0' };
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
  // The server depends on the two others, which are not in the registry.
  writeFileSync(join(project, 'pnpm-workspace.yaml'), JSON.stringify({ hoist: false, overrides: own }));
  writeFileSync(join(project, 'suite.test.js'), SUITE);
  await must('npx', ['--yes', 'pnpm', 'install', '--ignore-scripts', '--prefer-offline'], project);
  const { stdout, stderr } = await run('npx', ['vitest', 'run', '--reporter=json'], { cwd: project });
  expect(JSON.parse(stdout), stderr).toMatchObject({ numPassedTests: 2, numFailedTests: 0 });
});

test('beside an older zod, the libraries install, and only their schemas fail', async () => {
  using scratch = new DisposableStack();
  const project = mkdtempSync(join(tmpdir(), 'svc-zod-'));
  scratch.defer(() => rmSync(project, { recursive: true, force: true }));
  await install(project, 'zod@3.24.4');
  const says = async (program: string) => {
    const { stdout, stderr } = await run('node', ['--input-type', 'commonjs', '-e', program], { cwd: project });
    return stdout + stderr;
  };
  for (const name of ['@svc/client', '@svc/webhooks']) {
    expect(await says(`require('${name}'); require('${name}/testing');`)).toBe('');
    const schemas = `${name}/schemas`;
    expect(await says(`require('${schemas}')`)).toContain(
      `${schemas} requires zod 3.25 or 4. Run: npm install zod@^3.25, or zod@4`,
    );
    // Imports are resolved before any code runs, so this is the message of Node. The guides name it.
    expect(await says(`import('${schemas}')`)).toContain('Package subpath \'./v4\' is not defined by "exports" in');
  }
});

test('the oldest Vitest and MSW that the server promises run its entries', async () => {
  const { stdout, stderr, status } = await run('npx', ['vitest', 'run', '--reporter=json'], { cwd: folder });
  expect(JSON.parse(stdout), stderr).toMatchObject({ numPassedTests: 2, numFailedTests: 0 });
  expect(status).toBe(0);
});

describe('Beside Vitest 2, MSW 1 and the types of Node,', () => {
  const before = join(folder, 'before');
  beforeAll(async () => {
    mkdirSync(before);
    await install(before, 'vitest@2', 'msw@1', '@types/node@24');
  });

  test('the server installs, and these entries say what they require', async () => {
    const says = async (entry: string) => (await run('node', ['-e', `import('${entry}')`], { cwd: before })).stderr;
    // Vitest itself cannot be imported outside of a run.
    writeFileSync(join(before, 'suite.test.js'), "import '@svc/mock-server/vitest';");
    const { stdout, stderr } = await run('npx', ['vitest', 'run'], { cwd: before });
    expect(stdout + stderr).toContain('requires Vitest 3.2 or later; this project has 2.');
    expect(await says('@svc/mock-server/msw')).toContain('requires MSW 2 or later');
    expect(await says('@svc/mock-server/testing')).toBe('');
  });

  test('the server can be updated', async () => {
    const { tarballs } = customerProject();
    const server = tarballs.find((path) => path.includes('mock-server')) ?? '';
    const next = join(before, 'next');
    mkdirSync(next);
    await must('tar', ['xzf', server, '-C', next], before);
    await must('npm', ['version', '99.0.0', '--no-git-tag-version'], join(next, 'package'));
    await must('npm', ['pack', '--ignore-scripts', '--pack-destination', '..'], join(next, 'package'));
    const update = ['install', '--prefer-offline', '--no-audit', '--no-fund', './next/svc-mock-server-99.0.0.tgz'];
    await must('npm', update, before);
    const installed = readFileSync(join(before, 'node_modules/@svc/mock-server/package.json'), 'utf8');
    expect(JSON.parse(installed).version).toBe('99.0.0');
  });
});
