import fc from 'fast-check';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { arrayLiteral } from '../../src/storage/postgres/array-literal.ts';
import { createTestDatabase } from '../support/database.ts';

/** Sends an array to PostgreSQL as a parameter, and returns the values that come back. */
async function sent(client: pg.Client, type: 'text' | 'bigint', values: readonly (string | number | null)[]) {
  const text = `select value from unnest(cast($1 as ${type}[])) with ordinality as given(value, place) order by place`;
  return (await client.query({ text, values: [arrayLiteral(values)], rowMode: 'array' })).rows.flat();
}

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  // Characters with a meaning in arrays, in JSON or in PostgreSQL.
  fc.string({
    unit: fc.constantFrom('"', '\\', '{', '}', ',', ' ', '\n', '\t', '\u0001', '\u007f', '☃', '\ud800', 'N', 'U', 'L'),
  }),
  fc.constantFrom('NULL', '', '\\x00', '{"a":"b\\\\"}'),
);

test('an array literal passes its values to PostgreSQL unchanged, except for U+0000 and half surrogate pairs', async () => {
  await using database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(texts)), async (values) => {
        const stored = values.map((value) => value?.replaceAll('\0', '\uFFFD').toWellFormed() ?? null);
        expect(await sent(client, 'text', values)).toEqual(stored);
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(fc.maxSafeInteger())), async (values) => {
        expect(await sent(client, 'bigint', values)).toEqual(
          values.map((value) => (value === null ? null : String(value))),
        );
      }),
    );
  } finally {
    await client.end();
  }
});

test.each(['"', '\\', '"\n'])('64 KiB of %j cost one pass, without replaceAll', (text) => {
  const body = text.repeat(65_536 / text.length);
  const replaceAll = vi.spyOn(String.prototype, 'replaceAll');
  const literal = arrayLiteral([body]);
  const calls = replaceAll.mock.calls.length;
  replaceAll.mockRestore();
  expect(calls).toBe(0);
  expect(literal).toBe(`{"${body.replace(/["\\]/g, '\\$&')}"}`);
});
