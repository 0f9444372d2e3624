import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { EVENT_CATALOG, RETRY_DELAYS_MS, type ResponseName } from '../src/index.ts';
import { retryingDetail, type SignedRequest, signedAgain, signedRequests } from '../src/openapi/examples/deliveries.ts';
import { bodyExamples, queryExamples } from '../src/openapi/examples/requests.ts';
import { webhookSecret } from '../src/openapi/examples/resources.ts';
import { responseExamples } from '../src/openapi/examples/responses.ts';
import { createOpenApiDocument } from '../src/openapi.ts';
import { bodySchemas, querySchemas, responseSchemas } from '../src/schemas/index.ts';

const responses = responseExamples('https://api.service.test');

/** The signature of a request, as the service document describes it. */
function signatureOf({ payload, headers }: Pick<SignedRequest, 'payload' | 'headers'>): string {
  const key = Buffer.from(webhookSecret.secret.replace('whsec_', ''), 'base64url');
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${JSON.stringify(payload)}`;
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

/** The time in an id: ten characters of Crockford's base32. */
const timeOf = (id: string) =>
  [...id.slice(4, 14)].reduce((time, digit) => time * 32 + '0123456789ABCDEFGHJKMNPQRSTVWXYZ'.indexOf(digit), 0);

/** Every object in a value that has an id and the time of its creation. */
function dated(value: unknown): { id: string; at: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const { id, createdAt, created = createdAt } = value as Record<string, string>;
  return [...(id && created ? [{ id, at: created }] : []), ...Object.values(value).flatMap(dated)];
}

describe('The samples of the OpenAPI document', () => {
  test('are what the schemas accept', () => {
    for (const [name, examples] of Object.entries(responses)) {
      for (const { value } of Object.values(examples)) {
        expect(responseSchemas[name as ResponseName].parse(value), name).toEqual(value);
      }
    }
    const given = { ...bodyExamples, ...queryExamples };
    for (const [name, schema] of Object.entries({ ...bodySchemas, ...querySchemas })) {
      const value = given[name as keyof typeof given];
      expect(schema.parse(value), name).toEqual(value);
      // A sample shows every field.
      expect(Object.keys(value).toSorted(), name).toEqual(Object.keys(schema.shape).toSorted());
    }
  });

  test('have ids that carry the time of their creation, as real ids do', () => {
    const all = dated([responses, signedRequests]);
    expect(new Set(all.map(({ id }) => id.slice(0, 4)))).toEqual(
      new Set(['wsp_', 'pat_', 'key_', 'whe_', 'whs_', 'whd_', 'evt_']),
    );
    for (const { id, at } of all) expect(new Date(timeOf(id)).toISOString(), id).toBe(at);
  });

  test('have signatures that a receiver accepts, and a changed body has another', () => {
    expect(Object.keys(signedRequests)).toEqual(EVENT_CATALOG.map(({ type }) => type));
    const retried = {
      payload: retryingDetail.requestBody as unknown as SignedRequest['payload'],
      headers: retryingDetail.requestHeaders ?? {},
    };
    for (const request of [...Object.values(signedRequests), retried, signedAgain]) {
      const { payload, headers } = request;
      expect(headers['webhook-signature']).toBe(signatureOf(request));
      expect(headers['content-length']).toBe(String(Buffer.byteLength(JSON.stringify(payload))));
      expect(signatureOf({ headers, payload: { ...payload, type: 'other' } })).not.toBe(signatureOf(request));
    }
  });

  test('retry a failed delivery on the documented schedule', () => {
    const { createdAt, nextAttemptAt, responseTimeMs } = retryingDetail;
    const endedAt = Date.parse(String(nextAttemptAt)) - RETRY_DELAYS_MS[0];
    expect(endedAt - Date.parse(createdAt)).toBeGreaterThanOrEqual(Number(responseTimeMs));
  });

  test('have page URLs of the server that the document names', () => {
    const urls = JSON.stringify(createOpenApiDocument('http://127.0.0.1:9')).match(/"[^"]+&page=[^"]+"/g);
    expect(urls?.length).toBeGreaterThan(1);
    for (const url of urls ?? []) expect(url).toMatch(/^"http:\/\/127\.0\.0\.1:9\/v1\//);
  });
});

test('the OpenAPI document describes what the service sends: every event type, its headers and its payload', () => {
  const { webhooks } = createOpenApiDocument('https://api.service.test') as unknown as {
    webhooks: Record<string, { post: { parameters: { name: string; required: boolean }[]; security: unknown } }>;
  };
  expect(Object.keys(webhooks)).toEqual(EVENT_CATALOG.map(({ type }) => type));
  for (const { post } of Object.values(webhooks)) {
    expect(post.security).toEqual([]);
    expect(post.parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
  }
});
