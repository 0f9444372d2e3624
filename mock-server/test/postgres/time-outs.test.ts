import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import pg from 'pg';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { DEFAULT_CONFIG } from '../../src/config/config.ts';
import { createLogger } from '../../src/runtime/logger.ts';
import { openShared } from '../../src/start/open-shared-storage.ts';
import { lockClock } from '../../src/storage/postgres/clock-lock.ts';
import { createPool, createSockets, endConnection } from '../../src/storage/postgres/connections.ts';
import { joinPeers } from '../../src/storage/postgres/peers.ts';
import { readDatabaseTime } from '../../src/storage/statements/start.ts';
import { TEST_MASTER_KEY } from '../support/api.ts';
import { createTestDatabase } from '../support/database.ts';
import { startProxy } from './support/proxy.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** From here on the test moves the timers of the driver. */
const holdTime = () =>
  void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });

/** Moves the timers, and lets pending data arrive. */
async function advance(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  for (let passes = 0; passes < 20; passes++) await new Promise(setImmediate);
}

/** Watches some work. `how` is its outcome once it has ended, and `reached` resolves with it. */
function endOf(work: PromiseLike<unknown>) {
  const end: { how?: string; reached: PromiseLike<string> } = {
    reached: work.then(
      () => 'done',
      (error: Error) => error.message,
    ),
  };
  end.reached.then((how) => {
    end.how = how;
  });
  return end;
}

/** Creates a database behind a proxy that can be silenced. */
async function startBehindProxy() {
  await using cleanup = new AsyncDisposableStack();
  const database = cleanup.use(await createTestDatabase());
  const proxy = cleanup.use(await startProxy(database.url));
  const owned = cleanup.move();
  return {
    proxy,
    databaseUrl: database.url,
    async [Symbol.asyncDispose]() {
      vi.useRealTimers();
      await owned.disposeAsync();
    },
  };
}

