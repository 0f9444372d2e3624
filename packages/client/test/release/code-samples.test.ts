import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OperationName, operations } from '@svc/contract';
import { createOpenApiDocument } from '@svc/contract/openapi';
import { afterAll, expect, test } from 'vitest';
import { nativeCompiler } from '../../../../tools/installed.ts';

const home = join(import.meta.dirname, '../..');
const names = Object.keys(operations) as OperationName[];
const folder = mkdtempSync(join(home, '.samples-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Described {
  operationId: string;
  'x-codeSamples': { label: string; source: string }[];
}

/** The samples of the OpenAPI document with this label, by operation. */
function samples(wanted: string): Map<string, string> {
  const described = Object.values(createOpenApiDocument('http://127.0.0.1:9').paths).flatMap(
    (methods) => Object.values(methods) as Described[],
  );
  return new Map(
    described.map((one) => [one.operationId, one['x-codeSamples'].find(({ label }) => label === wanted)?.source ?? '']),
  );
}

function compile(files: ReadonlyMap<string, string>): string {
  for (const [name, code] of files) writeFileSync(join(folder, `${name}.ts`), code);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: '../../../tsconfig.base.json' }));
  return spawnSync(process.execPath, [nativeCompiler, '-p', folder], { encoding: 'utf8' }).stdout;
}

test("the OpenAPI document's samples for the client compile, and a wrong one does not", () => {
  const code = samples('@svc/client');
  expect([...code.keys()].sort()).toEqual(names.toSorted());
  const retrieve = code.get('retrieveEvent') ?? '';
  const wrong = retrieve.replace('evt_…', 'whe_…');
  expect(wrong).not.toBe(retrieve);
  const errors = compile(new Map([...code, ['wrong', wrong]]))
    .split('\n')
    .filter((line) => line.includes('error TS'));
  expect(errors).toEqual([expect.stringMatching(/wrong\.ts.*evt_/)]);
});

test('every operation has a sample for curl with its method and path', () => {
  for (const [name, source] of samples('curl')) {
    const { method, path } = operations[name as OperationName];
    const [, url = ''] = /'(http[^']+)'$/.exec(source) ?? [];
    const pattern = path.replaceAll(/\{\w+\}/g, '\\w{3}_…');
    expect(new URL(url).origin).toBe('http://127.0.0.1:9');
    expect(decodeURIComponent(new URL(url).pathname), name).toMatch(new RegExp(`^${pattern}$`));
    const [, given] = /-X (\w+)/.exec(source) ?? [];
    expect(given ?? (source.includes(' -d ') ? 'POST' : 'GET'), name).toBe(method);
  }
});
