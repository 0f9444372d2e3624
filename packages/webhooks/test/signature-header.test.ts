import crypto from 'node:crypto';
import { createWebhooks } from '@svc/webhooks';
import { generateSecret } from '@svc/webhooks/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { hmac, KEY, NOW_MS, NOW_SECONDS, PING, SECRET, signedMessage } from './support/message.ts';
import { webhooks } from './support/receiver.ts';
import { codeOf } from './support/refusal.ts';

const good = `v1,${hmac(KEY, 'whd_1', NOW_SECONDS, PING)}`;
const wrong = `v1,${hmac(Buffer.alloc(32, 1), 'whd_1', NOW_SECONDS, PING)}`;
const { headers, body } = signedMessage();
const signedWith = (signature: string) => ({ body, headers: { ...headers, 'webhook-signature': signature } });

describe('webhook-signature', () => {
  it.each([
    good,
    `${wrong} ${good}`,
    `${wrong}  ${good}`,
    `${good}   ${wrong}`,
    `v1a,x${' '.repeat(100)}${good}`,
    `${good} ${wrong}`,
    `v1a,AAAA v2,xyz= ${wrong} v1a,x ${good}`,
  ])('%s is accepted', (signature) => {
    expect(webhooks.verify(signedWith(signature)).id).toBe('whd_1');
  });

  it.each([
    [wrong, 'no_match'],
    [good.replace('v1,', 'v1a,'), 'no_supported_signature'],
    ['v2,abc', 'no_supported_signature'],
    [good.replace('v1,', 'V1,'), 'no_supported_signature'],
    [good.slice(3), 'malformed_signature'],
    ['v1', 'malformed_signature'],
    ['v1,', 'malformed_signature'],
    [',abc', 'malformed_signature'],
    [`${wrong}  ${wrong}`, 'no_match'],
    [`${good}\t${good}`, 'duplicate_header'],
    [` ${good}`, 'malformed_signature'],
    [good.slice(0, -1), 'malformed_signature'],
    [`${good}=`, 'malformed_signature'],
    [`${good.slice(0, -2)}B=`, 'malformed_signature'],
    [
      `v1,${hmac(KEY, 'whd_1', NOW_SECONDS, PING).replaceAll('+', '-').replaceAll('/', '_').slice(0, -2)}_=`,
      'malformed_signature',
    ],
    [`${good} v1,AAAA`, 'malformed_signature'],
  ])('%s is refused', async (signature, code) => {
    expect(await codeOf(() => webhooks.verify(signedWith(signature)))).toBe(code);
  });

  it('may have at most 32 entries', async () => {
    const junk = Array.from({ length: 31 }, () => wrong).join('  ');
    expect(webhooks.verify(signedWith(`${junk} ${good}`)).id).toBe('whd_1');
    expect(await codeOf(() => webhooks.verify(signedWith(`${junk} ${wrong} ${good}`)))).toBe('too_many_signatures');
  });

  it('may have up to maxSignatures entries', async () => {
    const strict = createWebhooks({ secrets: SECRET, now: NOW_MS, maxSignatures: 1 });
    expect(strict.check(signedWith(good)).ok).toBe(true);
    expect(await codeOf(() => strict.verify(signedWith(`${good} ${good}`)))).toBe('too_many_signatures');
  });

  it('of 300 junk entries is refused before the body is hashed', () => {
    const hash = vi.spyOn(crypto, 'hash');
    onTestFinished(() => hash.mockRestore());
    // Use a new secret, because the library caches the signers of known secrets.
    const receiver = createWebhooks({ secrets: generateSecret(), now: NOW_MS });
    const check = (entries: number) => receiver.check(signedWith(Array(entries).fill(wrong).join(' ')));
    expect(check(300)).toMatchObject({ ok: false, error: { code: 'too_many_signatures' } });
    expect(hash).not.toHaveBeenCalled();
    // By contrast, 32 entries are within the limit.
    expect(check(32)).toMatchObject({ ok: false, error: { code: 'no_match' } });
    expect(hash).toHaveBeenCalled();
  });
});
