import { createWebhooks, type Webhooks } from '@svc/webhooks';
import { type FastifyContext, fastifyWebhooks } from '@svc/webhooks/fastify';
import { createLambdaHandler, type LambdaContext } from '@svc/webhooks/lambda';
import {
  createExpressHandler,
  createKoaHandler,
  createNodeHandler,
  type KoaContext,
  type NodeContext,
} from '@svc/webhooks/node';
import express from 'express';
import Fastify from 'fastify';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { serve } from './support/http-server.ts';
import { NOW_MS, SECRET, signedMessage, signedRequest } from './support/message.ts';

const receiver = () => createWebhooks({ secrets: SECRET, now: NOW_MS });

/** The arguments of the handlers of a receiver. */
function recorded(webhooks: Webhooks) {
  const handler = vi.fn();
  webhooks.on('*', handler);
  return handler;
}

describe('the third argument of a handler', () => {
  it('is what fetch, handle and dispatch get, and its type follows from the option or the type argument', async () => {
    const webhooks = createWebhooks<{ env: string }>({ secrets: SECRET, now: NOW_MS });
    const seen: unknown[] = [];
    webhooks.on('webhook.ping', (_event, _delivery, context) => {
      expectTypeOf(context).toEqualTypeOf<{ env: string }>();
      seen.push(context);
    });
    await webhooks.fetch(signedRequest(), { env: 'fetch' });
    await webhooks.handle({ method: 'POST', ...signedMessage() }, { env: 'handle' });
    await webhooks.dispatch(webhooks.verify(signedMessage()), { env: 'dispatch' });
    await webhooks.fetch(signedRequest());
    expect(seen).toEqual([{ env: 'fetch' }, { env: 'handle' }, { env: 'dispatch' }, undefined]);
    // @ts-expect-error: this receiver's handlers expect another context.
    expect((await webhooks.fetch(signedRequest(), { other: 1 })).status).toBe(200);
  });

  it('is the option context if the caller passes none', async () => {
    const webhooks = createWebhooks({ secrets: SECRET, now: NOW_MS, context: { database: 'main' } });
    const seen: string[] = [];
    webhooks.on('*', (_event, _delivery, { database }) => void seen.push(database));
    await webhooks.fetch(signedRequest());
    await webhooks.fetch(signedRequest(), { database: 'other' });
    expect(seen).toEqual(['main', 'other']);
  });

  it('is { req, res } in Node and Express', async () => {
    for (const mount of [createNodeHandler, createExpressHandler]) {
      const webhooks = receiver();
      const handler = recorded(webhooks);
      const app = express().post('/webhooks', mount(webhooks));
      const mounted = await serve(app);
      const { headers, body } = signedMessage();
      expect(await mounted.post({ headers, body: String(body) })).toMatchObject({ status: 200 });
      await mounted.close?.();
      expect(handler.mock.calls[0]?.[2]).toEqual({
        req: expect.objectContaining({ method: 'POST' }),
        res: expect.objectContaining({ statusCode: 200 }),
      });
    }
  });

  it('is { request, reply } in Fastify', async () => {
    const webhooks = receiver();
    const handler = recorded(webhooks);
    const app = Fastify();
    app.register(fastifyWebhooks, { webhooks, path: '/webhooks' });
    const { headers, body } = signedMessage();
    expect((await app.inject({ method: 'POST', url: '/webhooks', headers, payload: body })).statusCode).toBe(200);
    const { request, reply } = handler.mock.calls[0]?.[2] ?? {};
    expect([request.method, reply.statusCode]).toEqual(['POST', 200]);
  });

  it('is { ctx } in Koa', async () => {
    const webhooks = receiver();
    const handler = recorded(webhooks);
    const { headers, body } = signedMessage();
    const ctx = {
      req: { method: 'POST', headers, complete: true, readableDidRead: true },
      request: { rawBody: body },
      set() {},
      status: 0,
      body: undefined,
    };
    await createKoaHandler(webhooks)(ctx as never);
    expect(ctx.status).toBe(200);
    expect(handler.mock.calls[0]?.[2]).toEqual({ ctx });
  });

  it('is { event, context } in Lambda', async () => {
    const webhooks = receiver();
    const handler = recorded(webhooks);
    const event = { httpMethod: 'POST', ...signedMessage() };
    await createLambdaHandler(webhooks)(event as never, { awsRequestId: 'a' });
    expect(handler.mock.calls[0]?.[2]).toEqual({ event, context: { awsRequestId: 'a' } });
  });
});

