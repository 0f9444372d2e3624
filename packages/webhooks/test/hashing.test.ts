import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import * as node from '../src/hashing/node.ts';
import * as portable from '../src/hashing/portable.ts';
import { hmac } from './support/message.ts';

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
});

describe('the build over node:crypto', () => {
  it('signs bytes that are not UTF-8', () => {
    const key = randomBytes(32);
    const body = randomBytes(1000);
    expect(node.hashesTextOnly).toBe(false);
    expect(node.createSigner(key)('m', 0, body)).toBe(hmac(key, 'm', 0, body));
  });
});
