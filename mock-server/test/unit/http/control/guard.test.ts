import { Hono, type MiddlewareHandler } from 'hono';
import { expect, test, vi } from 'vitest';
import { adminGuard, controlGuard } from '../../../../src/http/control/guard.ts';
import { toApiError } from '../../../../src/http/errors.ts';
import type { Services } from '../../../../src/http/services.ts';

const TOKEN = 'admin-token-of-at-least-32-characters';

function createGuarded(guardFor: (services: Services) => MiddlewareHandler) {
  const rememberAdmin = vi.fn();
  const count = vi.fn(async () => {});
  const services = {
    adminToken: TOKEN,
    isOwnHost: () => true,
    isOwnOrigin: () => true,
    sessions: {},
    wrongTokens: { count },
    limits: { credentials: { rememberAdmin } },
  } as unknown as Services;
  const app = new Hono().use(guardFor(services)).get('/', (c) => c.text('ok'));
  app.onError((error, c) => c.text(error.message, toApiError(error).status));
  return {
    rememberAdmin,
    count,
    async get(token: string, remoteAddress = '203.0.113.7') {
      const headers = { host: 'localhost', authorization: `Bearer ${token}` };
      return (await app.request('/', { headers }, { incoming: { socket: { remoteAddress } } })).status;
    },
  };
}

test.each<[string, (services: Services) => MiddlewareHandler]>([
  ['the control API', controlGuard],
  ['the metrics', adminGuard],
])(
  '%s: the right admin token is remembered, and a wrong one counts for the network of its client',
  async (_, guard) => {
    const { get, rememberAdmin, count } = createGuarded(guard);
    expect(await get(`${TOKEN}-wrong`, '2001:db8:1:2::3')).toBe(401);
    expect(count).toHaveBeenCalledExactlyOnceWith('2001:db8:1:2', expect.anything());
    expect(rememberAdmin).not.toHaveBeenCalled();
    expect(await get(TOKEN)).toBe(200);
    expect(rememberAdmin).toHaveBeenCalledOnce();
    expect(count).toHaveBeenCalledOnce();
  },
);
