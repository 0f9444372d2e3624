import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { freePort } from '@svc/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root, run } from '../src/run.ts';
import { type ServerProcess, startProcess } from '../src/server-process.ts';

/** Inside the repository, so that the packages resolve by name. */
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(root, 'packages/acceptance/.readme-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const blocksOf = (file: string) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => String(code));

test('The guide to the configuration has exactly the options that --help has', async () => {
  const { stdout } = await run('node', ['mock-server/dist/main.js', 'start', '--help']);
  const offered = [...stdout.matchAll(/^ {2}(?:-h, )?(--[\w-]+)/gm)]
    .map(([, name]) => name)
    .filter((name) => name !== '--help');
  const documented = [
    ...readFileSync(join(root, 'docs/guides/configuration.md'), 'utf8').matchAll(/^\| `(--[\w-]+)`/gm),
  ];
  expect(documented.map(([, name]) => name).toSorted()).toEqual(offered.toSorted());
  expect(offered.length).toBeGreaterThan(10);
});

describe('The code in the READMEs', () => {
  test('compiles', async () => {
    const files = [
      'README.md',
      'mock-server/README.md',
      'packages/webhooks/README.md',
      'docs/guides/try-the-sdk.md',
    ].flatMap((file) =>
      blocksOf(file).map((code, number) => {
        const name = `${file.replaceAll(/\W/g, '-')}-${number}.ts`;
        writeFileSync(join(folder, name), `${code}\nexport {};\n`);
        return name;
      }),
    );
    expect(files.length).toBeGreaterThan(2);
    writeFileSync(join(folder, 'tsconfig.json'), '{ "extends": "../../../tsconfig.base.json" }');
    const { stdout } = await run('npx', ['tsc', '-p', folder]);
    expect(stdout).toBe('');
  });

  test('of the repository runs: a failed delivery is retried, and succeeds', async () => {
    const code = blocksOf('README.md').find((block) => block.includes('startMockService'));
    const file = join(folder, 'retried.ts');
    const print =
      'const delivery = await svc.webhooks.deliveries.list().first();\nconsole.log(delivery?.attempt, delivery?.status);';
    writeFileSync(file, `${code}${print}\n`);
    expect(await run('node', [file])).toMatchObject({ status: 0, stdout: '2 success\n', stderr: '' });
  });

  /** Writes the program of the guide "Try it with the SDK", changed to use this server and port. */
  function writeReceiver(url: string, port: number): string {
    const [code] = blocksOf('docs/guides/try-the-sdk.md');
    const file = join(folder, 'receiver.ts');
    writeFileSync(file, String(code).replaceAll('http://127.0.0.1:4010', url).replaceAll('3001', String(port)));
    return file;
  }

  async function endpointsOf({ ready }: ServerProcess): Promise<unknown[]> {
    const key = ready.credentials.find(({ kind }) => kind === 'api_key');
    const headers = { authorization: `Bearer ${key?.credential}` };
    const answer = await fetch(`${ready.url}/v1/webhooks/endpoints`, { headers });
    return ((await answer.json()) as { data: unknown[] }).data;
  }

  test('of "Try it with curl" calls the server', async () => {
    await using server = await startProcess(['--memory']);
    const { port } = new URL(server.ready.url);
    const guide = readFileSync(join(root, 'docs/guides/try-it.md'), 'utf8');
    const [, commands = ''] = /```sh\n(# Who am I[\s\S]*?)```/.exec(guide) ?? [];
    const shell = (text: string) =>
      run('bash', ['-eu', '-c', `curl() { command curl --fail -s "$@"; }\n${text.replaceAll('4010', port)}`]);
    const { status, stdout, stderr } = await shell(commands);
    expect(status, stderr).toBe(0);
    for (const answer of ['"kind":"api_key"', 'whsec_', '"lifecycle.evaluated"', '"attempts":1'])
      expect(stdout).toContain(answer);
    expect((await shell(commands.replace('svc_sk_', 'svc_xx_'))).status).not.toBe(0);
  });

  test('of "Try it with the SDK" runs as written, says what it refuses, and removes its endpoint', async () => {
    await using cleanup = new AsyncDisposableStack();
    const server = cleanup.use(await startProcess(['--memory']));
    const port = await freePort();
    const child = spawn('node', [writeReceiver(server.ready.url, port)], { stdio: ['ignore', 'pipe', 'inherit'] });
    cleanup.defer(() => void child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    let said = '';
    for await (const text of child.stdout) {
      said += text;
      if (said.includes('verified webhook.ping') && said.includes('until Ctrl+C')) break;
    }
    expect(said).toMatch(/^webhook\.ping (pending|success)$/m);
    expect(await endpointsOf(server)).toHaveLength(1);
    const refused = await fetch(`http://localhost:${port}/webhooks`, { method: 'POST', body: '{}' });
    expect([refused.status, await refused.text()]).toEqual([415, 'unsupported_content_type']);
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    expect(await endpointsOf(server)).toEqual([]);
  });

  test('of "Try it with the SDK" registers nothing if its port is in use', async () => {
    await using server = await startProcess(['--memory']);
    const busy = createServer().listen(0);
    await once(busy, 'listening');
    const { port } = busy.address() as { port: number };
    const { status, stderr } = await run('node', [writeReceiver(server.ready.url, port)]);
    busy.close();
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('EADDRINUSE') });
    expect(await endpointsOf(server)).toEqual([]);
  });
});
