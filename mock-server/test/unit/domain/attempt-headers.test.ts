import { expect, test } from 'vitest';
import { derivedHeaders, sentHeaders } from '../../../src/domain/attempt-headers.ts';

const url = 'https://a.test:8443/hook';
const row = (headers: Record<string, string>) => ({ url, request_headers: JSON.stringify(headers) });

test('the headers as sent are those that follow from the URL and the body, and those in the log', () => {
  expect(sentHeaders(row({ 'webhook-id': 'whd_1' }), '{"ü":1}')).toEqual({
    host: 'a.test:8443',
    'content-length': '8',
    'content-type': 'application/json',
    'user-agent': 'Workspace-Lifecycle-Service-Webhooks/1.0',
    'webhook-id': 'whd_1',
  });
});

test('a header in the log is shown as it is in the log', () => {
  const logged = { ...derivedHeaders(url, '{}'), 'user-agent': 'Another/2.0' };
  expect(sentHeaders(row(logged), '{"later":true}')).toEqual(logged);
});

test.each([null, undefined])('without the body (%s), only the headers in the log are known', (body) => {
  expect(sentHeaders(row({ 'webhook-id': 'whd_1' }), body)).toEqual({ 'webhook-id': 'whd_1' });
});

test('an attempt that failed before it was signed has sent no headers', () => {
  expect(sentHeaders(row({}), '{}')).toEqual({});
});
