import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '@svc/testing';
import { expect, test } from 'vitest';
import { codeBlocksOf } from '../../src/code-blocks.ts';

// The native compiler takes a third of the time, but only the tools bring it.
const TSC = 'tools/node_modules/typescript-7/bin/tsc';

/** Compiles programs inside the repository, where the packages resolve by name. @returns what the compiler prints. */
async function compile(programs: Readonly<Record<string, string>>): Promise<string> {
  using scratch = new DisposableStack();
  const folder = mkdtempSync(join(root, 'packages/acceptance/.readme-'));
  scratch.defer(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, code] of Object.entries(programs)) writeFileSync(join(folder, name), `${code}\nexport {};\n`);
  // Some of the files that `npm run typecheck` compiles bring the DOM's types along.
  const compilerOptions = { lib: ['ES2024', 'ESNext.Disposable', 'DOM'] };
  const configuration = { extends: '../../../tsconfig.json', compilerOptions, include: ['*.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configuration));
  return (await run('node', [TSC, '--singleThreaded', '--noEmit', '-p', folder])).stdout;
}

test('the code in the READMEs compiles', async () => {
  const programs = ['README.md', 'mock-server/README.md', 'packages/webhooks/README.md'].flatMap((file) =>
    codeBlocksOf(file).map((code, number) => [`${file.replaceAll(/\W/g, '-')}-${number}.ts`, code] as const),
  );
  expect(programs.length).toBeGreaterThan(2);
  const wrong = ['wrong.ts', "import { createClient } from '@svc/client';\ncreateClient({ apiKee: '' });"] as const;
  const printed = await compile(Object.fromEntries([...programs, wrong]));
  // Only the program that is wrong on purpose has an error.
  expect(printed.match(/^\S+\.ts/gm)).toEqual([expect.stringMatching(/wrong\.ts$/)]);
  expect(printed).toContain('apiKee');
});