describe('Waiting for a server that does not respond', () => {
  /** Announces the settings to a server that never finishes handling them. */
  async function announce() {
    const way = await startBehindProxy();
    await using cleanup = new AsyncDisposableStack();
    cleanup.use(way);
    const told = Promise.withResolvers<void>();
    const busy = cleanup.use(await joinPeers(way.databaseUrl, () => {}));
    busy.onHeard('settings', () => {
      told.resolve();
      return new Promise(() => {});
    });
    const telling = cleanup.use(await joinPeers(way.databaseUrl, () => {}));
    holdTime();
    const end = endOf(telling.announce('settings'));
    await told.promise;
    cleanup.defer(() => void vi.useRealTimers());
    const owned = cleanup.move();
    return { end, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  }

  test('has not ended after 999 ms', async () => {
    await using announced = await announce();
    await advance(999);
    expect(announced.end.how).toBeUndefined();
  });

  test('ends after a second', async () => {
    await using announced = await announce();
    // The second begins when the database has answered, which may be after the other server heard the message.
    while (announced.end.how === undefined) await advance(1_000);
    expect(announced.end.how).toBe('done');
  });
});

describe('The connection over which servers notify each other', () => {
  /** Silences the connection and announces something over it. */
  async function announceIntoSilence() {
    const way = await startBehindProxy();
    await using cleanup = new AsyncDisposableStack();
    cleanup.use(way);
    const connects = vi.spyOn(pg.Client.prototype, 'connect');
    const peers = await joinPeers(way.proxy.url, () => {});
    cleanup.defer(async () => {
      const left = peers[Symbol.asyncDispose]();
      await advance(1_000);
      await left;
    });
    holdTime();
    way.proxy.silence();
    const end = endOf(peers.announce('settings'));
    const owned = cleanup.move();
    return { end, connects, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  }

  test('is kept after 4,999 ms of silence', async () => {
    await using told = await announceIntoSilence();
    await advance(4_999);
    expect(told.end.how).toBeUndefined();
  });

  test('counts as lost after 5 s of silence', async () => {
    await using told = await announceIntoSilence();
    await advance(5_000);
    expect(await told.end.reached).toBe('done');
  });

  test('is not replaced within 499 ms', async () => {
    await using told = await announceIntoSilence();
    await advance(5_000);
    await advance(499);
    expect(told.connects).toHaveBeenCalledTimes(1);
  });

  test('is replaced after 500 ms', async () => {
    await using told = await announceIntoSilence();
    await advance(5_000);
    await advance(500);
    expect(told.connects).toHaveBeenCalledTimes(2);
  });
});

describe('Closing a connection to a silent database', () => {
  async function sayGoodbye() {
    const way = await startBehindProxy();
    const client = new pg.Client({ connectionString: way.proxy.url });
    await client.connect();
    client.on('error', () => {});
    holdTime();
    way.proxy.silence();
    return { end: endOf(endConnection(client)), [Symbol.asyncDispose]: () => way[Symbol.asyncDispose]() };
  }

  test('waits 999 ms for a response', async () => {
    await using goodbye = await sayGoodbye();
    await advance(999);
    expect(goodbye.end.how).toBeUndefined();
  });

  test('ends after a second, even without a response', async () => {
    await using goodbye = await sayGoodbye();
    await advance(1_000);
    expect(await goodbye.end.reached).toBe('done');
  });
});

describe('A lock over a silent connection', () => {
  async function takeSilencedLock() {
    const way = await startBehindProxy();
    holdTime();
    const lock = await lockClock(way.proxy.url);
    way.proxy.silence();
    return {
      lock,
      async [Symbol.asyncDispose]() {
        const ended = lock[Symbol.asyncDispose]();
        await advance(1_000);
        await ended;
        await way[Symbol.asyncDispose]();
      },
    };
  }

  test('is held for the 3 s until the next heartbeat, and for another 8,999 ms', async () => {
    await using silenced = await takeSilencedLock();
    await advance(3_000);
    await advance(8_999);
    silenced.lock.signal.throwIfAborted();
  });

  test('is lost 9 s after an unanswered heartbeat, before the database gives it to another server', async () => {
    await using silenced = await takeSilencedLock();
    await advance(3_000);
    await advance(9_000);
    expect(() => silenced.lock.signal.throwIfAborted()).toThrow('Cannot take or keep the lock on the clock');
  });
});

describe('A server that closes while the database is silent', () => {
  /** Closes the connections while a statement is running. */
  async function closeInSilence() {
    const way = await startBehindProxy();
    const config = { ...DEFAULT_CONFIG, masterKey: TEST_MASTER_KEY };
    const opened = await openShared(config, way.proxy.url, createLogger('silent'));
    await opened.storage.read(readDatabaseTime);
    holdTime();
    way.proxy.silence();
    opened.storage.read(readDatabaseTime).catch(() => {});
    const end = endOf(opened[Symbol.asyncDispose]());
    return {
      end,
      async [Symbol.asyncDispose]() {
        await advance(2_000);
        await way[Symbol.asyncDispose]();
      },
    };
  }

  test('waits 1,999 ms for running statements', async () => {
    await using closing = await closeInSilence();
    await advance(1_999);
    expect(closing.end.how).toBeUndefined();
  });

  test('waits no longer than 2 s, then cuts its connections', async () => {
    await using closing = await closeInSilence();
    await advance(2_000);
    expect(await closing.end.reached).toBe('done');
  });
});

describe('A statement to a database', () => {
  async function askInSilence() {
    const way = await startBehindProxy();
    const pool = createPool(way.proxy.url, 'api', createSockets());
    await pool.query('select 1');
    holdTime();
    way.proxy.silence();
    return {
      end: endOf(pool.query('select 1')),
      async [Symbol.asyncDispose]() {
        vi.useRealTimers();
        await way[Symbol.asyncDispose]();
        await pool.end();
      },
    };
  }

  test('waits 14,999 ms for its response', async () => {
    await using asked = await askInSilence();
    await advance(14_999);
    expect(asked.end.how).toBeUndefined();
  });

  test('fails after 15 s without a response', async () => {
    await using asked = await askInSilence();
    await advance(15_000);
    expect(await asked.end.reached).toBe('Query read timeout');
  });

  /** Sends a statement to a port that accepts connections but never answers. */
  async function askWithoutResponse() {
    const silent = createServer((socket) => void socket.on('error', () => {}).resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    holdTime();
    const pool = createPool(
      `postgres://u@127.0.0.1:${(silent.address() as AddressInfo).port}/d`,
      'api',
      createSockets(),
    );
    const end = endOf(pool.query('select 1'));
    await once(silent, 'connection');
    return {
      end,
      async [Symbol.asyncDispose]() {
        await advance(5_000);
        vi.useRealTimers();
        await pool.end();
        silent.close();
        await once(silent, 'close');
      },
    };
  }

  test('waits 4,999 ms for its connection', async () => {
    await using asked = await askWithoutResponse();
    await advance(4_999);
    expect(asked.end.how).toBeUndefined();
  });

  test('fails after 5 s without a connection', async () => {
    await using asked = await askWithoutResponse();
    await advance(5_000);
    expect(await asked.end.reached).toMatch(/timeout/);
  });
});
