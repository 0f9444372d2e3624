import { describe, expect, it } from 'vitest';
import { EVALUATED, PING, signedMessage } from './support/message.ts';
import { webhooks } from './support/receiver.ts';
import { refusalOf } from './support/refusal.ts';

const verify = (body: string) => webhooks.verify(signedMessage({ body }));
const envelope = (fields: object) => JSON.stringify({ ...JSON.parse(PING), ...fields });

describe('the envelope (Event)', () => {
  it('is known if its type is in the catalog', () => {
    const disabled = { id: 'whe_1', type: 'webhook_endpoint', url: '/v1/webhooks/endpoints/whe_1' };
    expect(verify(PING).known).toBe(true);
    expect(verify(EVALUATED)).toMatchObject({ known: true, event: { subject: { id: 'wsp_1', type: 'workspace' } } });
    const body = envelope({ type: 'webhook.endpoint.auto_disabled', subject: disabled });
    expect(verify(body)).toMatchObject({ known: true, event: { subject: disabled } });
  });

  it.each(['profile.merged', 'lifecycle.started', 'toString', '__proto__', ''])(
    'is accepted if its type is %j',
    (type) => {
      expect(verify(envelope({ type, subject: { id: 'x', type: 'y', url: '/z' } }))).toMatchObject({
        known: false,
        event: { type },
      });
    },
  );

  it.each([
    ['without a subject', envelope({ type: 'webhook.endpoint.auto_disabled' })],
    ['with a subject without fields', envelope({ type: 'webhook.endpoint.auto_disabled', subject: {} })],
    ['with a subject without url', envelope({ subject: { id: 'wsp_1', type: 'workspace' } })],
    ['with a subject of another type', EVALUATED.replace('"workspace"', '"galaxy"')],
    ['with a subject whose id has another prefix', EVALUATED.replace('wsp_1"', 'workspace-1"')],
    ['with an id of another prefix', PING.replace('evt_1', 'msg_1')],
  ])('is known by its type alone: %s', (_, body) => {
    expect(verify(body)).toMatchObject({ known: true, event: JSON.parse(body) });
    expect(verify(body.replace(/"type":"(lifecycle|webhook)/, '"type":"other')).known).toBe(false);
  });

  it('keeps a nested `__proto__` as a plain field, and changes no prototype', () => {
    const nested = '{"__proto__":{"polluted":true},"deep":[{"__proto__":{"polluted":true}}]}';
    const body = PING.replace('}', `,"data":${nested},"constructor":{"prototype":{"polluted":true}}}`);
    const { event } = verify(body);
    expect(JSON.stringify(event)).toBe(body);
    const { data } = event as unknown as { data: { polluted?: unknown; deep: { polluted?: unknown }[] } };
    expect(Object.keys(data)).toEqual(['__proto__', 'deep']);
    for (const value of [data, data.deep[0], event, {}]) {
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(value).not.toHaveProperty('polluted');
    }
  });

  it('keeps fields that were added later', () => {
    expect(verify(envelope({ trace: 7 })).event).toHaveProperty('trace', 7);
  });

  it('is read without a subject if its subject is null', () => {
    expect(verify(envelope({ subject: null })).event).toEqual(JSON.parse(PING));
    expect(verify(envelope({ subject: null })).event).not.toHaveProperty('subject');
  });

  it('uses the last of duplicate keys', () => {
    expect(verify(PING.replace('{', '{"id":"evt_0",')).event.id).toBe('evt_1');
    expect(verify(PING.replace('}', ',"id":"evt_9"}')).event.id).toBe('evt_9');
  });

  it.each([
    ['empty', ''],
    ['cut off', PING.slice(0, -1)],
    ['preceded by a byte order mark', `\ufeff${PING}`],
    ['preceded by NUL', `\0${PING}`],
    ['followed by NUL', `${PING}\0`],
    ['not quoted as JSON', "{'id':'evt_1'}"],
    ['nested very deeply', '['.repeat(100_000)],
  ])('causes body_invalid_json, but counts as authentic: %s', async (_, body) => {
    expect(await refusalOf(() => verify(body))).toMatchObject({
      code: 'body_invalid_json',
      authenticated: true,
      status: 400,
    });
  });

  it.each([
    ['an array', `[${PING}]`],
    ['a number', '5'],
    ['null', 'null'],
    ['a string', '"evt_1"'],
    ['an empty object', '{}'],
    ['without id', envelope({ id: undefined })],
    ['with a number as its id', envelope({ id: 1 })],
    ['without type', envelope({ type: undefined })],
    ['without created', envelope({ created: undefined })],
    ['with a string as its subject', envelope({ subject: 'wsp_1' })],
    ['with an array as its subject', envelope({ subject: [] })],
    ['with false as its subject', envelope({ subject: false })],
    ['only in its __proto__', `{"__proto__":${PING}}`],
    ['with a __proto__', PING.replace('{', '{"__proto__":{"admin":true},')],
    ['with a __proto__ in its subject', EVALUATED.replace('"subject":{', '"subject":{"__proto__":{},')],
  ])('causes envelope_invalid, but counts as authentic: %s', async (_, body) => {
    expect(await refusalOf(() => verify(body))).toMatchObject({
      code: 'envelope_invalid',
      authenticated: true,
      status: 400,
    });
  });
});
