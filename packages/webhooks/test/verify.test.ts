import { createWebhooks, verifyWebhook } from '@svc/webhooks';
import { describe, expect, it } from 'vitest';
import { EVALUATED, NOW_MS, NOW_SECONDS, PING, SECRET, signedMessage } from './support/message.ts';
import { webhooks } from './support/receiver.ts';
import { codeOf, refusalOf } from './support/refusal.ts';

const otherKey = Buffer.alloc(32, 9);
const otherSecret = `whsec_${otherKey.toString('base64')}`;

describe('verify', () => {
  it('returns the delivery of a message that the service signed', () => {
    expect(webhooks.verify(signedMessage())).toEqual({
      id: 'whd_1',
      timestamp: NOW_SECONDS,
      receivedAt: NOW_MS,
      secretIndex: 0,
      body: PING,
      headers: signedMessage().headers,
      known: true,
      event: { id: 'evt_1', type: 'webhook.ping', created: '2026-05-28T20:26:40.000Z' },
    });
  });

  it('reports which secret verified the message', () => {
    const rotating = createWebhooks({ secrets: [otherSecret, SECRET], now: NOW_MS });
    expect(rotating.verify(signedMessage()).secretIndex).toBe(1);
    expect(rotating.verify(signedMessage({ key: otherKey })).secretIndex).toBe(0);
  });

  it('refuses a message that was signed with another secret', async () => {
    const refusal = await refusalOf(() => webhooks.verify(signedMessage({ key: otherKey })));
    expect(refusal).toMatchObject({ code: 'no_match', status: 401, authenticated: false });
  });

  it.each(['body', 'id', 'timestamp', 'signature'])('refuses a message whose %s was changed', async (part) => {
    const message = signedMessage({ body: EVALUATED });
    if (part === 'body') message.body = EVALUATED.replace('wsp_1', 'wsp_2');
    if (part === 'id') message.headers['webhook-id'] = 'whd_2';
    if (part === 'timestamp') message.headers['webhook-timestamp'] = String(NOW_SECONDS + 1);
    if (part === 'signature') {
      const given = message.headers['webhook-signature'] ?? '';
      message.headers['webhook-signature'] = `v1,${given[3] === 'A' ? 'B' : 'A'}${given.slice(4)}`;
    }
    expect(await codeOf(() => webhooks.verify(message))).toBe('no_match');
  });

  it('refuses a message if any single bit of its body was changed', () => {
    const message = signedMessage({ body: Buffer.from(PING) });
    for (let bit = 0; bit < message.body.length * 8; bit++) {
      const body = Buffer.from(PING);
      body[bit >> 3] = (body[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(webhooks.check({ ...message, body }).ok).toBe(false);
    }
  });
});

describe('check', () => {
  it('returns the delivery as a value', () => {
    expect(webhooks.check(signedMessage())).toEqual({ ok: true, delivery: webhooks.verify(signedMessage()) });
  });

  it('returns the error as a value', () => {
    const result = webhooks.check({ headers: {}, body: PING });
    expect(result).toMatchObject({ ok: false, error: { code: 'missing_header' } });
  });
});

describe('verifySignature', () => {
  it('verifies bytes that are neither UTF-8 nor JSON', () => {
    const message = signedMessage({ body: Buffer.from([0xff, 0x00, 0xc3]) });
    expect(webhooks.verifySignature(message)).toEqual({
      id: 'whd_1',
      timestamp: NOW_SECONDS,
      receivedAt: NOW_MS,
      secretIndex: 0,
    });
  });

  it('refuses the same bytes with another signature', async () => {
    const message = signedMessage({ body: Buffer.from([0xff, 0x00, 0xc3]), key: otherKey });
    expect(await codeOf(() => webhooks.verifySignature(message))).toBe('no_match');
  });
});

describe('verifyWebhook', () => {
  it('verifies like webhooks.verify, as a plain function', () => {
    const options = { ...signedMessage(), secrets: [SECRET], now: () => NOW_MS, toleranceSeconds: 300 };
    expect(verifyWebhook(options)).toEqual(webhooks.verify(signedMessage()));
  });

  it('uses the real clock by default', () => {
    const message = signedMessage({ timestamp: Math.floor(Date.now() / 1000) });
    expect(verifyWebhook({ ...message, secrets: SECRET }).id).toBe('whd_1');
  });

  it('refuses what webhooks.verify refuses', async () => {
    const options = { ...signedMessage({ key: otherKey }), secrets: SECRET, now: NOW_MS };
    expect(await codeOf(() => verifyWebhook(options))).toBe('no_match');
  });
});
