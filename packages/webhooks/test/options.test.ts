import { createWebhooks, memoryDedupe } from '@svc/webhooks';
import { fastifyWebhooks } from '@svc/webhooks/fastify';
import { createLambdaHandler } from '@svc/webhooks/lambda';
import { createExpressHandler, createKoaHandler, createNodeHandler } from '@svc/webhooks/node';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { NOW_MS, SECRET, signedRequest } from './support/message.ts';

const create = (options: object) => () => createWebhooks({ secrets: SECRET, ...options });
const store = memoryDedupe();

describe('an invalid option throws when the receiver is created', () => {
  it.each<[object, string]>([
    [{ now: '5' }, 'now must be a function'],
    [{ now: null }, 'now must be a function'],
    [{ now: new Date() }, 'now must be a function'],
    [{ contentTypes: 'application/json' }, 'contentTypes must be an array of strings'],
    [{ contentTypes: [] }, 'contentTypes must be an array of strings'],
    [{ contentTypes: [5] }, 'contentTypes must be an array of strings'],
    [{ contentTypes: null }, 'contentTypes must be an array of strings'],
    [{ dedupe: memoryDedupe }, 'dedupe.claim must be a function'],
    [{ dedupe: true }, 'dedupe.claim must be a function'],
    [{ dedupe: { ...store, release: undefined } }, 'dedupe.release must be a function'],
    [{ onUnknown: 'log' }, 'onUnknown must be a function'],
    [{ ack: 'frist' }, 'ack must be after or first'],
    [{ ack: null }, 'ack must be after or first'],
    [{ onReject: {} }, 'onReject must be a function'],
    [{ onError: true }, 'onError must be a function'],
  ])('%o', (options, message) => {
    expect(create(options)).toThrow(TypeError);
    expect(create(options)).toThrow(message);
  });

  it('but not if it is valid or left out', async () => {
    const none = { contentTypes: undefined, dedupe: undefined, onUnknown: undefined, onReject: undefined };
    expect(create(none)).not.toThrow();
    class Store {
      claim = store.claim;
      commit() {}
      release() {}
    }
    const webhooks = createWebhooks({
      secrets: SECRET,
      now: () => NOW_MS,
      contentTypes: ['text/plain', 'application/json'],
      dedupe: new Store(),
    });
    expect((await webhooks.fetch(signedRequest())).status).toBe(200);
  });
});

describe('a framework handler', () => {
  const handlers = { createNodeHandler, createExpressHandler, createKoaHandler, createLambdaHandler };

  it.each(Object.entries(handlers))('%s throws when it is created without a receiver', (_, create) => {
    for (const webhooks of [undefined, {}, createWebhooks]) {
      expect(() => create(webhooks as never)).toThrow(new TypeError('webhooks must be a receiver from createWebhooks'));
    }
    const webhooks = createWebhooks({ secrets: SECRET });
    expect(create(webhooks)).toBeTypeOf('function');
  });

  it('the Fastify plugin rejects when it is registered without a receiver', async () => {
    await expect(Fastify().register(fastifyWebhooks, {} as never)).rejects.toThrow(
      'webhooks must be a receiver from createWebhooks',
    );
    await expect(
      Fastify().register(fastifyWebhooks, { webhooks: createWebhooks({ secrets: SECRET }) }),
    ).resolves.toBeDefined();
  });
});

describe('on', () => {
  const { on } = createWebhooks({ secrets: SECRET });

  it.each([undefined, null, 'log', {}])('throws if the handler is %o', (handler) => {
    expect(() => on('webhook.ping', handler as never)).toThrow(TypeError);
    expect(() => on(['webhook.ping', '*'], handler as never)).toThrow(
      'The handler of webhook.ping,* must be a function',
    );
  });

  it.each([undefined, null, 5, ['webhook.ping', undefined]])('throws if the pattern is %o', (pattern) => {
    expect(() => on(pattern as never, () => {})).toThrow('Patterns must be strings');
  });
});
