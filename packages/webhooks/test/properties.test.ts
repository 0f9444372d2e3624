import crypto from 'node:crypto';
import { TEST_MAX_MS } from '@svc/testing';
import { createWebhooks, parseSecret, type WebhookBody, WebhookError, type WebhookHeaders } from '@svc/webhooks';
import { generateSecret, signWebhook } from '@svc/webhooks/testing';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import { hmac, KEY, NOW_MS, NOW_SECONDS, SECRET, signedMessage } from './support/message.ts';
import { webhooks } from './support/receiver.ts';

/** The number of cases for each property. Set `SVC_TEST_CASES=1000000` for the long run. */
const numRuns = Number(process.env['SVC_TEST_CASES'] ?? 2000);
const timeout = TEST_MAX_MS + numRuns;
const anyText = fc.string({ unit: 'binary' });
const nearlyBase64 = fc.base64String({ minLength: 40, maxLength: 48 });

const headerValue = fc.oneof(
  anyText,
  fc.constantFrom('', 'v1', 'v1,', ',', ' ', '0', String(NOW_SECONDS), 'whd_1'),
  fc.integer().map(String),
  nearlyBase64.map((text) => `v1,${text}`),
  fc
    .array(
      nearlyBase64.map((text) => `v1,${text}`),
      { maxLength: 40 },
    )
    .map((list) => list.join(' ')),
  fc.array(anyText, { maxLength: 3 }),
);
const name = fc.constantFrom(
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'Webhook-Id',
  'WEBHOOK-SIGNATURE',
  'host',
);
const headers: fc.Arbitrary<WebhookHeaders> = fc.oneof(
  fc.dictionary(name, headerValue),
  fc.record({ 'webhook-id': headerValue, 'webhook-timestamp': headerValue, 'webhook-signature': headerValue }),
  fc.array(fc.tuple(name, anyText)),
) as fc.Arbitrary<WebhookHeaders>;
const body: fc.Arbitrary<WebhookBody> = fc.oneof(
  anyText,
  fc.uint8Array(),
  fc.json(),
  fc.anything() as fc.Arbitrary<never>,
);

function refusalOf(act: () => unknown): WebhookError | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (!WebhookError.is(error)) throw error;
    return error;
  }
}

describe('random input', () => {
  it('never verifies, and throws nothing but WebhookError', { timeout }, () => {
    fc.assert(
      fc.property(headers, body, (givenHeaders, givenBody) => {
        expect(refusalOf(() => webhooks.verify({ headers: givenHeaders, body: givenBody }))).toBeDefined();
      }),
      { numRuns },
    );
  });

  it('is not accepted as a secret unless it has the format of one', { timeout }, () => {
    const text = fc.oneof(
      anyText,
      fc.base64String().map((rest) => `whsec_${rest}`),
      anyText.map((rest) => `whsec_${rest}`),
    );
    fc.assert(
      fc.property(text, (secrets) => {
        const refusal = refusalOf(() => parseSecret(secrets));
        const bytes = Buffer.from(secrets.slice(6), 'base64');
        const isSecret = secrets.startsWith('whsec_') && bytes.length >= 24 && bytes.length <= 64;
        if (!refusal) expect(isSecret).toBe(true);
        else expect(refusal.code).toMatch(/^secret_/);
      }),
      { numRuns },
    );
  });

  it('that the service signed is read, or refused but marked as authentic', { timeout }, () => {
    const field = fc.oneof(fc.jsonValue(), fc.string());
    const envelope = fc.record({ id: field, type: field, created: field, subject: field }, { requiredKeys: [] });
    const json = fc.oneof(
      fc.json(),
      anyText,
      envelope.map((fields) => JSON.stringify(fields)),
    );
    fc.assert(
      fc.property(json, (text) => {
        fc.pre(text.isWellFormed());
        const refusal = refusalOf(() => webhooks.verify(signedMessage({ body: text })));
        if (refusal) expect(refusal).toMatchObject({ authenticated: true, status: 400 });
      }),
      { numRuns },
    );
  });
});

