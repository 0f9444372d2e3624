import { createRequire } from 'node:module';
import { inspect } from 'node:util';
import { createWebhooks, WebhookError } from '@svc/webhooks';
import { describe, expect, it } from 'vitest';
import { signedMessage } from './support/message.ts';
import { webhooks } from './support/receiver.ts';
import { refusalOf } from './support/refusal.ts';

const required: typeof import('@svc/webhooks') = createRequire(import.meta.url)('@svc/webhooks');

describe('WebhookError', () => {
  it('is an Error whose message has its code in words and what to do', async () => {
    const refusal = await refusalOf(() => webhooks.verify({ ...signedMessage(), headers: {} }));
    expect(refusal).toBeInstanceOf(Error);
    expect(refusal).toBeInstanceOf(WebhookError);
    expect(String(refusal)).toBe(`WebhookError: missing header. ${refusal.hint}`);
    expect(inspect(refusal)).toContain("code: 'missing_header'");
  });

  it('has a message for no_match that says what happened first, and then what to do', async () => {
    const refusal = await refusalOf(() => webhooks.verify({ ...signedMessage(), body: '{}' }));
    expect(String(refusal)).toBe(`WebhookError: No signature matches this secret. ${refusal.hint}`);
    expect(refusal.hint).toBe("Use this endpoint's secret, and pass the raw body.");
  });

  it('is recognised by WebhookError.is across builds, unlike with instanceof', async () => {
    const refusal = await refusalOf(() => required.parseSecret('x'));
    expect(refusal).toBeInstanceOf(required.WebhookError);
    expect(refusal).not.toBeInstanceOf(WebhookError);
    expect(WebhookError.is(refusal)).toBe(true);
  });

  it.each([
    new Error('x'),
    {},
    null,
    undefined,
    'WebhookError',
    { code: 'no_match' },
    Object.assign(new Error('no status'), { name: 'WebhookError', hint: 'x', code: 'no_match' }),
    Object.assign(new Error('no code'), { name: 'WebhookError', hint: 'x', status: 401 }),
    Object.assign(new Error('status is text'), { name: 'WebhookError', hint: 'x', code: 'x', status: '401' }),
  ])('%s is not a WebhookError', (value) => {
    expect(WebhookError.is(value)).toBe(false);
  });

  it('keeps the underlying error as its cause', async () => {
    const refusal = await refusalOf(() => webhooks.verify(signedMessage({ body: '{' })));
    expect(refusal.cause).toBeInstanceOf(SyntaxError);
  });
});

describe('the CommonJS build', () => {
  it('verifies like the ES module build', () => {
    expect(Object.keys(required).sort()).toEqual([
      'WebhookError',
      'createWebhooks',
      'isKnownEvent',
      'memoryDedupe',
      'parseSecret',
      'verifyWebhook',
    ]);
    expect(required.createWebhooks).not.toBe(createWebhooks);
  });
});
