import { generateSecret, signWebhook } from '@svc/webhooks/testing';
import { expect, test } from 'vitest';
import { checkSignature, stepsOf } from '../../../src/screens/delivery/check-signature.ts';

const secret = generateSecret();
const body = '{"type":"a"}';
const { headers } = signWebhook({ secrets: secret, id: 'whd_1', timestamp: 1_700_000_000, body });
const known = [
  {
    endpointId: 'whe_own',
    preview: `${secret.slice(0, 10)}…${secret.slice(-4)}`,
    createdAt: '2023-01-01T00:00:00.000Z',
    expiresAt: null,
  },
];
const check = { secret, headers, known, endpointId: 'whe_own', now: 1_700_000_000_000 };

test('the right secret signed the attempt, and each step leads to the sent signature', () => {
  expect(checkSignature({ ...check, body })).toEqual({ kind: 'right', isCurrent: true, expiresAt: null });
  expect(stepsOf({ secret, headers, body })).toMatchObject({
    signed: `whd_1.1700000000.${body}`,
    signature: headers['webhook-signature'],
    isSent: true,
  });
});

test('a rotated secret that signed the attempt is right until it expires', () => {
  const expiresAt = '2023-11-14T22:13:20.001Z';
  const rotated = { ...check, body, known: known.map((one) => ({ ...one, expiresAt })) };
  expect(checkSignature(rotated)).toEqual({ kind: 'right', isCurrent: false, expiresAt });
  expect(checkSignature({ ...rotated, now: Date.parse(expiresAt) })).toEqual({ kind: 'outdated', at: expiresAt });
});

test('without the body, nothing is verified and no step is shown; whose secret it is, is still known', () => {
  expect(checkSignature({ ...check, body: null })).toEqual({ kind: 'unverified' });
  expect(checkSignature({ ...check, body: null, endpointId: 'whe_other' })).toEqual({
    kind: 'foreign',
    endpointId: 'whe_own',
  });
  expect(checkSignature({ ...check, body: null, secret: generateSecret() })).toEqual({ kind: 'unknown' });
  expect(stepsOf({ secret, headers, body: null })).toBeUndefined();
});
