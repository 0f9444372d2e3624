import { once } from 'node:events';
import { connect, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createNodeHandler } from '@svc/webhooks/node';
import { expect, it, vi } from 'vitest';
import { serve } from '../support/http-server.ts';
import { signedMessage } from '../support/message.ts';
import { webhooks } from '../support/receiver.ts';
import { describeFramework } from '../support/receiver-suite.ts';

describeFramework('node:http', {
  mount: (webhooks) => serve(createNodeHandler(webhooks)),
  mountParsed: (webhooks) =>
    serve(async (request, response) => {
      let text = '';
      for await (const piece of request) text += piece;
      const parsed = Object.assign(request, { body: JSON.parse(text) });
      await createNodeHandler(webhooks)(parsed, response);
    }),
});

it('does not write to a response that other code has already started, such as a time-out', async () => {
  const finished = Promise.withResolvers<void>();
  const webhooks = {
    async handle() {
      return { status: 200, headers: {}, body: '{}' };
    },
  };
  const mounted = await serve((request, response) => {
    response.writeHead(503).end('too late');
    createNodeHandler(webhooks)(request, response).then(finished.resolve, finished.reject);
  });
  expect(await mounted.post({ headers: {}, body: '' })).toEqual({ status: 503, body: 'too late' });
  await expect(finished.promise).resolves.toBeUndefined();
  await mounted.close?.();
});

it('answers over HTTP/2, even if a body is too large, and then serves the next request on the connection', async () => {
  const emitWarning = vi.spyOn(process, 'emitWarning');
  const server = createServer(createNodeHandler(webhooks) as never).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const post = async (body: string) => {
    const stream = session.request({
      ':method': 'POST',
      ...signedMessage({ body }).headers,
      'content-length': body.length,
    });
    stream.end(body);
    const [headers] = await once(stream, 'response');
    stream.close();
    return headers[':status'];
  };
  expect(await post('x'.repeat(2_000_000))).toBe(413);
  expect(await post(`${signedMessage().body}`)).toBe(200);
  expect(emitWarning).not.toHaveBeenCalled();
  emitWarning.mockRestore();
  session.close();
  server.close();
});
