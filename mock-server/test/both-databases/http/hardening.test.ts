import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { redactSecrets } from '../../../src/domain/credential.ts';
import { createHandler } from '../../../src/index.ts';
import { failure, startApi, TEST_MASTER_KEY, type TestApi } from '../../support/api.ts';
import { createTestDatabase, onPostgres } from '../../support/database.ts';
import { demo } from '../../support/demo.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

/** Sends the raw text, and reads until the server closes the connection. */
async function exchange(text: string): Promise<{ status: number; body: unknown; requestId: string | undefined }> {
  const socket = connect(api.server.port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    answer += chunk;
  });
  socket.write(text.replace('PORT', String(api.server.port)));
  await once(socket, 'close');
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return {
    status: Number(head.split(' ')[1]),
    body: JSON.parse(body),
    requestId: /^service-request-id: (.+)$/im.exec(head)?.[1],
  };
}

describe('Without a socket', () => {
  test('headers over the limit return 431 as over HTTP, and headers below it are accepted', async () => {
    await using database = onPostgres ? await createTestDatabase() : undefined;
    await using handler = await createHandler({
      dataDir: null,
      logLevel: 'silent',
      ...(database && { databaseUrl: database.url, masterKey: TEST_MASTER_KEY }),
    });
    const send = async (length: number) => {
      const headers = { authorization: `Bearer ${demo.production.key}`, 'x-long': 'h'.repeat(length) };
      return await handler.fetch(new Request('http://127.0.0.1:4010/v1/me', { headers }));
    };
    const refused = await send(32 * 1024);
    expect(refused.status).toBe(431);
    expect(await refused.json()).toEqual(failure('HEADERS_TOO_LARGE', expect.any(String)));
    expect((await send(31 * 1024)).status).toBe(200);
  });
});

