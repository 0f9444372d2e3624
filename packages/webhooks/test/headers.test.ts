import type { WebhookHeaders } from '@svc/webhooks';
import { describe, expect, it } from 'vitest';
import { signedMessage } from './support/message.ts';
import { webhooks } from './support/receiver.ts';
import { codeOf } from './support/refusal.ts';

const { headers, body } = signedMessage();
const entries = Object.entries(headers);
const upperCased = Object.fromEntries(entries.map(([name, value]) => [name.toUpperCase(), value]));

describe('headers', () => {
  it.each<[string, WebhookHeaders]>([
    ['Headers', new Headers(headers)],
    ['entries', entries],
    ['a Map', new Map(entries)],
    ['a plain object', headers],
    ['a plain object in upper case', upperCased],
    ['a plain object of arrays', Object.fromEntries(entries.map(([name, value]) => [name, [value]]))],
    ['an object without a prototype', Object.assign(Object.create(null), headers)],
  ])('are read from %s', (_, given) => {
    expect(webhooks.verify({ headers: given, body }).id).toBe('whd_1');
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('without %s are refused', async (name) => {
    for (const value of [undefined, '', []]) {
      const given = { ...headers, [name]: value };
      expect(await codeOf(() => webhooks.verify({ headers: given, body }))).toBe('missing_header');
    }
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('with %s twice are refused', async (name) => {
    const value = headers[name] ?? '';
    const twice: WebhookHeaders[] = [
      { ...headers, [name.toUpperCase()]: value },
      { ...headers, [name]: [value, value] },
      { ...headers, [name]: `${value}, ${value}` },
      { ...headers, [name]: `${value},${value}` },
      [...entries, [name, value]],
      new Headers([...entries, [name, value]] as [string, string][]),
    ];
    for (const given of twice) {
      expect(await codeOf(() => webhooks.verify({ headers: given, body }))).toBe('duplicate_header');
    }
  });

  it.each([null, undefined, 'webhook-id: 1', 5, []])('that are %j are refused as missing', async (given) => {
    const message = { headers: given as never, body };
    expect(await codeOf(() => webhooks.verify(message))).toBe('missing_header');
  });
});

describe('webhook-id', () => {
  it.each(['a.b', 'a\nb', 'a\u0000', 'a\u007f', 'a\u0085b', '\ud800', 'x'.repeat(257), '😀'.repeat(257)])(
    '%j is refused',
    async (id) => {
      expect(await codeOf(() => webhooks.verify(signedMessage({ id })))).toBe('malformed_id');
    },
  );

  it.each(['a', 'x'.repeat(256), 'whd_01J0000000', 'msg-1:2/3', 'é', '😀', '😀'.repeat(256)])(
    '%j is accepted',
    (id) => {
      expect(webhooks.verify(signedMessage({ id })).id).toBe(id);
    },
  );
});
