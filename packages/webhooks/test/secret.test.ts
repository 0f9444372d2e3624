import { randomBytes } from 'node:crypto';
import { createWebhooks, parseSecret, WebhookError } from '@svc/webhooks';
import { describe, expect, it, vi } from 'vitest';
import { KEY, NOW_MS, SECRET, signedMessage } from './support/message.ts';
import { codeOf, refusalOf } from './support/refusal.ts';

const receiver = (secrets: string | readonly string[]) => createWebhooks({ secrets, now: NOW_MS });
/** Verifies a message, which needs the secrets. */
const use = (secrets: string | readonly string[]) => receiver(secrets).verify(signedMessage());
const rest = KEY.toString('base64url');

describe('a secret', () => {
  it('is accepted in base64 and in base64url, with and without padding', () => {
    for (let size = 24; size <= 64; size++) {
      const key = randomBytes(size);
      const plain = key.toString('base64');
      const unpadded = plain.replace(/=+$/, '');
      const url = plain.replaceAll('+', '-').replaceAll('/', '_');
      for (const spelling of [plain, unpadded, url, key.toString('base64url')]) {
        const secret = `whsec_${spelling}`;
        expect(receiver(secret).check(signedMessage({ key })).ok, secret).toBe(true);
        expect(receiver(secret).check(signedMessage({ key: randomBytes(size) })).ok).toBe(false);
      }
    }
  });

  it.each<[string, unknown, string]>([
    ['empty', '', 'secret_empty'],
    ['undefined', undefined, 'secret_empty'],
    ['null', null, 'secret_empty'],
    ['no secret at all', [], 'secret_empty'],
    ['an empty one among valid ones', [SECRET, ''], 'secret_empty'],
    ['the bare prefix', 'whsec_', 'secret_empty'],
    ['white space at the end', `${SECRET}\n`, 'secret_whitespace'],
    ['white space at the start', ` ${SECRET}`, 'secret_whitespace'],
    ['two secrets in one string', `${SECRET} ${SECRET}`, 'secret_whitespace'],
    ['only white space', ' ', 'secret_whitespace'],
    ['no prefix', rest, 'secret_prefix'],
    ['the prefix in upper case', `WHSEC_${rest}`, 'secret_prefix'],
    ['a public key', `whpk_${rest}`, 'secret_prefix'],
    ['a private key', `whsk_${rest}`, 'secret_prefix'],
    ['quotes', `"${SECRET}"`, 'secret_prefix'],
    ['an assignment', `WEBHOOK_SECRET=${SECRET}`, 'secret_prefix'],
    ['both alphabets', 'whsec_-+AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'secret_encoding'],
    ['a character outside both alphabets', `${SECRET}!`, 'secret_encoding'],
    ['a quote at the end', `${SECRET}"`, 'secret_prefix'],
    ['a zero-width space at the end', `${SECRET}\u200b`, 'secret_whitespace'],
    ['a zero-width joiner inside', `whsec_\u200d${rest}`, 'secret_whitespace'],
    ['a byte order mark at the start', `\ufeff${SECRET}`, 'secret_whitespace'],
    ['NUL at the end', `${SECRET}\0`, 'secret_whitespace'],
    ['a number', 5, 'secret_empty'],
    ['a buffer', Buffer.from(SECRET), 'secret_empty'],
    ['a signature version before the secret', `v1,${SECRET}`, 'secret_prefix'],
    ['an array in an array', [[SECRET]], 'secret_empty'],
    ['the prefix twice', `whsec_whsec_${'A'.repeat(34)}+`, 'secret_prefix'],
    ['a length that is impossible in base64', `whsec_${'A'.repeat(33)}`, 'secret_encoding'],
    ['too little padding', `whsec_${Buffer.alloc(25).toString('base64').slice(0, -1)}`, 'secret_encoding'],
    ['too much padding', `whsec_${Buffer.alloc(24).toString('base64')}=`, 'secret_encoding'],
    ['padding inside', `whsec_AA==${'A'.repeat(32)}`, 'secret_encoding'],
    ['stray final bits', `whsec_${'A'.repeat(34)}B`, 'secret_encoding'],
    ['23 bytes', `whsec_${Buffer.alloc(23).toString('base64')}`, 'secret_length'],
    ['65 bytes', `whsec_${Buffer.alloc(65).toString('base64')}`, 'secret_length'],
  ])('is refused when a message needs it: %s', async (_, secrets, code) => {
    expect(await codeOf(() => use(secrets as string))).toBe(code);
  });

  it('never appears in the error about it', async () => {
    for (const secret of [`${SECRET}!`, `"${SECRET}"`, rest, `whsec_${rest.slice(0, 8)}`, ` ${SECRET}`]) {
      const refusal = await refusalOf(() => use(secret));
      expect(`${refusal.stack} ${JSON.stringify(refusal)} ${refusal.hint}`).not.toContain(rest.slice(0, 8));
    }
  });

  it.each([
    [`whpk_${rest}`, /v1a/],
    [`whsk_${rest}`, /v1a/],
    [`'${SECRET}'`, /quotes/],
    [rest, /whsec_/],
    [`${SECRET}"`, /quotes/],
    [`${SECRET}\u200b`, /hidden/],
    [`${SECRET},${SECRET}`, /array/],
    [`<${SECRET}>`, /from whsec_ on/],
    [`{${SECRET}}`, /from whsec_ on/],
    [`WEBHOOK_SECRET=${SECRET}`, /from whsec_ on/],
    [`Bearer ${SECRET}`, /spaces/],
    [`v1,${SECRET}`, /Remove the "v1," prefix/],
  ])('%s gets a specific hint', async (secret, hint) => {
    expect((await refusalOf(() => use(secret))).hint).toMatch(hint);
  });
});

it('the error for a secret names its option, its position and the usual variable', async () => {
  const of = async (...secrets: unknown[]) => (await refusalOf(() => use(secrets as string[]))).message;
  expect(await of(SECRET, undefined)).toBe('secrets[1] (perhaps WEBHOOK_SECRET) is empty. Set its variable.');
  expect(await of('', SECRET)).toBe('secrets[0] (perhaps WEBHOOK_SECRET) is empty. Set its variable.');
  expect(await of(SECRET, SECRET, `${SECRET}\n`)).toMatch(
    /^secrets\[2\] \(perhaps WEBHOOK_SECRET\) is invalid\. Remove spaces /,
  );
  expect(await of(undefined)).toBe('secrets (perhaps WEBHOOK_SECRET) is empty. Set its variable.');
  const later = createWebhooks({ secrets: () => [SECRET, 'x'], now: NOW_MS });
  expect((await refusalOf(() => later.verify(signedMessage()))).message).toBe(
    'secrets[1] (perhaps WEBHOOK_SECRET) is invalid. Copy it whole, from whsec_ on, without quotes.',
  );
  expect((await refusalOf(() => parseSecret(''))).message).toMatch(/^The secret is empty\. /);
});

it('a doubled prefix is refused instead of being read as a different key', async () => {
  const doubled = `whsec_${SECRET}`;
  await expect(async () => use(doubled)).rejects.toMatchObject({ code: 'secret_prefix' });
});

it('a secret of ten megabytes is refused by its length, without decoding it', async () => {
  const decoded = vi.spyOn(globalThis, 'atob');
  expect(await codeOf(() => use(`whsec_${'A'.repeat(10_000_000)}`))).toBe('secret_length');
  expect(decoded).not.toHaveBeenCalled();
  expect(receiver(SECRET.replace('whsec_-', 'whsec_A')).check(signedMessage()).ok).toBe(false);
  decoded.mockRestore();
});

describe('a function that returns the secrets', () => {
  it('is called only after the headers, the body and the time have been checked', async () => {
    const secrets = vi.fn(async () => SECRET);
    const remote = createWebhooks({ secrets, now: NOW_MS, maxBodyBytes: 1000 });
    const good = signedMessage();
    const junk = [
      { ...good, headers: {} },
      ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
        ...good,
        headers: { ...good.headers, [name]: 'a.b' },
      })),
      signedMessage({ timestamp: 1 }),
      signedMessage({ body: 'x'.repeat(1001) }),
      { ...good, body: {} as string },
    ];
    for (const message of junk) {
      await expect(remote.verifyRequest({ method: 'POST', ...message })).rejects.toThrow(WebhookError);
      expect(() => remote.verify(message)).toThrow(WebhookError);
    }
    expect(secrets).not.toHaveBeenCalled();
    await remote.verifyRequest({ method: 'POST', ...good });
    expect(secrets).toHaveBeenCalledOnce();
  });

  it('is called for each verification', () => {
    let secrets = SECRET;
    const rotating = createWebhooks({ secrets: () => secrets, now: NOW_MS });
    expect(rotating.check(signedMessage()).ok).toBe(true);
    secrets = `whsec_${Buffer.alloc(32).toString('base64')}`;
    expect(rotating.check(signedMessage()).ok).toBe(false);
  });

  it('may return an invalid secret, which then throws', async () => {
    const broken = createWebhooks({ secrets: () => 'whsec_x', now: NOW_MS });
    expect(await codeOf(() => broken.verify(signedMessage()))).toBe('secret_encoding');
  });

  it('may be asynchronous, and synchronous methods then throw', async () => {
    const remote = createWebhooks({ secrets: async () => [SECRET], now: NOW_MS });
    expect(await codeOf(() => remote.verify(signedMessage()))).toBe('secrets_async');
    expect(await codeOf(() => remote.verifySignature(signedMessage()))).toBe('secrets_async');
    expect(remote.check(signedMessage())).toMatchObject({ error: { code: 'secrets_async', status: 500 } });
    const request = { method: 'POST', ...signedMessage() };
    expect((await remote.verifyRequest(request)).id).toBe('whd_1');
  });

  it('may fail asynchronously without an unhandled rejection', async () => {
    const failing = createWebhooks({ secrets: () => Promise.reject(new Error('vault is sealed')), now: NOW_MS });
    expect(await codeOf(() => failing.verify(signedMessage()))).toBe('secrets_async');
    await expect(failing.verifyRequest({ method: 'POST', ...signedMessage() })).rejects.toThrow('vault is sealed');
    await expect(failing.verifyRequest({ method: 'POST', ...signedMessage() })).rejects.not.toBeInstanceOf(
      WebhookError,
    );
  });
});
