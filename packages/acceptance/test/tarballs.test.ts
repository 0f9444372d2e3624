import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root, run } from '../src/run.ts';

/** The oldest Node that the published packages support, from npm as well. */
const OLDEST_NODE = 'node@22.12.0';

/** An empty project outside the repository, with the tarballs installed as a customer installs them. */
let project: string;

async function must(command: string, argv: string[], cwd: string): Promise<string> {
  const { status, stdout, stderr } = await run(command, argv, { cwd });
  if (status !== 0) throw new Error(`${command} ${argv.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'svc-tarballs-'));
  const packed = await must(
    'npm',
    ['pack', '--json', '--pack-destination', project, '-w', 'packages/client', '-w', 'packages/webhooks'],
    root,
  );
  const tarballs = packedFiles(packed).map((filename) => join(project, filename));
  writeFileSync(
    join(project, 'package.json'),
    '{ "name": "customer", "private": true, "allowScripts": { "node": true } }',
  );
  await must('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs, OLDEST_NODE], project);
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

/** npm 11 prints a list, npm 12 an object by package. */
function packedFiles(json: string): string[] {
  return Object.values(JSON.parse(json) as Record<string, { filename: string }>).map(({ filename }) => filename);
}

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
  test('work by import on the oldest Node', async () => {
    writeFileSync(
      join(project, 'esm.mjs'),
      `import { createClient, NetworkError, ServiceError } from '@svc/client';\nimport { createWebhooks } from '@svc/webhooks';\n${program}`,
    );
    expect(await must('node_modules/.bin/node', ['esm.mjs'], project)).toBe('v22.12.0 missing_header true true\n');
  });

  test('work by require on the oldest Node', async () => {
    writeFileSync(
      join(project, 'cjs.cjs'),
      `const { createClient, NetworkError, ServiceError } = require('@svc/client');\nconst { createWebhooks } = require('@svc/webhooks');\n${program}`,
    );
    expect(await must('node_modules/.bin/node', ['cjs.cjs'], project)).toBe('v22.12.0 missing_header true true\n');
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

  /** Each way to resolve the packages, and the files that it is tried from. They compile together, in the time of one. */
  const ways = {
    node16: { moduleResolution: 'node16', files: ['types.mts', 'types.cts'] },
    nodenext: { moduleResolution: 'nodenext', files: ['types.mts', 'types.cts', 'wrong.mts'] },
    esnext: { moduleResolution: 'bundler', files: ['types.ts'] },
  };
  const outputs: Partial<Record<keyof typeof ways, Promise<string>>> = {};

  async function compile(module: keyof typeof ways): Promise<string> {
    const { moduleResolution, files } = ways[module];
    for (const file of files) {
      writeFileSync(join(project, file), file === 'wrong.mts' ? typed.replace("'wsp_1'", "'org_1'") : typed);
    }
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2024,dom,dom.iterable'];
    const argv = [tsc, ...options, '--module', module, '--moduleResolution', moduleResolution, ...files];
    return (await run('node', argv, { cwd: project })).stdout;
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
