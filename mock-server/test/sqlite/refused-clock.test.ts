import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { DEFAULT_CONFIG } from '../../src/config/config.ts';
import { createContext } from '../../src/context.ts';
import { createApp } from '../../src/http/app.ts';
import type { Storage } from '../../src/storage/port.ts';

describe('The clock stays unchanged if the database does not store its change', () => {
  test.each([
    ['/_control/clock', { reset: true }],
    ['/_control/clock', { freeze: true }],
    ['/_control/clock', { advance: 'P1D' }],
    ['/_control/reset', {}],
  ])('POST %s %j', async (path, body) => {
    await using context = await createContext({ ...DEFAULT_CONFIG, dataDir: null, logLevel: 'silent' });
    const app = createApp(context.services);
    const url = 'http://127.0.0.1:4010';
    const post = async (to: string, value: object) =>
      await app.request(`${url}${to}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(value),
      });
    expect((await post('/_control/clock', { advance: 'P3D' })).status).toBe(200);
    const { state } = context.services.clock;
    const storage = context.services.storage as Storage;
    await storage.write((queries) =>
      sql`create trigger refuse before insert on settings begin select raise(abort, 'refused'); end`.execute(queries),
    );
    expect((await post(path, body)).status).toBe(500);
    expect(context.services.clock.state).toEqual(state);
  });
});
