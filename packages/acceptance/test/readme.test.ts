import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, startProcess } from '@svc/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeBlocksOf } from '../src/code-blocks.ts';

/** Inside the repository, so that the packages resolve by name. */
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(root, 'packages/acceptance/.readme-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
  test('of the repository runs: a failed delivery is retried, and succeeds', async () => {
    const code = codeBlocksOf('README.md').find((block) => block.includes('startMockService'));
    const file = join(folder, 'retried.ts');
    const print =
      'const delivery = await svc.webhooks.deliveries.list().first();\nconsole.log(delivery?.attempt, delivery?.status);';
    writeFileSync(file, `${code}${print}\n`);
    expect(await run('node', [file])).toMatchObject({ status: 0, stdout: '2 success\n', stderr: '' });
  });

  test('of "Try it with curl" calls the server', async () => {
    await using server = await startProcess(['--memory']);
    const { port } = new URL(server.ready.url);
    const guide = readFileSync(join(root, 'docs/guides/make-your-first-call.md'), 'utf8');
    const [, commands = ''] = /```sh\n(# Read a workspace[\s\S]*?)```/.exec(guide) ?? [];
    const shell = (text: string) =>
      run('bash', ['-eu', '-c', `curl() { command curl --fail -s "$@"; }\n${text.replaceAll('4010', port)}`]);
    const { status, stdout, stderr } = await shell(commands);
    expect(status, stderr).toBe(0);
    // The move makes the first attempt too, if it was still due.
    for (const part of [/"name":"Production"/, /whsec_/, /"lifecycle\.evaluated"/, /"attempts":[12],/])
      expect(stdout).toMatch(part);
    expect((await shell(commands.replace('svc_sk_', 'svc_xx_'))).status).not.toBe(0);
  });
});
