import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '@svc/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { customerProject } from '../../src/customer-project.ts';
import { startRegistry } from '../../src/registry.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-action-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the action's script like a job. */
async function runAction(
  argv: string,
  settings: NodeJS.ProcessEnv = { SVC_MOCK_COMMAND: `node ${join(root, 'mock-server/bin/svc-mock.js')}` },
): Promise<{ status: number | null; stdout: string; stderr: string; outputs: Map<string, string> }> {
  const output = join(folder, 'output');
  const child = spawn('bash', [join(root, 'action/start.sh')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      RUNNER_TEMP: folder,
      GITHUB_OUTPUT: output,
      SVC_MOCK_VERSION: 'latest',
      SVC_MOCK_ARGUMENTS: argv,
      ...settings,
    },
  });
  let stdout = '';
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const [status] = await once(child, 'close');
  const text = status === 0 ? readFileSync(output, 'utf8') : '';
  const pairs = text
    .trimEnd()
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const);
  return { status: status as number | null, stdout, stderr, outputs: new Map(pairs) };
}

const whoAmI = (outputs: ReadonlyMap<string, string>) =>
  fetch(`${outputs.get('url')}/v1/me`, { headers: { authorization: `Bearer ${outputs.get('api-key')}` } });

const stopServer = () => void process.kill(Number(readFileSync(join(folder, 'svc-mock/pid'), 'utf8')));

/** Starts a registry that has the packed packages, and makes the action use it. */
async function useRegistry(cleanup: AsyncDisposableStack): Promise<void> {
  const { url } = cleanup.use(await startRegistry(customerProject().tarballs));
  mkdirSync(join(folder, 'svc-mock'));
  writeFileSync(join(folder, 'svc-mock/.npmrc'), `@svc:registry=${url}\nprefer-offline=true\n`);
}

describe('The script of the GitHub Action', () => {
  test('installs the server from the registry, and starts it', async () => {
    await using cleanup = new AsyncDisposableStack();
    await useRegistry(cleanup);
    const { status, stderr, outputs } = await runAction('--memory', {});
    expect(status, stderr).toBe(0);
    cleanup.defer(stopServer);
    expect(existsSync(join(folder, 'svc-mock/node_modules/@svc/mock-server/bin/svc-mock.js'))).toBe(true);
    expect((await whoAmI(outputs)).status).toBe(200);
  });

  test('fails with the reason if there is no such version', async () => {
    await using cleanup = new AsyncDisposableStack();
    await useRegistry(cleanup);
    const { status, stderr } = await runAction('--memory', { SVC_MOCK_VERSION: '99.0.0' });
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/No matching version found for @svc\/mock-server@99\.0\.0/);
  });

  test('starts a server that outlives it, and outputs its URL and credentials', async () => {
    const { status, stdout, outputs } = await runAction('--memory');
    expect(status).toBe(0);
    try {
      const masked = (JSON.parse(String(outputs.get('credentials'))) as { credential: string }[]).map(
        ({ credential }) => `::add-mask::${credential}\n`,
      );
      expect(stdout).toBe(masked.join(''));
      // The file contains the credentials.
      expect(statSync(join(folder, 'svc-mock/ready.json')).mode & 0o077).toBe(0);
      expect((await whoAmI(outputs)).status).toBe(200);
      expect(outputs.get('control-url')).toBe(`${outputs.get('url')}/_control`);
      expect(JSON.parse(String(outputs.get('credentials')))).toContainEqual(
        expect.objectContaining({ kind: 'api_key' }),
      );
    } finally {
      stopServer();
    }
  });

  test('fails with the reason if the server does not start', async () => {
    const { status, stderr } = await runAction('--memory --port nonsense');
    expect(status).toBe(1);
    expect(stderr).toContain('svc-mock: ');
  });
});
