import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { createWebhooks, type Delivery, type NodeRequest, type Webhooks } from '@svc/webhooks';
import { describe, expect, it, vi } from 'vitest';
import { EVALUATED, NOW_MS, PING, SECRET, signedMessage, signedRequest } from './support/message.ts';
import { webhooks } from './support/receiver.ts';
import { codeOf, refusalOf } from './support/refusal.ts';

/** Sends a signed message to a Node server. @returns the result of `receive`. */
async function overHttp<Result>(
  receive: (request: IncomingMessage) => Promise<Result>,
  init: RequestInit = {},
): Promise<Result> {
  const received = Promise.withResolvers<Result>();
  const server = createServer((request, response) => {
    receive(request)
      .then(received.resolve, received.reject)
      .finally(() => response.writeHead(200, { connection: 'close' }).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const answered = fetch(url, { method: 'POST', ...signedMessage({ body: EVALUATED }), ...init } as RequestInit);
    await Promise.allSettled([answered, received.promise]);
    return await received.promise;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const small = createWebhooks({ secrets: SECRET, now: NOW_MS, maxBodyBytes: 100 });
const endless = () => new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(64)) });

describe('verifyRequest of a Fetch request', () => {
  it('reads and verifies it', async () => {
    expect((await webhooks.verifyRequest(signedRequest({ body: EVALUATED }))).event.type).toBe('lifecycle.evaluated');
  });

  it('accepts a content type with parameters, in any letter case', async () => {
    const request = signedRequest();
    request.headers.set('content-type', 'Application/JSON; charset=utf-8');
    expect((await webhooks.verifyRequest(request)).id).toBe('whd_1');
  });

  it('refuses another method', async () => {
    expect(await codeOf(() => webhooks.verifyRequest(signedRequest({}, { method: 'PUT' })))).toBe('method_not_allowed');
  });

  it.each(['text/plain', 'application/jsonp', ''])('refuses the content type %j', async (type) => {
    const request = signedRequest();
    request.headers.set('content-type', type);
    expect(await codeOf(() => webhooks.verifyRequest(request))).toBe('unsupported_content_type');
  });

  it('accepts only the content types in contentTypes', async () => {
    const open = createWebhooks({ secrets: SECRET, now: NOW_MS, contentTypes: ['application/webhook+json'] });
    const request = signedRequest();
    request.headers.set('content-type', 'application/webhook+json');
    expect((await open.verifyRequest(request)).id).toBe('whd_1');
    expect(await codeOf(() => open.verifyRequest(signedRequest()))).toBe('unsupported_content_type');
  });

  it('refuses a body that was read before', async () => {
    const request = signedRequest();
    await request.json();
    expect(await codeOf(() => webhooks.verifyRequest(request))).toBe('body_already_read');
  });

  it('stops reading an endless body at the size limit', async () => {
    const request = signedRequest({}, { body: endless(), duplex: 'half' } as RequestInit);
    expect(await codeOf(() => small.verifyRequest(request))).toBe('body_too_large');
  });

  it('reads nothing of a body if its declared length exceeds the limit', async () => {
    const request = signedRequest();
    request.headers.set('content-length', '101');
    expect(await codeOf(() => small.verifyRequest(request))).toBe('body_too_large');
    expect(request.bodyUsed).toBe(false);
  });

  it('refuses a stream of text', async () => {
    const { headers, body } = signedMessage();
    const request = { ...new Request('https://x'), method: 'POST', headers, bodyUsed: false, arrayBuffer: () => {} };
    const text = ReadableStream.from([body]);
    expect(await codeOf(() => webhooks.verifyRequest({ ...request, body: text } as never))).toBe('body_not_raw');
  });

  it('does not read the body if the headers are invalid', async () => {
    const request = signedRequest({ timestamp: 1 });
    expect(await codeOf(() => webhooks.verifyRequest(request))).toBe('timestamp_too_old');
    expect(request.bodyUsed).toBe(false);
  });

  it('checks the timestamp again after reading the body, because a slow body can make the message too old', async () => {
    let nowMs = NOW_MS;
    const receiver = createWebhooks({ secrets: SECRET, now: () => nowMs });
    const request = signedRequest({}, {
      duplex: 'half',
      body: new ReadableStream(
        {
          pull(controller) {
            nowMs += 301_000;
            controller.enqueue(new TextEncoder().encode(PING));
            controller.close();
          },
        },
        { highWaterMark: 0 },
      ),
    } as RequestInit);
    expect(await codeOf(() => receiver.verifyRequest(request))).toBe('timestamp_too_old');
  });

  it('rejects with a WebhookError that has a cause if the body is cut off', async () => {
    const cause = new Error('network connection lost');
    const body = new ReadableStream({ pull: (controller) => controller.error(cause) });
    const refusal = await refusalOf(() =>
      webhooks.verifyRequest(signedRequest({}, { body, duplex: 'half' } as RequestInit)),
    );
    expect(refusal).toMatchObject({ code: 'body_not_raw', status: 400, cause });
  });

  it('reads a missing body as empty', async () => {
    const request = signedRequest({ body: '' }, { body: null });
    expect(await codeOf(() => webhooks.verifyRequest(request))).toBe('body_invalid_json');
  });
});

describe('verifyRequest of a Node request', () => {
  it('reads and verifies it', async () => {
    const delivery: Delivery = await overHttp((request) => webhooks.verifyRequest(request));
    expect(delivery.event.type).toBe('lifecycle.evaluated');
  });

  it.each<[string, Webhooks, RequestInit]>([
    ['declared', small, {}],
    ['streamed', small, { body: new Blob(['x'.repeat(70_000)]).stream(), duplex: 'half' } as RequestInit],
  ])('refuses a %s body that exceeds the limit, and can still answer', async (_, receiver, init) => {
    expect(await codeOf(() => overHttp((request) => receiver.verifyRequest(request), init))).toBe('body_too_large');
  });

  it('uses the raw bytes that a body parser kept', async () => {
    const { headers, body } = signedMessage();
    const consumed = (kept: { body?: unknown; rawBody?: unknown }): NodeRequest => {
      const stream = Object.assign(Readable.from([]), { headers, method: 'POST', ...kept });
      return Object.defineProperty(stream, 'readableDidRead', { value: true });
    };
    expect((await webhooks.verifyRequest(consumed({ body: Buffer.from(body) }))).id).toBe('whd_1');
    expect((await webhooks.verifyRequest(consumed({ rawBody: body, body: {} }))).id).toBe('whd_1');
    expect(await codeOf(() => webhooks.verifyRequest(consumed({ body: {} })))).toBe('body_not_raw');
    expect(await codeOf(() => webhooks.verifyRequest(consumed({})))).toBe('body_already_read');
  });

  it.each(['utf8', 'latin1', 'base64'] as const)(
    'refuses a stream that was decoded with setEncoding (%s), because its bytes are lost',
    async (encoding) => {
      const receive = (request: IncomingMessage) => webhooks.verifyRequest(request.setEncoding(encoding));
      const refusal = await refusalOf(() => overHttp(receive));
      expect(refusal).toMatchObject({ code: 'body_not_raw', hint: expect.stringContaining('setEncoding') });
    },
  );

  it('refuses a request whose stream was read before', async () => {
    const receive = async (request: IncomingMessage) => {
      for await (const _ of request);
      return webhooks.verifyRequest(request);
    };
    expect(await codeOf(() => overHttp(receive))).toBe('body_already_read');
  });

  it('rejects a request with 400 if the sender hangs up, and logs nothing by default', async () => {
    const abort = new AbortController();
    const told: unknown[] = [];
    const consoleError = vi.spyOn(console, 'error').mockImplementation((...args) => void told.push(args));
    const receive = async (request: IncomingMessage) => {
      request.once('data', () => abort.abort());
      return webhooks.handle(request);
    };
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(10)) });
    const init = { body, duplex: 'half', signal: abort.signal } as RequestInit;
    const { status, body: answer } = await overHttp(receive, init);
    expect([status, JSON.parse(answer)]).toMatchObject([400, { outcome: 'rejected', code: 'body_not_raw' }]);
    expect(told).toEqual([]);
    consoleError.mockRestore();
  });

  it('reads a request once if two calls verify it at once, and tells the second that the body was already read', async () => {
    const [first, second] = await overHttp((request) =>
      Promise.allSettled([webhooks.verifyRequest(request), webhooks.verifyRequest(request)]),
    );
    expect(first).toMatchObject({ status: 'fulfilled', value: { id: 'whd_1' } });
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'body_already_read' } });
  });

  it('refuses a request that was aborted before it was read', async () => {
    const request = Object.assign(Readable.from([PING]), { method: 'POST', headers: signedMessage().headers });
    request.destroy();
    const refusal = await refusalOf(() => webhooks.verifyRequest(request as never));
    expect(refusal).toMatchObject({ code: 'body_not_raw', status: 400, cause: { code: 'ERR_STREAM_PREMATURE_CLOSE' } });
  });
});
