import { expect, test } from 'vitest';
import { SESSION_MS } from '../../../src/domain/dashboard-session.ts';
import { MasterKey } from '../../../src/domain/master-key.ts';
import { createSessions } from '../../../src/http/sessions.ts';
import { openSqlite } from '../../../src/storage/sqlite/open.ts';

test('A session expires by the real time that all nodes share, even if the clock of the machine is wrong', async () => {
  await using storage = await openSqlite(':memory:');
  let shared = Date.now() + 2 * SESSION_MS;
  const sessions = createSessions(storage, MasterKey.random(), () => shared);
  const { credential, expiresAt } = await sessions.issue({ userId: 'usr_1' }, 'http://localhost');
  expect(expiresAt).toBe(shared + SESSION_MS);
  shared = expiresAt - 1;
  expect(await sessions.read(credential)).toMatchObject({ subject: { userId: 'usr_1' } });
  shared = expiresAt;
  expect(await sessions.read(credential)).toBeUndefined();
});
