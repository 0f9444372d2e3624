import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess } from '@svc/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { svcMock } from '../../src/svc-mock.ts';

const offline = (...argv: string[]) => svcMock('http://127.0.0.1:9', argv);

let folder: string;
let file: string;
let text: string;
let key: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-damaged-'));
  const data = join(folder, 'data');
  await using server = await startProcess(['--data', data]);
  file = join(folder, 'valid.ndjson');
  expect(await svcMock(server.ready.url, ['export', file])).toMatchObject({ status: 0 });
  await server.end('SIGTERM');
  text = readFileSync(file, 'utf8');
  key = join(data, 'master.key');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A data folder that has only the key. */
function emptyFolder(name: string): string {
  const data = join(folder, name);
  mkdirSync(data);
  copyFileSync(key, join(data, 'master.key'));
  return data;
}

test.each([
  ['truncated', () => text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1), 'The file is truncated'],
  ['with a broken line', () => text.replace('{"table"', '{"tab'), 'Line 2 of the export is broken'],
  // No other row refers to this one.
  ['with a line less', () => text.replace(/\n[^\n]+"table":"profile_states"[^\n]+/, ''), 'The file is damaged'],
  ['with a parent less', () => text.replace(/\n[^\n]+/, ''), 'Cannot insert the rows before line'],
  ['of another version', () => text.replace('"version":1', '"version":2'), 'The export has format version 2'],
  ['that is none', () => '{"hello":1}\n', 'The file is not an svc-mock export'],
  ['that is empty', () => '', 'The file is empty'],
])('an export file %s is rejected in one line, and changes nothing', async (name, make, says) => {
  const data = emptyFolder(`for ${name}`);
  const wrong = join(folder, 'wrong.ndjson');
  writeFileSync(wrong, make());
  const { status, stdout, stderr } = await offline('import', wrong, '--data', data);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^svc-mock: [^\n]+\n$/);
  expect(stderr).toContain(says);
  // The database is still empty, so it accepts the valid file.
  expect(await offline('import', file, '--data', data)).toMatchObject({ status: 0 });
  // It is no longer empty.
  expect(await offline('import', file, '--data', data)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('is not empty'),
  });
});
