import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StorageUnavailableError } from '../../src/storage/port.ts';
import { type LogFile, openLogFile } from '../../src/storage/sqlite/log-file.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { insert, names } from '../support/storage/users.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-flush-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (flush: (flushNow: LogFile['flush']) => Promise<void>) =>
  openSqlite(join(folder, 'data.sqlite'), {
    openLog: (file, failed) => {
      const log = openLogFile(file, failed);
      return { ...log, flush: () => flush(log.flush) };
    },
  });

describe('A write to a file', () => {
  test('ends only when the log is flushed, but can be read before that', async () => {
    const mayFlush = Promise.withResolvers<void>();
    const flush = vi.fn(async (flushNow: LogFile['flush']) => {
      await mayFlush.promise;
      await flushNow();
    });
    await using storage = await open(flush);
    const ended = vi.fn();
    const write = storage.write((queries) => insert(queries, 'a')).then(ended);
    await vi.waitFor(async () => expect(await names(storage)).toEqual(['a']));
    expect(flush).toHaveBeenCalledTimes(1);
    expect(ended).not.toHaveBeenCalled();
    mayFlush.resolve();
    await write;
  });

  test('fails if its flush fails, and its outcome is unknown', async () => {
    await using storage = await open(() => Promise.reject(new StorageUnavailableError('disk', { outcome: 'unknown' })));
    await expect(storage.write((queries) => insert(queries, 'a'))).rejects.toMatchObject({ outcome: 'unknown' });
  });
});

describe('The log of a file', () => {
  test('that could not be flushed refuses further flushes and writes', async () => {
    const failed = vi.fn();
    // The flush fails because there is no such file yet. It exists when the next flush is requested.
    await using log = openLogFile(join(folder, 'data.sqlite'), failed);
    await expect(log.flush()).rejects.toMatchObject({ name: 'StorageUnavailableError', outcome: 'unknown' });
    await using storage = await openSqlite(join(folder, 'data.sqlite'), { openLog: () => log });
    await expect(storage.write((queries) => insert(queries, 'a'))).rejects.toMatchObject({
      name: 'StorageUnavailableError',
      outcome: 'unchanged',
      message: expect.stringContaining('restart the server'),
    });
    expect(() => storage.check()).toThrow(StorageUnavailableError);
    expect(await names(storage)).toEqual([]);
    expect(failed).toHaveBeenCalledTimes(1);
  });

  test.skipIf(process.platform === 'win32')('that was deleted refuses writes, and says so', async () => {
    const file = join(folder, 'data.sqlite');
    const warn = vi.fn();
    await using storage = await openSqlite(file, { warn });
    await storage.write((queries) => insert(queries, 'a'));
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    const deleted = { name: 'StorageUnavailableError', message: expect.stringContaining('were deleted') };
    await expect(storage.write((queries) => insert(queries, 'b'))).rejects.toMatchObject(deleted);
    expect(() => storage.check()).toThrow('were deleted');
    await expect(storage.write((queries) => insert(queries, 'c'))).rejects.toMatchObject(deleted);
    expect(warn.mock.calls.map(([message]) => message)).toContain(
      'cannot store commits; the server cannot write until it is restarted',
    );
  });

  test('that was flushed accepts further writes', async () => {
    await using storage = await open((flushNow) => flushNow());
    await storage.write((queries) => insert(queries, 'a'));
    storage.check();
    expect(await names(storage)).toEqual(['a']);
  });
});