describe('a signed message', () => {
  const id = fc.string({ minLength: 1, maxLength: 256 }).filter((text) => /^[^.,\p{Cc}]+$/u.test(text));

  it('verifies with any id, bytes and secret, but not with another secret', { timeout }, () => {
    fc.assert(
      fc.property(id, fc.uint8Array(), fc.uint8Array({ minLength: 24, maxLength: 64 }), (anId, bytes, key) => {
        fc.pre(anId.trim() !== '');
        const message = signedMessage({ id: anId, body: bytes, key });
        const receiver = createWebhooks({ secrets: `whsec_${Buffer.from(key).toString('base64url')}`, now: NOW_MS });
        expect(receiver.verifySignature(message).id).toBe(anId);
        expect(refusalOf(() => webhooks.verifySignature(message))?.code).toBe('no_match');
      }),
      { numRuns },
    );
  });

  it('does not verify if one bit of its body, its id or its time changes', { timeout }, () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), fc.nat(), (bytes, at) => {
        const message = signedMessage({ body: bytes });
        const changed = bytes.slice();
        const index = at % bytes.length;
        changed[index] = (changed[index] ?? 0) ^ (1 << (at % 8));
        expect(refusalOf(() => webhooks.verifySignature({ ...message, body: changed }))?.code).toBe('no_match');
        for (const [header, value] of [
          ['webhook-id', 'whd_2'],
          ['webhook-timestamp', `${NOW_SECONDS + 1}`],
        ] as const) {
          const altered = { ...message.headers, [header]: value };
          expect(refusalOf(() => webhooks.verifySignature({ body: bytes, headers: altered }))?.code).toBe('no_match');
        }
      }),
      { numRuns },
    );
  });

  it('has the signature that standardwebhooks computes, for every text', { timeout }, () => {
    const secrets = generateSecret();
    const oracle = new Webhook(secrets.slice('whsec_'.length).replaceAll('-', '+').replaceAll('_', '/'));
    fc.assert(
      fc.property(anyText, (text) => {
        fc.pre(text.isWellFormed());
        const signed = signWebhook({ secrets, id: 'whd_1', timestamp: NOW_SECONDS, body: text });
        const ours = signed.headers['webhook-signature'];
        expect(ours).toBe(oracle.sign('whd_1', new Date(NOW_MS), text));
      }),
      { numRuns },
    );
  });
});

describe('hostile sizes', () => {
  const { headers: good, body: ping } = signedMessage();
  const withHeader = (name: string, value: string) => () =>
    webhooks.check({ body: ping, headers: { ...good, [name]: value } });
  const signedBody = (body: string) => {
    const message = signedMessage({ body });
    return () => webhooks.check(message);
  };
  const withSecret = (secrets: string) => () => refusalOf(() => parseSecret(secrets));
  /** Each case takes a size and returns the act to time. */
  const inputs: [string, (size: number) => () => unknown][] = [
    ['an id', (size) => withHeader('webhook-id', 'a'.repeat(size))],
    ['a timestamp', (size) => withHeader('webhook-timestamp', '1'.repeat(size))],
    ['a signature', (size) => withHeader('webhook-signature', `v1,${'A'.repeat(size)}`)],
    ['a signature of commas', (size) => withHeader('webhook-signature', ','.repeat(size))],
    ['a signature of spaces', (size) => withHeader('webhook-signature', ' '.repeat(size))],
    [
      'a number of headers',
      (size) => {
        const headers = Array.from({ length: size / 10 }, (_, i): [string, string] => [`x-${i}`, '']);
        return () => webhooks.check({ body: ping, headers });
      },
    ],
    ['a secret of dashes', (size) => withSecret(`whsec_${'-'.repeat(size)}`)],
    ['a secret of padding', (size) => withSecret(`whsec_${'='.repeat(size)}A`)],
    ['a secret of quotes', (size) => withSecret('"'.repeat(size))],
    ['a body of brackets', (size) => signedBody('['.repeat(size / 2))],
    ['a body of escapes', (size) => signedBody(`"${'\\u0000'.repeat(size / 14)}"`)],
    ['a body of digits', (size) => signedBody('1'.repeat(size / 2))],
  ];
  const quickest = (act: () => unknown) => {
    const times = Array.from({ length: 5 }, () => {
      const startedAt = performance.now();
      act();
      return performance.now() - startedAt;
    });
    return Math.min(...times);
  };

  it.each(inputs)('%s is refused in linear time', (_, act) => {
    // For two million characters, quadratic time is minutes, and linear time is milliseconds.
    expect(quickest(act(2_000_000))).toBeLessThan(5000);
  });

  it.skipIf(numRuns < 1_000_000).each(inputs)(
    '%s takes about four times as long at four times the size (long run)',
    (_, act) => {
      const [short, long] = [quickest(act(500_000)), quickest(act(2_000_000))];
      // Quadratic time would be sixteen times as long. Times under a millisecond are too noisy to compare.
      expect(long).toBeLessThan(Math.max(1, short) * 10);
    },
  );

  it('cost one HMAC for each secret, regardless of the number of signatures, and none if the headers are junk', () => {
    const hash = vi.spyOn(crypto, 'hash');
    const receiver = createWebhooks({ secrets: [generateSecret(), generateSecret()], now: NOW_MS });
    const hashesOf = (signatures: string, headers: object = {}) => {
      hash.mockClear();
      receiver.check({ body: ping, headers: { ...good, 'webhook-signature': signatures, ...headers } });
      // For a short body, two plain hashes make one HMAC.
      return hash.mock.calls.length / 2;
    };
    const junk = `v1,${'A'.repeat(43)}=`;
    expect(hashesOf(junk)).toBe(2);
    expect(hashesOf(Array(32).fill(junk).join(' '))).toBe(2);
    expect(hashesOf(Array(300).fill(junk).join(' '))).toBe(0);
    expect(hashesOf(`${junk} v1,x`)).toBe(0);
    expect(hashesOf(junk, { 'webhook-timestamp': '1' })).toBe(0);
    hash.mockRestore();
  });
});

it('the tests sign with a key that needs base64url', () => {
  expect(SECRET).toMatch(/-.*_|_.*-/);
  expect(hmac(KEY, 'a', 0, '')).toHaveLength(44);
});
