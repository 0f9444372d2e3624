import { expect, test } from 'vitest';
import { requireDocumented } from '../support/documented-statuses.ts';

test('every call of a test must have a status that the OpenAPI document has', () => {
  const endpoints = '/v1/webhooks/endpoints';
  const undocumented = 'which its OpenAPI document does not have';
  expect(() => requireDocumented('GET', '/v1/me', 200)).not.toThrow();
  expect(() => requireDocumented('GET', '/v1/me', 201)).toThrow(undocumented);
  expect(() => requireDocumented('POST', `${endpoints}/whe_1/send-test-event?x=1`, 409)).not.toThrow();
  expect(() => requireDocumented('GET', `${endpoints}/whe_1`, 409)).toThrow(undocumented);
  expect(() => requireDocumented('POST', '/_control/faults', 409)).not.toThrow();
  expect(() => requireDocumented('POST', '/_control/settle', 409)).toThrow(undocumented);
});

test('a path or a method without an operation may have any status, and so may a fault', () => {
  expect(() => requireDocumented('GET', '/v1/nothing', 404)).not.toThrow();
  expect(() => requireDocumented('PATCH', '/v1/webhooks/endpoints/event-types', 405)).not.toThrow();
  expect(() => requireDocumented('GET', '/v1/me', 502)).not.toThrow();
});
