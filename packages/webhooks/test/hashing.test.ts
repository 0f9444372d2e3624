import crypto, { randomBytes } from 'node:crypto';
import { createWebhooks, verifyWebhook } from '@svc/webhooks';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import * as node from '../src/hashing/node.ts';
import * as portable from '../src/hashing/portable.ts';
import { hmac, NOW_MS, signedMessage } from './support/message.ts';

const bodies = ['', 'a', '{"a":1}', 'é😀\u0000\ufeff\ufffd', 'x'.repeat(65_536), '\n\r\t '];

describe.each([
  ['the build over node:crypto', node],
  ['the portable build', portable],
])('%s', (_, { createSigner }) => {
  it('signs as standardwebhooks and as openssl do', () => {
    for (let size = 24; size <= 64; size++) {
      const key = randomBytes(size);
      const sign = createSigner(key);
      for (const body of bodies) {
        const oracle = new Webhook(key.toString('base64')).sign('msg_é', new Date(1_780_000_000_000), body);
        expect(`v1,${sign('msg_é', 1_780_000_000, body)}`).toBe(oracle);
        expect(sign('msg_é', 1_780_000_000, body)).toBe(hmac(key, 'msg_é', 1_780_000_000, body));
      }
    }
  });

  it.each([0, 9_999_999_999_999, 999_999_999_999_999])('signs the timestamp %i as it stands', (timestamp) => {
    const key = randomBytes(32);
    expect(createSigner(key)('msg', timestamp, 'a')).toBe(hmac(key, 'msg', timestamp, 'a'));
  });

  it('signs every timestamp of 15 digits as it stands', () => {
    const key = randomBytes(32);
    const sign = createSigner(key);
    fc.assert(
      fc.property(fc.integer({ min: 100_000_000_000_000, max: 999_999_999_999_999 }), (timestamp) => {
        expect(sign('msg', timestamp, 'a')).toBe(hmac(key, 'msg', timestamp, 'a'));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the build over node:crypto', () => {
  it('makes one key object for each secret, however often it verifies, also as a plain function', () => {
    const createSecretKey = vi.spyOn(crypto, 'createSecretKey');
    const key = randomBytes(32);
    const secrets = `whsec_${key.toString('base64')}`;
    const webhooks = createWebhooks({ secrets: () => secrets, now: NOW_MS });
    for (let i = 0; i < 3; i++) {
      expect(webhooks.check(signedMessage({ key })).ok).toBe(true);
      expect(verifyWebhook({ ...signedMessage({ key }), secrets, now: NOW_MS }).secretIndex).toBe(0);
    }
    expect(createSecretKey).toHaveBeenCalledOnce();
    createSecretKey.mockRestore();
  });

  it('signs bytes that are not UTF-8', () => {
    const key = randomBytes(32);
    const body = randomBytes(1000);
    expect(node.hashesTextOnly).toBe(false);
    expect(node.createSigner(key)('m', 0, body)).toBe(hmac(key, 'm', 0, body));
  });
});
