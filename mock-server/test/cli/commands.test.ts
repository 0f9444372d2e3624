import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../api.ts';
import { demo } from '../demo.ts';

const main = join(import.meta.dirname, '../../src/main.ts');
const folder = mkdtempSync(join(tmpdir(), 'svc-cli-'));
let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

async function run(args: string[], input = '') {
  const env = { ...process.env, SVC_URL: api.server.url };
  const child = spawn(process.execPath, [main, ...args], { env, stdio: 'pipe' });
  const [out, err]: string[][] = [[], []];
  child.stdout.on('data', (part) => out?.push(String(part)));
  child.stderr.on('data', (part) => err?.push(String(part)));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code, out: out?.join(''), err: err?.join('') };
}

const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

describe('svc-mock profiles import', () => {
  test('imports NDJSON into the workspace of the first demo key', async () => {
    const path = file('two.ndjson', '{"externalId":"a"}\n{"externalId":"b","name":"Ada"}\n');
    expect(await run(['profiles', 'import', path])).toEqual({
      code: 0,
      out: '  created            2\n  updated            0\n  unchanged          0\n  rejected           0\n',
      err: '',
    });
    const { body } = await api.call('GET', `/_control/workspaces/${demo.production.id}/profiles`);
    expect(body.data).toHaveLength(2);
  });

  test('imports a JSON array into the workspace that is named, and prints JSON', async () => {
    const path = file('one.json', '[{"externalId":"c"}]');
    const { code, out, err } = await run(['profiles', 'import', path, '--workspace', demo.globex.id, '--json']);
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(String(out))).toMatchObject({ created: 1, rejected: 0, problems: [] });
  });

  test('reads standard input, and says what was rejected with exit code 1', async () => {
    const args = ['profiles', 'import', '-', '--api-key', demo.staging.key];
    const { code, out, err } = await run(args, '{"externalId":"d"}\nnonsense\n{}\n');
    expect(code).toBe(1);
    expect(out).toContain('rejected           2');
    expect(err).toBe('svc-mock: 2 lines were rejected; the others are imported. Line 2: It is not valid JSON.\n');
  });

  test.each([
    [['profiles', 'import', '/none.ndjson'], 'There is no file /none.ndjson.'],
    [['profiles', 'import', folder], `${folder} is not a file.`],
    [['profiles', 'import'], "missing required argument 'file'"],
    [['profiles', 'import', main, '--workspace', 'wsp_none'], 'No such workspace: wsp_none'],
    [
      ['profiles', 'import', main, '--url', 'x'],
      '--url must be an http or https URL, such as http://127.0.0.1:4010, not "x".',
    ],
    [
      ['evaluate', '--url', 'http://127.0.0.1:9'],
      'Cannot reach the server at http://127.0.0.1:9: nothing listens there. Start it with: svc-mock',
    ],
    [
      ['evaluate', '--api-key', 'svc_sk_none'],
      'Name the workspace with --workspace, or an API key of it with --api-key.',
    ],
  ])('%j is one line and exit code 2', async (args, message) => {
    expect(await run(args)).toEqual({ code: 2, out: '', err: `svc-mock: ${message}\n` });
  });

  test('a broken array is refused with the words of the server', async () => {
    const { code, err } = await run(['profiles', 'import', file('cut.json', '[{"externalId":"e"},')]);
    expect(code).toBe(2);
    expect(err).toMatch(/^svc-mock: The JSON array does not end: it is cut off after item 1\./);
  });

  test('shows two examples in its help', async () => {
    const { code, out } = await run(['profiles', 'import', '--help']);
    expect(code).toBe(0);
    expect(out?.match(/svc-mock profiles import /g)?.length).toBeGreaterThanOrEqual(2);
  });
});

describe('svc-mock evaluate', () => {
  test('evaluates, and shows states and transitions', async () => {
    const { code, out, err } = await run(['evaluate', '--workspace', demo.globex.id]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/evl_\w{26} of wsp_\w+: 1 profiles, 1 changed/);
    expect(out).toContain('1 went from nothing to new');
    expect(out).toMatch(/lifecycle\.evaluated is evt_/);
  });

  test('prints JSON', async () => {
    const { out } = await run(['evaluate', '--workspace', demo.globex.id, '--json']);
    expect(JSON.parse(String(out))).toMatchObject({ evaluation: { trigger: 'request', changed: 0 } });
  });
});
