import type { WebhookDeliveryDetail } from '@svc/client';
import { verifyWebhook } from '@svc/webhooks';
import { signWebhook } from '@svc/webhooks/testing';
import { expect, test } from 'vitest';
import { fixtureOf, isStale, saveFixture, signedAnew } from '../../../../src/cli/listen/fixture.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw_w';
const OTHER = 'whsec_AfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw_w';
const body = { id: 'evt_1', type: 'webhook.ping', created: '2031-03-01T00:00:00.000Z' };
const sentAt = Math.floor(Date.now() / 1_000) - 3_600;
const signed = signWebhook({ secrets: SECRET, id: 'whd_1', timestamp: sentAt, body: JSON.stringify(body) });
const delivery = { requestHeaders: { ...signed.headers, traceparent: '00-1' }, requestBody: body };
const fixture = () => {
  const made = fixtureOf(delivery as unknown as WebhookDeliveryDetail, 'https://a.test/hook');
  if (!made) throw new TypeError('The delivery has a request.');
  return made;
};

test('a fixture has the URL, the headers and the raw body of a request', () => {
  expect(fixture()).toEqual({ url: 'https://a.test/hook', headers: delivery.requestHeaders, body: signed.body });
});

test('a delivery without an attempt has no fixture', () => {
  const waiting = { requestHeaders: null, requestBody: null } as WebhookDeliveryDetail;
  expect(fixtureOf(waiting, 'https://a.test/hook')).toBeUndefined();
});

test.each([
  [299, false],
  [301, true],
])('after %i s, a signature is stale: %j', (seconds, stale) => {
  expect(isStale(fixture(), (sentAt + seconds) * 1_000)).toBe(stale);
});

test('a request without a timestamp is stale', () => {
  expect(isStale({ ...fixture(), headers: {} }, Date.now())).toBe(true);
});

test('a message that is signed anew verifies with the given secret only, and keeps its id and other headers', () => {
  const { headers, body: text } = signedAnew(fixture(), 'whd_1', OTHER);
  expect(headers).toMatchObject({ 'webhook-id': 'whd_1', traceparent: '00-1' });
  expect(verifyWebhook({ headers, body: text, secrets: OTHER }).event).toEqual(body);
  expect(() => verifyWebhook({ headers, body: text, secrets: SECRET })).toThrow();
});

test('an id that is a path is not written', () => {
  expect(() => saveFixture('/nowhere', 'whd_../../x', fixture())).toThrow('is not the id of a delivery');
});
