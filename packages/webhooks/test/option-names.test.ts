import { createWebhooks, memoryDedupe, verifyWebhook, type WebhooksOptions } from '@svc/webhooks';
import { sendFixture, signWebhook } from '@svc/webhooks/testing';
import { describe, expect, it } from 'vitest';
import { NOW_MS, SECRET, signedMessage } from './support/message.ts';

const message = signedMessage();

describe('an option that does not exist throws, and the error names the right one', () => {
  it.each<[string, (options: object) => unknown, object, string]>([
    [
      'createWebhooks',
      (options) => createWebhooks(options as never),
      { secret: SECRET },
      'secret. Did you mean secrets?',
    ],
    [
      'createWebhooks',
      (options) => createWebhooks(options as never),
      { secrets: SECRET, tolerance: 5 },
      'tolerance. Did you mean toleranceSeconds?',
    ],
    [
      'verifyWebhook',
      (options) => verifyWebhook({ ...message, ...options } as never),
      { secret: SECRET },
      'secret. Did you mean secrets?',
    ],
    [
      'verifyWebhook',
      (options) => verifyWebhook({ ...message, secrets: SECRET, ...options } as never),
      { maxBody: 5 },
      'maxBody. Did you mean maxBodyBytes?',
    ],
    [
      'memoryDedupe',
      (options) => memoryDedupe(options as never),
      { maxEntry: 5 },
      'maxEntry. Did you mean maxEntries, now?',
    ],
    ['memoryDedupe', (options) => memoryDedupe(options as never), { max: 5 }, 'max. Did you mean maxEntries?'],
    ['signWebhook', (options) => signWebhook(options as never), { secret: SECRET }, 'secret. Did you mean secrets?'],
  ])('%s: %3$s', (_, create, options, text) => {
    expect(() => create(options)).toThrow(new TypeError(`Unknown option ${text}`));
  });

  it.each(['timestmp', 'evnt', 'events', 'type', 'rawBody'])('signWebhook: %s', (name) => {
    const options = { secrets: SECRET, [name]: 'x' };
    expect(() => signWebhook(options)).toThrow(new RegExp(`^Unknown option ${name}\\. Did you mean .*secrets, event`));
  });

  it('signWebhook signs a spread message anew', () => {
    const old = signWebhook({ secrets: SECRET, timestamp: 1 });
    const { timestamp, headers, body } = signWebhook({ ...old, secrets: SECRET, timestamp: 2 });
    expect([timestamp, headers['webhook-timestamp'], body]).toEqual([2, '2', old.body]);
    expect(headers['webhook-signature']).not.toBe(old.headers['webhook-signature']);
  });

  it('lists them if none is similar', () => {
    expect(() => createWebhooks({ secrets: SECRET, onFailure() {} } as never)).toThrow(
      /Did you mean secrets, .*onError/,
    );
  });

  it('sendFixture: secrets. Did you mean secret?', async () => {
    const fixture = { url: 'https://receiver.test/', headers: {}, body: '' };
    const sent = sendFixture(fixture, async () => new Response(), { secrets: SECRET } as never);
    await expect(sent).rejects.toThrow(new TypeError('Unknown option secrets. Did you mean secret?'));
  });

  it('sendFixture: a missing receiver', async () => {
    const sent = sendFixture({ url: 'https://receiver.test/', headers: {}, body: '' }, undefined as never);
    await expect(sent).rejects.toThrow(new TypeError('Pass the receiver: a URL, or a function such as webhooks.fetch'));
  });

  it('but verifyWebhook takes a spread request, which has other fields', () => {
    const request = { method: 'POST', url: '/webhooks', ...signWebhook({ secrets: SECRET }), json() {} };
    expect(verifyWebhook({ ...request, secrets: SECRET })).toMatchObject({ id: request.id });
  });

  it('but every option that exists is accepted', () => {
    const every: Required<WebhooksOptions> = {
      secrets: SECRET,
      toleranceSeconds: 300,
      now: NOW_MS,
      maxBodyBytes: 1000,
      maxSignatures: 2,
      contentTypes: ['application/json'],
      dedupe: memoryDedupe({ maxEntries: 5, now: Date.now }),
      dedupeLifetimeSeconds: 600,
      dedupeLeaseSeconds: 5,
      onUnknown() {},
      onReject() {},
      onError() {},
      context: {},
      ack: 'after',
      debug: false,
    };
    expect(createWebhooks(every).verify(message).id).toBe('whd_1');
    const { toleranceSeconds, maxBodyBytes, maxSignatures } = every;
    const limits = { toleranceSeconds, maxBodyBytes, maxSignatures, now: NOW_MS };
    expect(verifyWebhook({ ...message, secrets: SECRET, ...limits }).id).toBe('whd_1');
  });
});
