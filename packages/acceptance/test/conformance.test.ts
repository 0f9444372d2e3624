import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withDefect } from '../conformance/broken.ts';
import { defects } from '../conformance/defects.ts';
import { runStatements } from '../conformance/run.ts';
import { statements } from '../conformance/statements.ts';
import { startFetchHandler, startMsw, startSqlite } from '../conformance/targets.ts';
import { root } from '../src/run.ts';

test('every statement has a unique id', () => {
  expect(new Set(statements.map(({ id }) => id)).size).toBe(statements.length);
});

// `npm run conformance` also runs them on PostgreSQL, with one server and with three.
test.each([
  ['over HTTP', startSqlite],
  ['by the fetch handler', startFetchHandler],
  ["through MSW's handlers", startMsw],
] as const)('every statement holds %s', async (_how, start) => {
  await using running = await start();
  const results = await runStatements(running.target, statements);
  expect(
    results.flatMap(({ statement, failure }) => (failure === undefined ? [] : [`${statement.id}: ${failure}`])),
  ).toEqual([]);
});

test.each(defects)('a service that $does does not pass', async (defect) => {
  await using running = await startFetchHandler();
  const asked = statements.filter(({ id }) => id === defect.caughtBy);
  const [whole] = await runStatements(running.target, asked);
  const [broken] = await runStatements(withDefect(running.target, defect), asked);
  expect([whole?.failure, broken?.failure]).toEqual([undefined, expect.any(String)]);
});

describe('The written results', () => {
  const read = (name: string) => readFileSync(join(root, 'docs', name), 'utf8');

  test('have a row for every statement, with its text', () => {
    const rows = [...read('conformance-table.md').matchAll(/^\| `(\S+)` \| [^|]+ \| (.+?) \| holds/gm)];
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
