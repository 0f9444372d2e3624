import { expect, test, vi } from 'vitest';
import type { ImportFormat } from '../../../src/domain/profiles/profile-import.ts';
import { BATCH_RECORDS, importProfiles } from '../../../src/lifecycle/import-profiles.ts';
import { createPauses } from '../../../src/runtime/pauses.ts';
import { DataReplacedError, StorageUnavailableError } from '../../../src/storage/port.ts';

/** Everything takes this long, in milliseconds. Work may block the event loop for 5 ms. */
const STEP_MS = 0.1;

/** Imports chunks that contain no valid profile, several times at once. Counts the passes of the event loop meanwhile. */
async function importRejected(chunks: string[], format: ImportFormat, atOnce = 1) {
  let now = 0;
  const pauses = createPauses(() => {
    now += STEP_MS;
    return now;
  });
  const write = () => Promise.reject(new Error('There is nothing to store.'));
  const tools = { storage: { write }, ids: {} as never, clock: { now: () => 0 }, pauses };
  let passes = 0;
  let isDone = false;
  const count = () => {
    passes++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const bytes = chunks.map((chunk) => Buffer.from(chunk));
  const results = await Promise.all(
    Array.from({ length: atOnce }, () => importProfiles(tools, 'wsp_a', bytes, format)),
  );
  isDone = true;
  return { rejected: results.reduce((sum, result) => sum + result.rejected, 0), passes };
}

const RECORDS = 5_000;

test('a chunk of many blank lines lets the event loop run', async () => {
  const { rejected, passes } = await importRejected(['\n'.repeat(100 * 16 * 1024)], 'ndjson');
  expect(rejected).toBe(0);
  // Each part of 16 KiB is a step, and 50 steps take 5 ms.
  expect(passes).toBeGreaterThanOrEqual(1);
});

test.each<[string, string, ImportFormat]>([
  ['lines that are not JSON', 'x\n'.repeat(RECORDS), 'ndjson'],
  ['lines without a profile', '{}\n'.repeat(RECORDS), 'ndjson'],
  ['items of an array', `[${'1,'.repeat(RECORDS - 1)}1]`, 'json'],
])('a chunk of many rejected records lets the event loop run between them: %s', async (_name, chunk, format) => {
  const { rejected, passes } = await importRejected([chunk], format);
  expect(rejected).toBe(RECORDS);
  // 50 steps take 5 ms.
  expect(passes).toBeGreaterThanOrEqual(RECORDS / 51 - 1);
});

test.each([
  ['one rejected record', 'x\n'],
  ['only blank lines', '\n\n'],
])('many chunks that contain %s let the event loop run too', async (_name, chunk) => {
  const { passes } = await importRejected(Array(RECORDS).fill(chunk), 'ndjson');
  expect(passes).toBeGreaterThanOrEqual(RECORDS / 51 - 1);
});

test('imports at the same time share the time of a pass', async () => {
  const { rejected, passes } = await importRejected(['x\n'.repeat(RECORDS)], 'ndjson', 8);
  expect(rejected).toBe(8 * RECORDS);
  expect(passes).toBeGreaterThanOrEqual((8 * RECORDS) / 60 - 1);
});

test('a few rejected records do not wait', async () => {
  expect(await importRejected(['x\n'.repeat(40)], 'ndjson')).toEqual({ rejected: 40, passes: 0 });
});

test.each([
  { field: 'name', length: 200, batches: 2 },
  { field: 'attributes', length: 200, batches: 1 },
])('profiles with a long $field are stored in $batches batches', async ({ field, length, batches }) => {
  let writes = 0;
  const value = field === 'name' ? 'a'.repeat(length) : { a: 'a'.repeat(length) };
  const lines = Array.from({ length: 100 }, (_, n) => `${JSON.stringify({ externalId: `p${n}`, [field]: value })}\n`);
  const tools = {
    storage: {
      async write() {
        writes++;
        return [] as never;
      },
    },
    ids: {} as never,
    clock: { now: () => 0 },
  };
  await importProfiles(tools, 'wsp_a', [Buffer.from(lines.join(''))], 'ndjson');
  expect(writes).toBe(batches);
});

test.each([
  { stored: 0, error: new StorageUnavailableError('The disk is full.'), outcome: 'unchanged' },
  { stored: BATCH_RECORDS, error: new StorageUnavailableError('The disk is full.'), outcome: 'imported' },
  { stored: BATCH_RECORDS, error: new DataReplacedError(), outcome: 'unchanged' },
])('$error.name after $stored profiles were stored: the outcome is "$outcome"', async ({ stored, error, outcome }) => {
  const lines = Array.from({ length: stored + 1 }, (_, n) => `{"externalId":"p${n}"}\n`);
  const write = vi.fn().mockRejectedValue(error);
  if (stored > 0) write.mockResolvedValueOnce(Array(stored).fill('created'));
  const tools = { storage: { write }, ids: {} as never, clock: { now: () => 0 } };
  const imported = importProfiles(tools, 'wsp_a', [Buffer.from(lines.join(''))], 'ndjson');
  await expect(imported).rejects.toMatchObject({ message: error.message, outcome });
});
