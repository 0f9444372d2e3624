import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const responses: ((response: Response) => void)[] = [];

beforeEach(() => {
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} });
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => responses.push(resolve)));
});
afterEach(() => {
  responses.length = 0;
  vi.unstubAllGlobals();
});

// Both modules need a browser's storage when they are loaded.
const load = async () => ({
  ...(await import('../../src/data/admin-session.ts')),
  ...(await import('../../src/data/control.ts')),
});

const rejected = () => new Response('{}', { status: 401 });

test('a rejected session is dropped, also by the stream of changes', async () => {
  const { adminSession, keepAdminSession, needsSignIn, send } = await load();
  keepAdminSession('svc_ses_current');
  const stream = send('GET', '/stream');
  responses[0]?.(rejected());
  await stream;
  expect([adminSession.value, needsSignIn.value]).toEqual([undefined, true]);
});

test('a late response to an earlier session does not drop the current one', async () => {
  const { adminSession, control, keepAdminSession, needsSignIn } = await load();
  keepAdminSession('svc_ses_earlier');
  const late = control('GET', '/info');
  keepAdminSession('svc_ses_current');
  responses[0]?.(rejected());
  await expect(late).rejects.toThrow();
  expect([adminSession.value, needsSignIn.value]).toEqual(['svc_ses_current', false]);
});

test('a wrong admin token drops no session', async () => {
  const { adminSession, keepAdminSession, send } = await load();
  keepAdminSession('svc_ses_current');
  const attempt = send('POST', '/sessions', { body: { admin: true }, token: 'wrong' });
  responses[0]?.(rejected());
  await attempt;
  expect(adminSession.value).toBe('svc_ses_current');
});
