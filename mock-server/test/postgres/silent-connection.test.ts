import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { lockClock } from '../../src/storage/postgres/clock-lock.ts';
import { joinPeers } from '../../src/storage/postgres/peers.ts';
import { createTestDatabase } from '../support/database.ts';
import { startProxy } from './support/proxy.ts';

/** Longer than any wait for a silent database. */
const LONG_MS = 15_000;
/** How long a server waits for the response to a message for other servers. */
const SILENCE_MS = 5_000;

describe('A connection on which the database is silent', () => {
  let cleanup: AsyncDisposableStack;
  let databaseUrl: string;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  beforeEach(async () => {
    cleanup = new AsyncDisposableStack();
    databaseUrl = cleanup.use(await createTestDatabase()).url;
    proxy = cleanup.use(await startProxy(databaseUrl));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await cleanup.disposeAsync();
  });

  /** Moves the timers by the given time, then waits for the work. */
  async function inTime(work: PromiseLike<unknown>, timeMs = LONG_MS): Promise<void> {
    await vi.advanceTimersByTimeAsync(timeMs);
    await work;
  }

  test('does not stop a server from notifying the others, and is replaced', async () => {
    const warn = vi.fn();
    const peers = await joinPeers(proxy.url, warn);
    const heard = vi.fn();
    peers.onHeard('settings', heard);
    const lost = vi.fn();
    peers.onLost(lost);
    proxy.silence();
    await inTime(peers.announce('settings'), SILENCE_MS);
    expect(lost).toHaveBeenCalledOnce();
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: 'Query read timeout' }));
    // The server hears this on its new connection, because it may have missed something.
    await vi.waitFor(() => expect(heard).toHaveBeenCalledOnce());
    await peers[Symbol.asyncDispose]();
  });

  test('does not stop a server from leaving the others', async () => {
    const peers = await joinPeers(proxy.url, () => {});
    const lost = vi.fn();
    peers.onLost(lost);
    proxy.silence();
    await inTime(peers[Symbol.asyncDispose]());
    expect(lost).not.toHaveBeenCalled();
  });

  test('ends the lock of its server, which can still give it up', async () => {
    const lock = await lockClock(proxy.url);
    lock.signal.throwIfAborted();
    proxy.silence();
    await vi.advanceTimersByTimeAsync(LONG_MS);
    expect(() => lock.signal.throwIfAborted()).toThrow('Cannot take or keep the lock on the clock');
    await inTime(lock[Symbol.asyncDispose]());
  });

  test('does not leave a server waiting for its lock', async () => {
    await using _holder = await lockClock(databaseUrl);
    const waiting = lockClock(proxy.url);
    waiting.catch(() => {});
    const looker = new pg.Client({ connectionString: databaseUrl });
    cleanup.defer(() => looker.end());
    await looker.connect();
    await vi.waitUntil(async () => {
      const { rowCount } = await looker.query(
        "select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'",
      );
      return rowCount === 1;
    });
    proxy.silence();
    await vi.advanceTimersByTimeAsync(LONG_MS);
    // Only the holder of the lock changes the clock.
    await expect(waiting).rejects.toMatchObject({ name: 'StorageUnavailableError', outcome: 'unchanged' });
  });
});
