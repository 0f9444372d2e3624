import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root, run } from '../src/run.ts';
import { startProcess } from '../src/server-process.ts';

/** Inside the repository, where the packages resolve by their names. */
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(root, 'packages/acceptance/.readme-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const blocksOf = (file: string) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => String(code));

test("The server's README has every option that --help has, and no other", async () => {
  const { stdout } = await run('node', ['mock-server/dist/main.js', 'start', '--help']);
  const offered = [...stdout.matchAll(/^ {2}(?:-h, )?(--[\w-]+)/gm)]
    .map(([, name]) => name)
    .filter((name) => name !== '--help');
  const documented = [...readFileSync(join(root, 'mock-server/README.md'), 'utf8').matchAll(/^\| `(--[\w-]+)`/gm)];
  expect(documented.map(([, name]) => name).toSorted()).toEqual(offered.toSorted());
  expect(offered.length).toBeGreaterThan(10);
});

describe('The code in the READMEs', () => {
  test('compiles', async () => {
    const files = ['README.md', 'mock-server/README.md', 'packages/webhooks/README.md'].flatMap((file) =>
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

  test('of the three minutes with the SDK runs as it stands', async () => {
    await using server = await startProcess(['--memory']);
    const [code] = blocksOf('README.md');
    const port = String(20_000 + (process.pid % 20_000));
    writeFileSync(
      join(folder, 'receiver.ts'),
      String(code).replaceAll('http://127.0.0.1:4010', server.ready.url).replaceAll('3000', port),
    );
    const child = spawn('node', [join(folder, 'receiver.ts')], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    for await (const text of child.stdout) {
      said += text;
      if (/verified webhook\.ping/.test(said) && /^webhook\.ping (pending|success)$/m.test(said)) break;
    }
    child.kill('SIGTERM');
    expect(said).toContain('verified webhook.ping');
  });
});
