import pg from 'pg';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { joinPeers, type Topic } from '../../src/storage/postgres/peers.ts';
import { startApi, TEST_MASTER_KEY } from '../support/api.ts';
import { createTestDatabase } from '../support/database.ts';

const warnings: Error[] = [];
const warned = (warning: Error) => void warnings.push(warning);
process.on('warning', warned);
afterAll(() => void process.off('warning', warned));
afterEach(() => vi.useRealTimers());

/** Joins two servers on one database: one sends, the other records what it hears. The test moves the monotonic clock. */
async function startPeers() {
  await using cleanup = new AsyncDisposableStack();
  const database = cleanup.use(await createTestDatabase());
  const heard: Topic[] = [];
  const hearing = cleanup.use(await joinPeers(database.url, () => {}));
  for (const topic of ['work', 'settings'] as const) hearing.onHeard(topic, () => heard.push(topic));
  const telling = cleanup.use(await joinPeers(database.url, () => {}));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  cleanup.defer(() => void vi.useRealTimers());
  const owned = cleanup.move();
  return {
    hint: telling.hint,
    announce: telling.announce,
    /** Waits for this many messages, and returns all that were heard. */
    async hears(count: number) {
      while (heard.length < count) await new Promise(setImmediate);
      return [...heard];
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

test('A server that is only joining the others does not disturb a move of the clock', async () => {
  await using database = await createTestDatabase();
  await using api = await startApi({ databaseUrl: database.url, masterKey: TEST_MASTER_KEY });
  await using _joining = await joinPeers(database.url, () => {});
  const moved = await api.call('POST', '/_control/clock', { body: { advance: '1h' } });
  expect(moved).toMatchObject({ status: 200 });
});

describe('Hints to other servers', () => {
  test('are not sent again within 49 ms, even if more arrive', async () => {
    await using peers = await startPeers();
    for (let count = 0; count < 3; count++) peers.hint('work');
    await peers.hears(1);
    vi.advanceTimersByTime(49);
    peers.hint('work');
    // Messages over one connection arrive in order.
    peers.hint('settings');
    expect(await peers.hears(2)).toEqual(['work', 'settings']);
  });

  test('are collected for 50 ms, and then sent together', async () => {
    await using peers = await startPeers();
    for (let count = 0; count < 3; count++) peers.hint('work');
    await peers.hears(1);
    vi.advanceTimersByTime(50);
    await peers.hears(2);
    peers.hint('settings');
    expect(await peers.hears(3)).toEqual(['work', 'work', 'settings']);
  });
});

describe('Messages that are sent before the database has answered', () => {
  test('share one connection and stay in order, without a warning from the driver', async () => {
    await using peers = await startPeers();
    peers.hint('work');
    peers.hint('settings');
    await peers.announce('work');
    expect(await peers.hears(3)).toEqual(['work', 'settings', 'work']);
    expect(warnings).toEqual([]);
  });
});

describe('A message that no server sends', () => {
  test.each([
    'done',
    'done {self} clock {call}',
    'done {self} clock {call} older',
    'done {self} clock {call} rogue {not JSON',
    'tell',
    'tell rogue nothing',
    '',
  ])('%j does not stop a server, which still hears the next message', async (message) => {
    await using database = await createTestDatabase();
    await using hearing = await joinPeers(database.url, () => {});
    const heard = vi.fn();
    hearing.onHeard('work', heard);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      // The client answers the server's call before any server does.
      client.once('notification', ({ payload = '' }) => {
        const [, self = '', , call = ''] = payload.split(' ');
        const answer = message.replace('{self}', self).replace('{call}', call);
        void client.query('select pg_notify($1, $2)', ['svc_mock', answer]);
        void client.query('select pg_notify($1, $2)', ['svc_mock', 'tell rogue work']);
      });
      await client.query('listen svc_mock');
      await hearing.announce('clock', {
        send: async (channel, payload) => void (await client.query('select pg_notify($1, $2)', [channel, payload])),
      });
      await vi.waitFor(() => expect(heard).toHaveBeenCalled());
    } finally {
      await client.end();
    }
  });
});
