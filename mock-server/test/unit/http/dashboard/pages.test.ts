import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dashboardFiles } from '../../../../src/http/dashboard/files.ts';
import { startApi, TEST_ADMIN_TOKEN, type TestApi } from '../../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api[Symbol.asyncDispose]());

const get = async (path: string, on = api, init?: RequestInit) => {
  const response = await fetch(new URL(path, on.server.url), init);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

/** Requests a file and reads nothing of the response. */
async function startUnread(path: string, port: string): Promise<Socket> {
  const socket = connect(Number(port), '127.0.0.1').pause();
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
  return socket;
}

describe('The dashboard', () => {
  test.each(['/dashboard', '/dashboard/', '/dashboard/w/wsp_x/deliveries?status=failed'])(
    '%s shows its only page',
    async (path) => {
      const { status, headers, text } = await get(path);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-cache');
      expect(text).toContain('<base href="/dashboard/" />');
    },
  );

  test('a browser that opens the address of the server gets there', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const browser = await get('/', api, { headers, redirect: 'manual' });
    expect([browser.status, browser.headers.get('location')]).toEqual([302, '/dashboard']);
    expect((await get('/', api, { headers })).text).toContain('<base href="/dashboard/" />');
  });

  test('a program that requests the address of the server gets 404', async () => {
    const program = await get('/', api, { redirect: 'manual' });
    expect([program.status, JSON.parse(program.text).error.code]).toEqual([404, 'NOT_FOUND']);
  });

  test('its content security policy allows its own files and nothing inline', async () => {
    const { headers, text } = await get('/dashboard');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|\bon\w+=|\bstyle=/);
  });

  test('its files can be cached for ever, and an unknown one is 404', async () => {
    const { text } = await get('/dashboard');
    const [, script = ''] = /src="\.\/(assets\/[^"]+\.js)"/.exec(text) ?? [];
    const file = await get(`/dashboard/${script}`);
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(file.headers.get('cache-control')).toContain('immutable');
    const unknown = ['none.js', 'a/b.js', 'a/b', '..%2findex.html', '..%2f..%2fpackage.json', '%2e%2e%2findex.html'];
    for (const name of [...unknown, 'index.html', `a/${script.slice('assets/'.length)}`]) {
      expect([name, (await get(`/dashboard/assets/${name}`)).status]).toEqual([name, 404]);
    }
  });

  test('the largest file is stored compressed, and unpacked for clients that do not accept it that way', async () => {
    const [, script = ''] = /src="(dashboard\/assets\/scalar[^"]+\.js)"/.exec((await get('/docs')).text) ?? [];
    const packed = await get(`/${script}`, api, { headers: { 'accept-encoding': 'gzip, br' } });
    expect(packed.status).toBe(200);
    expect(packed.headers.get('content-encoding')).toBe('br');
    for (const encoding of ['gzip', 'identity', 'gzip, br;q=0']) {
      const plain = await get(`/${script}`, api, { headers: { 'accept-encoding': encoding } });
      expect(plain.headers.get('content-encoding')).toBeNull();
      expect(plain.headers.get('vary')).toBe('Accept-Encoding');
      expect(plain.headers.get('cache-control')).toContain('immutable');
      expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(plain.text === packed.text).toBe(true);
    }
    // The file cannot be requested by the name it is stored under.
    expect((await get(`/${script}.br`)).status).toBe(404);
  });

  test('all responses share the unpacked bytes of the largest file, and clients that do not read it keep no copy', async () => {
    const [, name = ''] = /assets\/(scalar[^"]+\.js)"/.exec((await get('/docs')).text) ?? [];
    const [first, second] = [await dashboardFiles(), await dashboardFiles()].map((files) => files?.assets.get(name));
    const bytes = await first?.unpacked?.();
    expect(bytes?.byteLength).toBeGreaterThan(first?.bytes.byteLength ?? 0);
    expect(await second?.unpacked?.()).toBe(bytes);

    const { port } = new URL(api.server.url);
    const before = process.memoryUsage().arrayBuffers;
    const clients = await Promise.all(Array.from({ length: 20 }, () => startUnread(`/dashboard/assets/${name}`, port)));
    await sleep(500);
    const grownBy = process.memoryUsage().arrayBuffers - before;
    for (const client of clients) client.destroy();
    // The server keeps it once, and each client a few pieces of 64 KiB.
    expect(grownBy).toBeLessThan(4 * (bytes?.byteLength ?? 0));
  });

  test('its base includes the path of the public URL', async () => {
    await using proxied = await startApi({ publicUrl: 'https://tools.test/a&b/$&/', adminToken: TEST_ADMIN_TOKEN });
    const { text } = await get('/dashboard', proxied);
    expect(text).toContain('<base href="/a&amp;b/$&amp;/dashboard/" />');
  });

  test.each(['/dashboard', '/docs'])('%s allows only GET and HEAD', async (path) => {
    expect((await get(path, api, { method: 'HEAD' })).status).toBe(200);
    expect((await get(path, api, { method: 'POST' })).status).toBe(405);
  });

  test('in the strict profile it requires an admin token, and says so', async () => {
    await using closed = await startApi({ strict: true });
    const refused = { status: 403, text: 'In the strict profile, the dashboard requires --admin-token.' };
    expect(await get('/dashboard', closed)).toMatchObject(refused);
    expect(await get('/docs', closed)).toMatchObject(refused);
    await using guarded = await startApi({ strict: true, adminToken: TEST_ADMIN_TOKEN });
    expect((await get('/dashboard', guarded)).status).toBe(200);
    expect((await get('/docs', guarded)).status).toBe(200);
  });

  test('the API reference has a separate policy, which allows no other origin', async () => {
    const { status, headers, text } = await get('/docs');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|\bon\w+=/);
  });

  test('a node without the API says which one to open', async () => {
    await using node = await startApi({ roles: ['deliver'] });
    const { status, text } = await get('/dashboard', node);
    expect([status, text]).toEqual([503, expect.stringContaining('--roles api')]);
  });
});
