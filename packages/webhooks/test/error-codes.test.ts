import { readFileSync } from 'node:fs';
import { createWebhooks, type WebhookErrorCode } from '@svc/webhooks';
import { describe, expect, it } from 'vitest';
import { NOW_MS, NOW_SECONDS, SECRET, signedMessage, signedRequest } from './support/message.ts';
import { webhooks } from './support/receiver.ts';
import { refusalOf } from './support/refusal.ts';

const changed = (headers: Record<string, string>) => {
  const message = signedMessage();
  return () => webhooks.verify({ ...message, headers: { ...message.headers, ...headers } });
};
const withBody = (body: unknown) => () => webhooks.verify({ ...signedMessage(), body: body as string });
const signedBody = (body: string | Uint8Array) => () => webhooks.verify(signedMessage({ body }));
const withSecret = (secrets: string) => () => createWebhooks({ secrets }).verify(signedMessage());

/** An input that causes each code. The compiler requires every code. */
const PROVOCATIONS: Record<WebhookErrorCode, () => unknown> = {
  missing_header: changed({ 'webhook-id': '' }),
  duplicate_header: changed({ 'Webhook-Id': 'whd_2' }),
  malformed_id: changed({ 'webhook-id': 'a.b' }),
  malformed_timestamp: changed({ 'webhook-timestamp': 'now' }),
  timestamp_too_old: () => webhooks.verify(signedMessage({ timestamp: NOW_SECONDS - 301 })),
  timestamp_too_new: () => webhooks.verify(signedMessage({ timestamp: NOW_SECONDS + 301 })),
  too_many_signatures: changed({ 'webhook-signature': Array(33).fill('v2,x').join(' ') }),
  no_supported_signature: changed({ 'webhook-signature': 'v2,x' }),
  malformed_signature: changed({ 'webhook-signature': 'v1,x' }),
  no_match: withBody('{}'),
  method_not_allowed: () => webhooks.verifyRequest(new Request('https://receiver.test/')),
  unsupported_content_type: () =>
    webhooks.verifyRequest(new Request('https://receiver.test/', { method: 'POST', body: 'a' })),
  body_too_large: withBody('x'.repeat(1024 * 1024 + 1)),
  body_already_read: async () => {
    const request = signedRequest();
    await request.text();
    return webhooks.verifyRequest(request);
  },
  body_not_raw: withBody({ id: 'evt_1' }),
  body_not_utf8: signedBody(new Uint8Array([0xff])),
  body_invalid_json: signedBody('{'),
  envelope_invalid: signedBody('{}'),
  secrets_async: () => createWebhooks({ secrets: async () => SECRET, now: NOW_MS }).verify(signedMessage()),
  secret_empty: withSecret(''),
  secret_whitespace: withSecret(`${SECRET} `),
  secret_prefix: withSecret('secret'),
  secret_encoding: withSecret('whsec_*'),
  secret_length: withSecret('whsec_AAAA'),
};

const guide = readFileSync(new URL('../../../docs/guides/webhook-errors.md', import.meta.url), 'utf8');

describe.each(Object.entries(PROVOCATIONS))('%s', (code, provoke) => {
  it('is thrown for its input, and is in the guide with its status', async () => {
    const refusal = await refusalOf(provoke);
    expect(refusal.code).toBe(code);
    // The hint is a whole sentence that says what to do.
    expect(refusal.hint).toMatch(
      /^(Check|Copy|Let|Pass|Put|Raise|Register|Remove|Report|Set|The secret may|Use|Verify) [^?]{10,}[.]$/,
    );
    expect(guide).toContain(`| \`${code}\` | ${refusal.status} |`);
  });
});
