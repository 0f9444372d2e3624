import { TEST_MAX_MS } from '@svc/testing';
import { createWebhooks, WebhookError, type WebhookErrorCode } from '@svc/webhooks';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { EVALUATED, hmac, NOW_SECONDS, PING } from './support/message.ts';

/** The number of cases. Set `SVC_TEST_CASES=1000000` for the long run. */
const numRuns = Number(process.env['SVC_TEST_CASES'] ?? 4000);

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
const KEYS = [24, 32, 33, 64].map((size) => Buffer.alloc(size, size));
const LIMITS = { maxBodyBytes: 300, maxSignatures: 4 };

/** A message for a receiver with this key and this clock. Mutations change it in place. */
interface Handed {
  id: unknown;
  timestamp: unknown;
  signatures: unknown;
  body: unknown;
  key: Buffer;
  nowSeconds: number;
  form: (headers: [string, unknown][]) => unknown;
}
type Mutation = (handed: Handed) => void;

const envelope = fc.record(
  { id: fc.string(), type: fc.constantFrom('profile.merged', 'webhook.ping', ''), created: fc.string() },
  { noNullPrototype: true },
);
const goodBody = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(PING, EVALUATED) },
  { weight: 2, arbitrary: envelope.map((event) => JSON.stringify(event)) },
  fc.json(),
  fc.string({ unit: 'grapheme' }),
  fc.uint8Array().map((bytes) => Buffer.from(bytes)),
);
const signed = fc.record({
  id: fc.stringMatching(/^[A-Za-z0-9_:/-]{1,40}$/),
  skew: fc.integer({ min: -300, max: 300 }),
  body: goodBody.map((body) => Buffer.from(body)),
  key: fc.constantFrom(...KEYS),
});

const part = fc.constantFrom('id', 'timestamp', 'signatures');
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '0', 'v1', 'v1,', 'v2,x', 'v2,x v3,y', 'a.b', ' '),
);
const junkSignature = `v1,${'A'.repeat(43)}=`;

/** The value if it is still a string. An earlier mutation may have changed its type. */
const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Flips one bit. */
function flip(bytes: Uint8Array, at: number): Buffer {
  const flipped = Buffer.from(bytes);
  if (flipped.length)
    flipped[(at >> 3) % flipped.length] = (flipped[(at >> 3) % flipped.length] ?? 0) ^ (1 << (at & 7));
  return flipped;
}

const bodyMutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.nat().map(
    (at): Mutation =>
      (handed) =>
        (handed.body = flip(handed.body as Buffer, at)),
  ),
  fc.nat().map(
    (at): Mutation =>
      (handed) =>
        (handed.body = (handed.body as Buffer).subarray(0, at % 100)),
  ),
  fc.uint8Array().map(
    (tail): Mutation =>
      (handed) =>
        (handed.body = Buffer.concat([handed.body as Buffer, tail])),
  ),
  fc.constant<Mutation>((handed) => (handed.body = String(handed.body))),
  fc.constant<Mutation>((handed) => (handed.body = new Uint8Array(handed.body as Buffer).buffer)),
  fc.constant<Mutation>((handed) => (handed.body = Buffer.alloc(301))),
  fc.anything({ withTypedArray: true, withNullPrototype: true, withSparseArray: true }).map(
    (body): Mutation =>
      (handed) =>
        (handed.body = body),
  ),
);
const headerMutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(part, text).map(
    ([name, value]): Mutation =>
      (handed) =>
        (handed[name as 'id'] = value),
  ),
  fc.tuple(part, text).map(
    ([name, value]): Mutation =>
      (handed) =>
        (handed[name as 'id'] = [handed[name as 'id'], value]),
  ),
  fc.tuple(part, fc.nat()).map(
    ([name, at]): Mutation =>
      (handed) =>
        (handed[name as 'id'] = flip(Buffer.from(asText(handed[name as 'id'])), at).toString('latin1')),
  ),
  fc.tuple(part, fc.anything({ withNullPrototype: true })).map(
    ([name, value]): Mutation =>
      (handed) =>
        (handed[name as 'id'] = value),
  ),
);
const signatureMutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.nat({ max: 255 }).map(
    (at): Mutation =>
      (handed) =>
        (handed.signatures = `v1,${flip(Buffer.from(asText(handed.signatures).slice(3), 'base64'), at).toString('base64')}`),
  ),
  fc.array(fc.constantFrom(junkSignature, 'v1a,xyz'), { maxLength: 5 }).map(
    (more): Mutation =>
      (handed) =>
        (handed.signatures = [...more, asText(handed.signatures)].join(' ')),
  ),
  fc.constant<Mutation>((handed) => (handed.signatures = asText(handed.signatures).replaceAll('v1,', 'v9,'))),
);
const mutation = fc.oneof(
  { weight: 3, arbitrary: bodyMutation },
  { weight: 3, arbitrary: headerMutation },
  { weight: 3, arbitrary: signatureMutation },
  fc.constantFrom(...KEYS).map(
    (key): Mutation =>
      (handed) =>
        (handed.key = key),
  ),
  fc.integer({ min: -1000, max: 1000 }).map(
    (by): Mutation =>
      (handed) =>
        (handed.nowSeconds += by),
  ),
  fc
    .constantFrom<Handed['form']>(
      (headers) => headers,
      (headers) => new Map(headers),
      (headers) => [null, ...headers, 5],
      () => null,
    )
    .map(
      (form): Mutation =>
        (handed) =>
          (handed.form = form),
    ),
);

