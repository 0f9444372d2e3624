import { createWebhooks } from '@svc/webhooks';
import { describe, expect, it, vi } from 'vitest';
import { NOW_MS, SECRET, signedMessage, signedRequest } from './support/message.ts';

const create = (secrets: unknown) => createWebhooks({ secrets: secrets as string, now: NOW_MS });

describe('a receiver without a valid secret', () => {
  it.each<[unknown, string]>([
    [undefined, 'secret_empty'],
    ['', 'secret_empty'],
    [[], 'secret_empty'],
    ['whsec_x', 'secret_encoding'],
    [[SECRET, ''], 'secret_empty'],
  ])('can be created with %j, and then fails each request with 500, whatever it contains', async (secrets, code) => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {});
    const webhooks = create(secrets);
    const junk = new Request('https://receiver.test/', { method: 'POST', body: 'x' });
    for (const request of [signedRequest(), junk, signedRequest()]) {
      const response = await webhooks.fetch(request);
      // The sender learns only the code.
      expect([response.status, await response.json()]).toEqual([500, { outcome: 'rejected', code, message: code }]);
    }
    const option = Array.isArray(secrets) && secrets.length > 1 ? 'secrets\\[1\\]' : 'secrets';
    expect(error.mock.calls).toEqual([
      [
        expect.objectContaining({
          message: expect.stringMatching(`^${option} \\(perhaps WEBHOOK_SECRET\\) is (empty|invalid)[.] `),
        }),
      ],
    ]);
    error.mockRestore();
    expect(() => webhooks.verify(signedMessage())).toThrow(expect.objectContaining({ code }));
    expect(() => webhooks.verifySignature(signedMessage())).toThrow(expect.objectContaining({ code }));
    expect(webhooks.check({ headers: {}, body: '' })).toMatchObject({ ok: false, error: { code, status: 500 } });
    await expect(webhooks.verifyRequest(signedRequest())).rejects.toMatchObject({ code });
  });

  it('is not what a valid secret makes: the same requests get 200 and 415', async () => {
    const webhooks = create(SECRET);
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const junk = new Request('https://receiver.test/', { method: 'POST', body: 'x' });
    expect((await webhooks.fetch(signedRequest())).status).toBe(200);
    expect((await webhooks.fetch(junk)).status).toBe(415);
    warn.mockRestore();
  });
});
