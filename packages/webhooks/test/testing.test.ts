import { execFileSync } from 'node:child_process';
import { createWebhooks } from '@svc/webhooks';
import { generateSecret, sampleEvent, signWebhook } from '@svc/webhooks/testing';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { hmac, KEY, NOW_SECONDS, SECRET } from './support/message.ts';
import { codeOf } from './support/refusal.ts';

describe('signWebhook', () => {
  it('signs a ping with the current time by default', () => {
    const webhooks = createWebhooks({ secrets: SECRET });
    const signed = signWebhook({ secrets: SECRET });
    expect(webhooks.verify(signed)).toMatchObject({ id: signed.id, known: true, event: { type: 'webhook.ping' } });
    expectTypeOf(signed.body).toEqualTypeOf<string>();
  });

  it('signs like openssl', () => {
    const signed = signWebhook({ secrets: SECRET, id: 'whd_1', timestamp: NOW_SECONDS, body: 'é' });
    expect(signed).toEqual({
      id: 'whd_1',
      timestamp: NOW_SECONDS,
      body: 'é',
      headers: {
        'content-type': 'application/json',
        'webhook-id': 'whd_1',
        'webhook-timestamp': String(NOW_SECONDS),
        'webhook-signature': `v1,${hmac(KEY, 'whd_1', NOW_SECONDS, 'é')}`,
      },
    });
  });

  it('signs with each of several secrets', () => {
    const old = generateSecret();
    const signed = signWebhook({ secrets: [SECRET, old] });
    for (const secrets of [SECRET, old]) expect(createWebhooks({ secrets }).check(signed).ok).toBe(true);
    expect(createWebhooks({ secrets: generateSecret() }).check(signed).ok).toBe(false);
  });

  it.each(['lifecycle.evaluated', 'webhook.endpoint.auto_disabled', 'webhook.ping'] as const)(
    'makes a known event of type %s',
    (event) => {
      const delivery = createWebhooks({ secrets: SECRET }).verify(signWebhook({ secrets: SECRET, event }));
      expect(delivery).toMatchObject({ known: true, event: { type: event } });
    },
  );

  it('signs a custom event, and bytes', () => {
    const event = { ...sampleEvent('webhook.ping'), type: 'profile.merged' };
    const webhooks = createWebhooks({ secrets: SECRET });
    expect(webhooks.verify(signWebhook({ secrets: SECRET, event }))).toMatchObject({ known: false, event });
    const bytes = new Uint8Array([0xff, 0x00]);
    expect(webhooks.verifySignature(signWebhook({ secrets: SECRET, body: bytes })).secretIndex).toBe(0);
  });

  it('throws in the portable build for bytes that are not UTF-8, and otherwise signs like the Node build', () => {
    const program = `
      import { signWebhook } from '@svc/webhooks/testing';
      const sign = (timestamp, body) => {
        try {
          return signWebhook({ secrets: '${SECRET}', id: 'whd_1', timestamp, body }).headers['webhook-signature'];
        } catch ({ name, code }) {
          return [name, code];
        }
      };
      console.log(JSON.stringify([sign(999999999999999, 'é'), sign(1, new Uint8Array([0xc3, 0xa9])), sign(1, new Uint8Array([0xff]))]));`;
    const signatures = [999_999_999_999_999, 1].map((timestamp) => `v1,${hmac(KEY, 'whd_1', timestamp, 'é')}`);
    const run = (...conditions: string[]) =>
      JSON.parse(
        execFileSync(process.execPath, [...conditions, '--input-type=module', '-e', program], { encoding: 'utf8' }),
      );
    expect(run('--conditions=workerd')).toEqual([...signatures, ['WebhookError', 'body_not_utf8']]);
    expect(run()).toEqual([...signatures, `v1,${hmac(KEY, 'whd_1', 1, Buffer.from([0xff]))}`]);
  });

  it('refuses a bad secret', async () => {
    expect(await codeOf(() => signWebhook({ secrets: 'whsec_' }))).toBe('secret_empty');
  });
});

describe('generateSecret', () => {
  it('generates a different secret each time, which is base64url and never base64', () => {
    const drawn = Array.from({ length: 200 }, generateSecret);
    for (const secret of drawn) expect(secret).toMatch(/^whsec_(?=.*[-_])[\w-]{43}$/);
    expect(new Set(drawn).size).toBe(200);
    expect(createWebhooks({ secrets: drawn }).check(signWebhook({ secrets: drawn[7] ?? '' }))).toMatchObject({
      delivery: { secretIndex: 7 },
    });
  });
});