/** Every outcome that a message can have if the secret is valid. */
const EXPECTED: readonly (WebhookErrorCode | 'known' | 'unknown')[] = [
  'known',
  'unknown',
  'no_match',
  'missing_header',
  'duplicate_header',
  'malformed_id',
  'malformed_timestamp',
  'timestamp_too_old',
  'timestamp_too_new',
  'too_many_signatures',
  'no_supported_signature',
  'malformed_signature',
  'body_too_large',
  'body_not_raw',
  'body_not_utf8',
  'body_invalid_json',
  'envelope_invalid',
];
const seen = new Map<string, number>();
const count = (outcome: string) => seen.set(outcome, (seen.get(outcome) ?? 0) + 1);

/** The result of an act, or the code of the WebhookError that it throws. Any other error fails the test. */
function outcomeOf<Result>(act: () => Result): Result | WebhookErrorCode {
  try {
    return act();
  } catch (error) {
    if (!WebhookError.is(error)) throw error;
    return error.code;
  }
}

/** The bytes of a body. It shares no code with the library, so that it can check it. */
function bytesOf(body: unknown): Buffer {
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof ArrayBuffer) return Buffer.from(body);
  const { buffer, byteOffset, byteLength } = body as Uint8Array;
  return Buffer.from(buffer, byteOffset, byteLength);
}

describe('a well-formed message that was changed on the way', () => {
  it('verifies only if it matches its signature, and throws only WebhookError', {
    timeout: TEST_MAX_MS + numRuns,
  }, () => {
    fc.assert(
      fc.property(signed, fc.array(mutation, { maxLength: 2, size: 'max' }), ({ id, skew, body, key }, mutations) => {
        const timestamp = String(NOW_SECONDS + skew);
        const signature = hmac(key, id, timestamp, body);
        const handed: Handed = {
          id,
          timestamp,
          signatures: `v1,${signature}`,
          body,
          key,
          nowSeconds: NOW_SECONDS,
          form: (headers) => Object.fromEntries(headers),
        };
        for (const mutate of mutations)
          if (!(handed.body instanceof Uint8Array)) break;
          else mutate(handed);
        const receiver = createWebhooks({
          ...LIMITS,
          secrets: `whsec_${handed.key.toString('base64')}`,
          now: handed.nowSeconds * 1000,
        });
        const values = [handed.id, handed.timestamp, handed.signatures];
        const headers = handed.form(NAMES.map((name, at) => [name, values[at]]));
        const message = { headers: headers as never, body: handed.body as never };
        const verified = outcomeOf(() => receiver.verifySignature(message));
        const delivery = outcomeOf(() => receiver.verify(message));
        count(typeof delivery === 'string' ? delivery : delivery.known ? 'known' : 'unknown');
        if (typeof verified === 'string') {
          // A message without mutations can fail only because of its size.
          if (mutations.length === 0) expect(verified).toBe('body_too_large');
          expect(delivery).toBe(verified);
          return;
        }
        // If it verifies, its content, key and age must be as signed, despite the mutations.
        expect(bytesOf(handed.body).equals(body)).toBe(true);
        expect([verified.id, verified.timestamp, handed.key]).toEqual([id, NOW_SECONDS + skew, key]);
        expect(asText(handed.signatures)).toContain(signature);
        expect(Math.abs(handed.nowSeconds - verified.timestamp)).toBeLessThanOrEqual(300);
        if (typeof delivery === 'string')
          expect(delivery).toMatch(/^(body_not_utf8|body_invalid_json|envelope_invalid)$/);
      }),
      { numRuns },
    );
  });

  it('has every expected outcome, mostly after the HMAC', () => {
    expect(EXPECTED.filter((outcome) => !seen.has(outcome))).toEqual([]);
    const hashed = ['known', 'unknown', 'no_match', 'body_not_utf8', 'body_invalid_json', 'envelope_invalid'];
    const behind = hashed.reduce((sum, outcome) => sum + (seen.get(outcome) ?? 0), 0);
    expect(behind / numRuns).toBeGreaterThan(0.5);
  });
});

afterAll(() => {
  if (numRuns >= 1_000_000) console.log('Outcomes:', Object.fromEntries([...seen].sort((a, b) => b[1] - a[1])));
});
