import { createWebhooks, type WebhookBody } from '@svc/webhooks';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { EVALUATED, NOW_MS, PING, SECRET, signedMessage } from './support/message.ts';
import { webhooks } from './support/receiver.ts';
import { codeOf, refusalOf } from './support/refusal.ts';

const { headers } = signedMessage();
const bytes = new TextEncoder().encode(PING);
const pooled = new Uint8Array(new Uint8Array([1, 2, ...bytes, 3]).buffer, 2, bytes.length);

describe('a body', () => {
  it.each<[string, WebhookBody]>([
    ['text', PING],
    ['a Uint8Array', bytes],
    ['a Buffer', Buffer.from(PING)],
    ['an ArrayBuffer', bytes.buffer],
    ['a part of a larger buffer', pooled],
  ])('is taken as %s', (_, body) => {
    expect(webhooks.verify({ headers, body }).body).toBe(PING);
  });

  it('in chunks of one byte is copied at once, so that small chunks do not fill the memory', async () => {
    async function* chunks() {
      const chunk = new Uint8Array(1);
      for (const byte of bytes) {
        chunk[0] = byte;
        yield chunk;
      }
    }
    const request = { method: 'POST', headers, readableDidRead: false, iterator: chunks };
    expect((await webhooks.verifyRequest(request)).body).toBe(PING);
  });

  it('that poses as a buffer in parsed JSON is refused at once', () => {
    const body = JSON.parse(
      '{"constructor":{"name":"ArrayBuffer"},"byteLength":1,"length":9007199254740991}',
    ) as WebhookBody;
    expect(webhooks.check({ headers, body })).toMatchObject({ ok: false, error: { code: 'body_not_raw' } });
  });

  it.each([JSON.parse(PING), undefined, null, 5, true, [], { type: 'Buffer', data: [1] }])(
    'that was parsed (%j) is refused with a hint on how to get the raw bytes',
    async (body) => {
      const refusal = await refusalOf(() => webhooks.verify({ headers, body }));
      expect(refusal).toMatchObject({ code: 'body_not_raw', status: 500 });
      expect(refusal.hint).toMatch(/before express\.json.*express\.raw.*fastify plugin.*bodyParser.*setEncoding/);
    },
  );

  it('that is not UTF-8 is refused, but counts as authentic', async () => {
    const message = signedMessage({ body: Buffer.from([0x22, 0xff, 0x22]) });
    expect(await refusalOf(() => webhooks.verify(message))).toMatchObject({
      code: 'body_not_utf8',
      authenticated: true,
    });
  });

  it('is refused if its bytes were altered, even if a lossy decoder would hide the change', async () => {
    const message = signedMessage({ body: '{"id":"\ufffd"}' });
    const altered = Buffer.from(`{"id":"\u00ff"}`, 'latin1');
    expect(await codeOf(() => webhooks.verify({ ...message, body: altered }))).toBe('no_match');
  });

  it('of text with a lone surrogate is refused, because UTF-8 cannot encode it', async () => {
    const message = signedMessage({ body: '"\ufffd"' });
    expect(await codeOf(() => webhooks.verify({ ...message, body: '"\ud800"' }))).toBe('body_not_utf8');
  });

  it('of text is hashed as text, without encoding or decoding', () => {
    const encode = vi.spyOn(TextEncoder.prototype, 'encode');
    const decode = vi.spyOn(TextDecoder.prototype, 'decode');
    onTestFinished(() => void vi.restoreAllMocks());
    for (const body of [PING, EVALUATED.replace('wsp_1', 'wsp_é😀\ufeff')]) {
      expect(webhooks.verify(signedMessage({ body })).body).toBe(body);
    }
    expect([encode.mock.calls, decode.mock.calls]).toEqual([[], []]);
    // By contrast, bytes are decoded, and a long text is encoded to count its bytes.
    expect(webhooks.verify(signedMessage({ body: bytes })).body).toBe(PING);
    expect(decode).toHaveBeenCalledOnce();
    const small = createWebhooks({ secrets: SECRET, now: NOW_MS, maxBodyBytes: PING.length });
    expect(small.verify(signedMessage()).body).toBe(PING);
    expect(encode).toHaveBeenCalledOnce();
  });

  it('may be as large as maxBodyBytes, in bytes', async () => {
    const small = createWebhooks({ secrets: SECRET, now: NOW_MS, maxBodyBytes: 12 });
    for (const body of ['a'.repeat(12), '😀😀😀', 'ééé', Buffer.alloc(12)]) {
      expect(small.verifySignature(signedMessage({ body })).id).toBe('whd_1');
    }
    for (const body of ['a'.repeat(13), '😀😀😀a', 'ééééééé', Buffer.alloc(13)]) {
      expect(await codeOf(() => small.verifySignature(signedMessage({ body })))).toBe('body_too_large');
    }
  });

  it('may have up to 1 MiB by default', async () => {
    const mebibyte = Buffer.alloc(1024 * 1024, 'a');
    expect(webhooks.verifySignature(signedMessage({ body: mebibyte })).id).toBe('whd_1');
    const larger = signedMessage({ body: Buffer.concat([mebibyte, Buffer.from('a')]) });
    expect(await refusalOf(() => webhooks.verifySignature(larger))).toMatchObject({
      code: 'body_too_large',
      status: 413,
    });
  });
});
