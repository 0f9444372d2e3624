import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OperationName, operations } from '@svc/contract';
import { describe, expect, test } from 'vitest';
import { holdToForm } from '../matrix/exact-form.ts';
import { startFetchHandler } from '../matrix/targets.ts';
import { OPERATIONS } from '../src/operations.ts';
import { runStatements } from '../src/run.ts';
import { statements } from '../src/statements.ts';

test('every statement has a unique id', () => {
  expect(new Set(statements.map(({ id }) => id)).size).toBe(statements.length);
});

test('the suite knows every operation', () => {
  const known = OPERATIONS.map(
    ([method, path]) => `${method} ${path.replaceAll(/\/(?:wsp|whe|whd|evt)_\w+/g, '/{id}')}`,
  );
  const described = Object.values(operations).map(
    ({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{id}')}`,
  );
  expect(known.toSorted()).toEqual(described.toSorted());
});

// The tests for a release also run them over HTTP and through MSW, and `npm run conformance` on PostgreSQL.
test('every statement holds by the fetch handler', async () => {
  await using running = await startFetchHandler();
  const held = new Set<OperationName>();
  const target = { ...running.target, fetch: holdToForm(running.target.fetch, held) };
  const results = await runStatements(target, statements);
  expect(
    results.flatMap(({ statement, reason }) => (reason === undefined ? [] : [`${statement.id}: ${reason}`])),
  ).toEqual([]);
  // The statements read a response of every operation, so each was held to the exact form of the server.
  expect([...held].toSorted()).toEqual(Object.keys(operations).toSorted());
});

const root = join(import.meta.dirname, '../../..');

describe('The written results', () => {
  const read = (name: string) => readFileSync(join(root, 'docs', name), 'utf8');

  test('have a row for every statement, with its text, which holds everywhere', () => {
    const rows = [
      ...read('conformance-table.md').matchAll(/^\| `(\S+)` \| [^|]+ \| (.+?)(?: \| holds){5} \| [^|]+ \|$/gm),
    ];
    expect(rows.map(([, id, text]) => [id, text])).toEqual(statements.map(({ id, text }) => [id, text]));
  });

  test('count the statements of each section', () => {
    const rows = [...read('conformance.md').matchAll(/^\| ([A-Z][^|]+) \| (\d+) \|/gm)];
    const sections = Map.groupBy(statements, ({ section }) => section);
    expect(rows.map(([, name, count]) => [name, count])).toEqual(
      [...sections].map(([name, own]) => [name, String(own.length)]),
    );
  });
});
