import { createWebhooks, verifyWebhook, type WebhookBody, type WebhookHeaders } from '@svc/webhooks';
import { describe, expect, it } from 'vitest';
import { NOW_MS, SECRET, signedMessage } from './support/message.ts';
import { webhooks } from './support/receiver.ts';
import { codeOf } from './support/refusal.ts';

const good = signedMessage();
const entries = Object.entries(good.headers);

/** An object that throws when it is converted to a string. */
const wordless = Object.create(null);

describe('input from programs without types', () => {
  it.each([null, undefined, 5, 'message', [], Symbol('x')])('the message %s is refused', async (message) => {
    expect(await codeOf(() => webhooks.verify(message as never))).toBe('missing_header');
    expect(await codeOf(() => webhooks.verifySignature(message as never))).toBe('missing_header');
    expect(webhooks.check(message as never)).toMatchObject({ ok: false, error: { code: 'missing_header' } });
    if (typeof message !== 'string') expect(await codeOf(() => verifyWebhook(message as never))).toBe('missing_header');
    expect(await codeOf(() => webhooks.verifyRequest(message as never))).toBe('unsupported_content_type');
    expect((await webhooks.handle(message as never)).status).toBe(415);
  });

  it.each<[string, unknown]>([
    ['null among the entries', [null]],
    ['numbers among the entries', [5, undefined, 'webhook-id']],
    [
      'names that are not strings',
      [
        [Symbol('x'), 'a'],
        [wordless, 'a'],
        [5, 'a'],
      ],
    ],
    [
      'values that are not strings',
      { 'webhook-id': wordless, 'webhook-timestamp': Symbol('x'), 'webhook-signature': [[]] },
    ],
    ['a getter that does not return a string', { get: () => wordless }],
    ['a getter that is not a function', { get: 5 }],
  ])('headers with %s are refused as missing', async (_, headers) => {
    expect(await codeOf(() => webhooks.verify({ ...good, headers: headers as WebhookHeaders }))).toBe('missing_header');
  });

  it('invalid header entries do not hide valid ones', () => {
    const headers = [null, ...entries, [wordless, 'x']] as unknown as WebhookHeaders;
    expect(webhooks.verify({ ...good, headers }).id).toBe('whd_1');
  });

  it.each<[string, (bytes: ArrayBuffer) => WebhookBody]>([
    ['ArrayBuffer', (bytes) => bytes],
    ['Uint8Array', (bytes) => new Uint8Array(bytes)],
    ['DataView', (bytes) => new DataView(bytes) as never],
  ])('a body whose %s was transferred is refused as not raw', async (_, view) => {
    const bytes = new TextEncoder().encode(String(good.body)).buffer;
    const body = view(bytes);
    expect(webhooks.verify({ ...good, body }).id).toBe('whd_1');
    structuredClone(bytes, { transfer: [bytes] });
    expect(await codeOf(() => webhooks.verify({ ...good, body }))).toBe('body_not_raw');
  });

  it('an error that your function throws is not changed', () => {
    const now = () => {
      throw new RangeError('no clock');
    };
    expect(() => createWebhooks({ secrets: SECRET, now }).check(good)).toThrow('no clock');
    expect(() => createWebhooks({ secrets: SECRET, now: () => NOW_MS }).check(good)).not.toThrow();
  });
});