describe('Input that never becomes a request is answered with the error envelope', () => {
  test.each([
    [
      'a target over 8 KiB',
      `GET /v1/me?${'q'.repeat(9_000)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      414,
      'URI_TOO_LONG',
    ],
    [
      'a target over every limit',
      `GET /v1/me?${'q'.repeat(60_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      414,
      'URI_TOO_LONG',
    ],
    [
      'headers over 32 KiB',
      `GET /v1/me HTTP/1.1\r\nHost: localhost\r\nX-Big: ${'h'.repeat(40_000)}\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    ['a tunnel', 'CONNECT other.test:443 HTTP/1.1\r\nHost: other.test\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
    [
      'an unknown expectation',
      'GET /v1/me HTTP/1.1\r\nHost: localhost\r\nExpect: 200-maybe\r\nConnection: close\r\n\r\n',
      400,
      'VALIDATION',
    ],
    ['no Host', 'GET /v1/me HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'VALIDATION'],
    ['an empty Host', 'GET /v1/me HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n', 400, 'VALIDATION'],
    [
      'a target that is not a path',
      'OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      400,
      'VALIDATION',
    ],
    ['text that is not HTTP', 'HELLO?\r\n\r\n', 400, 'VALIDATION'],
    ['an invalid Host', 'GET /v1/me HTTP/1.1\r\nHost: a b@c/\r\nConnection: close\r\n\r\n', 400, 'VALIDATION'],
    [
      'two lengths for one body',
      'POST /v1/me HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      400,
      'VALIDATION',
    ],
    [
      'both a length and chunks',
      'POST /v1/me HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'VALIDATION',
    ],
  ])('%s', async (_what, text, status, code) => {
    const answer = await exchange(text);
    expect(answer).toEqual({
      status,
      body: failure(code, expect.any(String)),
      requestId: expect.stringMatching(/^[0-9A-Z]{26}$/),
    });
  });

  test('except a target and headers below the limits, which are served', async () => {
    const answer = await api.call('GET', `/v1/me?${'q'.repeat(8_000)}`, {
      credential: demo.owner,
      headers: { 'x-big': 'h'.repeat(20_000) },
    });
    expect(answer.status).toBe(200);
  });
});

describe('A path that the server would read otherwise than a proxy', () => {
  const ask = (path: string) => exchange(`GET ${path} HTTP/1.1\r\nHost: localhost:PORT\r\nConnection: close\r\n\r\n`);

  test.each([
    '/v1/%2e%2e/_control/clock',
    '/v1/%2E%2e/_control/clock',
    '/v1/.%2e/_control/clock',
    '/v1/../_control/clock',
    '/v1/x/%2e%2e/%2e%2e/_control/clock',
    '/v1/%2e/me',
    '/./_control/clock',
    '/v1/me/%2e%2e',
    '/v1/me/.',
    '/v1\\..\\_control/clock',
    '\\_control\\clock',
    'http://localhost/v1/%2e%2e/_control/clock',
    '/%5f%63ontrol/clock',
    '/_contro%6C/clock',
    'http://localhost/%5fcontrol/clock',
  ])('is refused: %s', async (path) => {
    expect(await ask(path)).toMatchObject({ status: 400, body: failure('VALIDATION', expect.any(String)) });
  });

  test.each([
    ['/health/live?from=/../x', 200],
    ['/health/live#/../x', 200],
    ['/v1/..x', 404],
    ['/v1/%2e%2e%2e', 404],
    ['/v1/a.b', 404],
    ['/v1/%6de', 401],
    ['/health/live?from=%5fx', 200],
  ])('is not %s', async (path, status) => {
    expect((await ask(path)).status).toBe(status);
  });
});

describe('HTTP/1.0, which does not require a Host (RFC 9112, 3.2)', () => {
  test.each([
    ['the health check of a load balancer', 'GET /health/live HTTP/1.0\r\n\r\n', 200],
    ['a call', `GET /v1/me HTTP/1.0\r\nAuthorization: Bearer ${demo.production.key}\r\n\r\n`, 200],
    ['the control API, which requires a Host that names the server', 'GET /_control/clock HTTP/1.0\r\n\r\n', 403],
  ])('%s', async (_what, request, status) => {
    expect(await exchange(request)).toMatchObject({ status, requestId: expect.any(String) });
  });
});

describe('A chunked body over the limit', () => {
  test.each([
    ['PATCH', `/v1/workspaces/${demo.production.id}`],
    ['POST', '/v1/webhooks/endpoints'],
    ['GET', '/v1/me'],
  ])(
    'of %s is refused after its last byte: the client reads the whole 413, and that the connection ends',
    async (method, path) => {
      const socket = connect(api.server.port, '127.0.0.1');
      socket.write(
        `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${demo.production.key}\r\n` +
          'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
      );
      // Send four times the limit before reading anything, like a client that does not expect an early answer.
      const chunk = ' '.repeat(65_536);
      for (let count = 0; count < 64; count++) socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
      await new Promise((resolve) => socket.write('0\r\n\r\n', resolve));
      const answer = await text(socket.setEncoding('utf8'));
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
      expect(answer).toMatch(/^connection: close\r$/im);
      expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual(failure('PAYLOAD_TOO_LARGE', expect.any(String)));
    },
  );
});

test('a body without an announced length is cut off at the limit', async () => {
  let sent = 0;
  const endless = new ReadableStream({
    pull(controller) {
      sent += 65_536;
      controller.enqueue(new Uint8Array(65_536).fill(0x20));
    },
  });
  const response = await fetch(`${api.server.url}/v1/workspaces/${demo.production.id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${demo.production.key}`, 'content-type': 'application/json' },
    body: endless,
    duplex: 'half',
  } as RequestInit);
  expect(response.status).toBe(413);
  expect(sent).toBeLessThan(64 * 1024 * 1024);
});

describe('The log', () => {
  test('contains no secret, and no credential from any part of a request', async () => {
    const main = new URL('../../../src/main.ts', import.meta.url).pathname;
    const child = spawn('node', [main, '--memory', '--json', '--port', '0'], { stdio: ['ignore', 'pipe', 'pipe'] });
    let log = '';
    child.stderr.on('data', (text) => {
      log += text;
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { url: string };
    const key = demo.production.key;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    await fetch(`${url}/v1/${key}?token=${key}`, { headers });
    const created = await fetch(`${url}/v1/webhooks/endpoints`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ url: 'http://127.0.0.1:9/', subscribedEvents: ['*'] }),
    });
    const { secret } = (await created.json()) as { secret: { secret: string } };
    await fetch(`${url}/_control/events`, {
      method: 'POST',
      body: JSON.stringify({ workspaceId: demo.production.id, type: 'lifecycle.evaluated' }),
      headers: { 'content-type': 'application/json' },
    });
    await fetch(`${url}/_control/settle`, { method: 'POST', headers });
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(log).toContain('"path":"/v1/webhooks/endpoints"');
    expect(log).not.toContain(key);
    expect(log).not.toContain(secret.secret.slice(8));
  });

  test('redacts a credential in a text', () => {
    expect(redactSecrets('/v1/svc_sk_test_a-b_c/x?y=svc_pat_1')).toBe('/v1/svc_[redacted]/x?y=svc_[redacted]');
    expect(redactSecrets('/v1/workspaces/wsp_1')).toBe('/v1/workspaces/wsp_1');
  });

  test.each(['whsec_ab-c_d', 'whsec_ab+c/d=', '%77hsec%5Fab%2Bc', 'WHSEC_abc'])(
    'redacts a signing secret written as %s',
    (text) => {
      expect(redactSecrets(`/v1/search?q=${text}&type=profile`)).toBe('/v1/search?q=whsec_[redacted]&type=profile');
    },
  );

  test.each(['%73vc_sk_abc', 'svc%5fSK%5Fabc', '%53VC_%70at_abc', '%2573vc_sk_abc', 's%25252576c_pat_abc'])(
    'redacts a credential written as %s',
    (text) => {
      expect(redactSecrets(`/v1/${text}/x`)).toBe('/v1/svc_[redacted]/x');
    },
  );

  test.each([
    ['http://ada:pass@host.test/x', 'http://[redacted]@host.test/x'],
    ['{"url":"https://ada:p@ss@host.test"}', '{"url":"https://[redacted]@host.test"}'],
    ['postgres://token@db', 'postgres://[redacted]@db'],
    ['?next=https%3A%2F%2Fada%3Apass%40host.test%2Fx', '?next=https%3A%2F%2F[redacted]@host.test%2Fx'],
  ])('redacts the user info of a URL: %s', (text, shown) => {
    expect(redactSecrets(text)).toBe(shown);
  });

  test('shows text that only resembles a credential', () => {
    const urls = ['http://host.test/~ada@x', 'http://host.test?to=a@b.test', '["http://host.test","a@b.test"]'];
    const encoded = 'http%3A%2F%2Fhost.test%2Fada%40b.test';
    for (const text of ['/v1/%73vc_xk_abc', '/v1/svc-sk-abc', '/v1/%74vc_sk_abc', ...urls, encoded])
      expect(redactSecrets(text)).toBe(text);
  });
});