describe('delivery.headers', () => {
  it('has every header by its name in lower case, and joins repeated ones', () => {
    const { headers, body } = signedMessage();
    const given = { ...headers, TraceParent: '00-ab', forwarded: ['a', 'b'], none: undefined };
    const delivery = receiver().verify({ headers: given, body });
    expect(delivery.headers).toEqual({ ...headers, traceparent: '00-ab', forwarded: 'a,b' });
    expect(JSON.parse(JSON.stringify(delivery))).toMatchObject({ headers: { traceparent: '00-ab' } });
    expect(receiver().verify(signedMessage()).headers['traceparent']).toBeUndefined();
  });

  it('reaches handlers from a Fetch request', async () => {
    const webhooks = receiver();
    const handler = recorded(webhooks);
    const request = signedRequest();
    request.headers.set('TraceParent', '00-cd');
    await webhooks.fetch(request);
    expect(handler.mock.calls[0]?.[1].headers['traceparent']).toBe('00-cd');
  });
});

describe('a function secrets', () => {
  /** The secret of each tenant, by the path. */
  const byPath = ({ url, headers }: { url: string | undefined; headers: { [name: string]: string | undefined } }) =>
    new URL(url ?? '', 'https://receiver.test').pathname === '/webhooks/acme' || headers['x-tenant'] === 'acme'
      ? SECRET
      : `whsec_${Buffer.alloc(32).toString('base64')}`;
  const webhooks = createWebhooks({ secrets: byPath, now: NOW_MS, onReject() {} });
  const message = signedMessage();

  it('chooses by the URL, in every way in which a request comes', async () => {
    const at = (path: string) => new Request(`https://receiver.test${path}`, signedRequest());
    expect((await webhooks.fetch(at('/webhooks/acme?a=b'))).status).toBe(200);
    expect((await webhooks.fetch(at('/webhooks/other'))).status).toBe(401);
    const router = express.Router().post('/:tenant', createExpressHandler(webhooks));
    const mounted = await serve(express().use('/webhooks', router), '/webhooks/acme');
    expect(await mounted.post({ headers: message.headers, body: String(message.body) })).toMatchObject({ status: 200 });
    await mounted.close?.();
    const lambda = createLambdaHandler(webhooks);
    const event = { requestContext: { http: { method: 'POST' } }, ...message } as object;
    expect((await lambda({ ...event, rawPath: '/webhooks/acme', rawQueryString: 'a=b' })).statusCode).toBe(200);
    expect((await lambda({ ...event, path: '/webhooks/acme' })).statusCode).toBe(200);
    expect((await lambda({ ...event, path: '/webhooks/other' })).statusCode).toBe(401);
    expect(webhooks.check({ ...message, url: '/webhooks/acme' }).ok).toBe(true);
    expect(webhooks.check(message).ok).toBe(false);
  });

  it('chooses by a header, also asynchronously', async () => {
    const headers = { ...message.headers, 'X-Tenant': 'acme' };
    expect(webhooks.check({ ...message, headers }).ok).toBe(true);
    const later = createWebhooks({ secrets: async (request) => byPath(request), now: NOW_MS, onReject() {} });
    const post = (given: Record<string, string>) => later.handle({ method: 'POST', ...message, headers: given });
    expect((await post(headers)).status).toBe(200);
    expect((await post({ ...headers, 'X-Tenant': 'other' })).status).toBe(401);
  });

  it('has a type that each entry point exports', () => {
    const create = <Context>() => createWebhooks<Context>({ secrets: SECRET });
    const app = Fastify();
    app.register(fastifyWebhooks, { webhooks: create<FastifyContext>() });
    createKoaHandler(create<KoaContext>());
    createNodeHandler(create<NodeContext>());
    createExpressHandler(create<NodeContext>());
    createLambdaHandler(create<LambdaContext>());
    expectTypeOf<keyof KoaContext>().toEqualTypeOf<'ctx'>();
    expectTypeOf<keyof LambdaContext>().toEqualTypeOf<'event' | 'context'>();
    // @ts-expect-error: its handlers expect the context of Koa.
    createLambdaHandler(create<KoaContext>());
  });
});
