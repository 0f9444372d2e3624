import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Storage } from '../../src/storage/port.ts';
import { type Checkpoint, createCheckpoints } from '../../src/storage/sqlite/checkpoints.ts';
import { createLock } from '../../src/storage/sqlite/lock.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { openEngineThread } from '../support/storage/engine-thread.ts';
import { insert } from '../support/storage/users.ts';

/** The salt in the header of a write-ahead log. It changes each time SQLite starts the log again. */
async function readSalt(file: string): Promise<string> {
  await using log = await open(`${file}-wal`);
  const { buffer } = await log.read(Buffer.alloc(8), 0, 8, 16);
  return buffer.toString('hex');
}

/** Writes until the log has started again. Until then it grows with each write. */
async function expectLogStartsAnew(file: string, storage: Storage): Promise<void> {
  let written = 0;
  const write = () => storage.write((queries) => insert(queries, `user-${written++}`));
  await write();
  const salt = await readSalt(file);
  await vi.waitFor(async () => {
    await write();
    expect(await readSalt(file)).not.toBe(salt);
  });
}

describe('The write-ahead log starts again while writes go on', () => {
  test("with the engine's thread", async () => {
    await using database = await openEngineThread();
    await expectLogStartsAnew(database.file, database.storage);
  });

  test('without it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-log-'));
    try {
      const file = join(folder, 'data.sqlite');
      await using storage = await openSqlite(file);
      await expectLogStartsAnew(file, storage);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('A checkpoint', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => vi.useRealTimers());

  test('runs a second after the first of many commits: once while others write and once while nothing is written', async () => {
    const writer = createLock();
    const here = vi.fn(async () => {});
    const elsewhere = vi.fn<Checkpoint>(async () => {});
    using checkpoints = createCheckpoints(here, writer, vi.fn());
    checkpoints.runElsewhere(elsewhere);
    const held = await writer.acquire();
    for (let commits = 0; commits < 10; commits++) checkpoints.committed();
    await vi.advanceTimersByTimeAsync(999);
    expect(elsewhere).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(elsewhere).toHaveBeenCalledTimes(1);
    held[Symbol.dispose]();
    await vi.advanceTimersByTimeAsync(0);
    expect(elsewhere.mock.calls).toEqual([[false], [true]]);
    expect(here).not.toHaveBeenCalled();
  });

  test('runs here, once, if no other thread runs it', async () => {
    const here = vi.fn(async () => {});
    using checkpoints = createCheckpoints(here, createLock(), vi.fn());
    checkpoints.committed();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(here).toHaveBeenCalledTimes(1);
  });

  test('that fails gives the lock back, is logged once, and runs again after the next commit', async () => {
    const writer = createLock();
    const warn = vi.fn();
    const here = vi.fn(async () => {
      throw new Error('database or disk is full');
    });
    using checkpoints = createCheckpoints(here, writer, warn);
    for (let failed = 1; failed <= 2; failed++) {
      checkpoints.committed();
      await vi.advanceTimersByTimeAsync(1_000);
      expect(here).toHaveBeenCalledTimes(failed);
    }
    await writer.acquire();
    expect(warn).toHaveBeenCalledTimes(1);
  });
});
