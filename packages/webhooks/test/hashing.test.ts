import crypto, { randomBytes } from 'node:crypto';
import { createWebhooks, verifyWebhook } from '@svc/webhooks';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as node from '../src/hashing/node.ts';
import * as portable from '../src/hashing/portable.ts';
import { hmac, NOW_MS, signedMessage } from './support/message.ts';

const bodies = ['', 'a', '{"a":1}', 'é😀\u0000\ufeff\ufffd', 'x'.repeat(65_536), '\n\r\t '];

describe.each([
  ['the build over node:crypto', node],
  ['the portable build', portable],
])('%s', (_, { createSigner }) => {
  it('signs like standardwebhooks and openssl', () => {
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

  it.each([0, 9_999_999_999_999, 999_999_999_999_999])('signs the timestamp %i unchanged', (timestamp) => {
    const key = randomBytes(32);
    expect(createSigner(key)('msg', timestamp, 'a')).toBe(hmac(key, 'msg', timestamp, 'a'));
  });

  it('signs every timestamp of 15 digits unchanged', () => {
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
  it('creates one key object for each secret, even over many calls to check and verifyWebhook', () => {
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

  it('signs any bytes with any id like createHmac and standardwebhooks, in any order', () => {
    const id = fc.string({ unit: 'binary', maxLength: 256 });
    // Most bodies are short. Sizes around each limit are frequent, and so are bodies that fill the scratch memory.
    const size = fc.oneof(
      fc.nat(300),
      fc.nat(20_000),
      ...[4096, 7000, 8000, 8192].map((limit) => fc.integer({ min: limit - 70, max: limit + 70 })),
    );
    const message = fc.record({ id, timestamp: fc.nat(999_999_999_999), size, fill: fc.nat(0x7f) });
    const secret = fc.uint8Array({ minLength: 24, maxLength: 64 });
    fc.assert(
      fc.property(secret, fc.array(message, { minLength: 1, maxLength: 8 }), (key, messages) => {
        const sign = node.createSigner(key);
        for (const { id, timestamp, size, fill } of messages) {
          const body = new Uint8Array(size).fill(fill);
          const oracle = new Webhook(key, { format: 'raw' });
          expect(sign(id, timestamp, body)).toBe(hmac(key, id, timestamp, body));
          expect(`v1,${sign(id, timestamp, body)}`).toBe(
            oracle.sign(id, new Date(timestamp * 1000), Buffer.from(body).toString()),
          );
        }
      }),
      { numRuns: 500 },
    );
  });

  it('does not truncate long ids', () => {
    const key = randomBytes(64);
    const sign = node.createSigner(key);
    for (const unit of ['a', 'é', '\u20ac', '😀', '\ud800']) {
      for (const length of [0, 255, 1990, 2640, 2660, 2667, 2700, 4000, 7960, 8000, 8192, 20_000]) {
        const id = unit.repeat(length);
        for (const body of [new Uint8Array(0), new Uint8Array([1]), randomBytes(100)]) {
          expect(sign(id, 0, body), `${length} × ${unit}`).toBe(hmac(key, id, 0, body));
        }
      }
    }
  });

  it('signs text of any length and script like its UTF-8 bytes', () => {
    const key = randomBytes(64);
    const sign = node.createSigner(key);
    for (const unit of ['a', 'é', '\u20ac', '😀']) {
      for (const length of [0, 1, 250, 2660, 2700, 3990, 4000, 7980, 7990, 8000, 20_000]) {
        const body = unit.repeat(length);
        expect(sign('msg', 0, body), `${length} × ${unit}`).toBe(hmac(key, 'msg', 0, Buffer.from(body)));
      }
    }
  });

  it('signs the same in a runtime without crypto.hash', () => {
    const key = randomBytes(24);
    const body = randomBytes(250);
    const { hash: _, ...older } = crypto;
    const builtin = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(older);
    onTestFinished(() => builtin.mockRestore());
    expect(node.createSigner(key)('msg', 1, body)).toBe(hmac(key, 'msg', 1, body));
  });

  it('hashes short bodies without an HMAC object, and long ones with it', () => {
    const createHmac = vi.spyOn(crypto, 'createHmac');
    onTestFinished(() => createHmac.mockRestore());
    const sign = node.createSigner(randomBytes(32));
    sign('msg', 1, new Uint8Array(7900));
    sign('msg', 1, '\u20ac'.repeat(7900));
    expect(createHmac).not.toHaveBeenCalled();
    sign('msg', 1, new Uint8Array(8000));
    sign('msg', 1, 'a'.repeat(8000));
    expect(createHmac).toHaveBeenCalledTimes(2);
  });

  it('does not put the padded key into the memory pool that Buffers share', () => {
    const padded = randomBytes(64);
    const before = Buffer.allocUnsafe(1).buffer;
    node.createSigner(padded.map((byte) => byte ^ 0x36))('msg', 1, randomBytes(100));
    const after = Buffer.allocUnsafe(1).buffer;
    for (const shared of [before, after]) expect(Buffer.from(shared).includes(padded)).toBe(false);
    // By contrast, a Buffer from the pool is found there.
    expect(Buffer.from(Buffer.from(padded.toString('hex'), 'hex').buffer).includes(padded)).toBe(true);
  });
});
