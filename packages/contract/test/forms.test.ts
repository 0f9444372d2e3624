import { describe, expect, test } from 'vitest';
import type { ResponseName } from '../src/index.ts';
import { responseExamples } from '../src/openapi/examples/responses.ts';
import { createOpenApiDocument } from '../src/openapi.ts';
import { exactResponseSchemas } from '../src/schemas/exact.ts';
import { responseSchemas } from '../src/schemas/index.ts';

const examples = responseExamples('https://api.service.test');

/** A sample of a response with another value at a path. `undefined` removes the field. */
function changed(name: ResponseName, path: string, value: unknown): unknown {
  const sample = structuredClone(Object.values(examples[name])[0]?.value) as Record<string, unknown>;
  const names = path.split('.');
  const last = names.pop() ?? '';
  const at = names.reduce((object, field) => object[field] as Record<string, unknown>, sample);
  if (value === undefined) delete at[last];
  else at[last] = value;
  return sample;
}

const accepted = (name: ResponseName, response: unknown) => responseSchemas[name].safeParse(response).success;
const isSent = (name: ResponseName, response: unknown) => exactResponseSchemas[name].safeParse(response).success;

describe('The schemas of responses', () => {
  test.each<[ResponseName, string, unknown]>([
    ...[
      '2026-03-01T09:30:00Z',
      '2026-03-01T09:30:00.1Z',
      '2026-03-01T09:30:00.123456789Z',
      '2026-03-01T09:30:00+00:00',
      '2026-03-01T09:30:00.123+00:00',
    ].map((time): [ResponseName, string, unknown] => ['WorkspaceResponse', 'workspace.createdAt', time]),
    ['WorkspaceResponse', 'workspace.id', 'wsp_1'],
    ['WorkspaceResponse', 'workspace.id', 'wsp_grüße, 2'],
    ['WorkspaceResponse', 'workspace.addedLater', 'added'],
    ['WebhookEndpointResponse', 'endpoint.description', undefined],
    ['WebhookSecretResponse', 'secret.secret', 'whsec_x'],
    ['WebhookDeliveryList', 'data.0.eventId', 'ping-7'],
    ['WebhookDeliveryList', 'data.0.status', 'paused'],
    ['WebhookDeliveryList', 'nextPageUrl', '/v1/webhooks/deliveries?page=x'],
    ['WebhookDeliveryList', 'previousPageUrl', '/v1/webhooks/deliveries?page=x'],
    ['WebhookDeliveryResponse', 'delivery.nextAttemptAt', undefined],
    ['WebhookDeliveryResponse', 'delivery.requestBody', undefined],
    ['WebhookDeliveryResponse', 'delivery.requestHeaders', undefined],
    ['WebhookDeliveryResponse', 'delivery.responseBody', undefined],
    ['WebhookDeliveryResponse', 'delivery.responseHeaders', undefined],
    ['OrganizationList', 'data.0.role', 'Auditor'],
  ])('%s accepts what the document allows, and this server never sends: %s %j', (name, path, value) => {
    const response = changed(name, path, value);
    expect([accepted(name, response), isSent(name, response)]).toEqual([true, false]);
  });

  test.each<[ResponseName, string, unknown]>([
    ...[
      '2026-03-01T09:30:00+02:00',
      '2026-03-01T09:30:00',
      '2026-03-01',
      '2026-02-30T09:30:00Z',
      'yesterday',
      '',
      1_772_357_400,
    ].map((time): [ResponseName, string, unknown] => ['WorkspaceResponse', 'workspace.createdAt', time]),
    ['WorkspaceResponse', 'workspace.id', 'wsp_'],
    ['WorkspaceResponse', 'workspace.id', 'org_1'],
    ['WorkspaceResponse', 'workspace.name', undefined],
    ['WebhookEndpointResponse', 'endpoint.description', 7],
    ['WebhookEndpointResponse', 'endpoint.url', undefined],
    ['WebhookSecretResponse', 'secret.secret', 'whsec_'],
    ['WebhookSecretResponse', 'secret.secret', 'x'],
    ['WebhookDeliveryList', 'data.0.eventId', ''],
    ['WebhookDeliveryList', 'data.0.eventId', null],
    ['WebhookDeliveryList', 'data.0.responseStatus', undefined],
    ['WebhookDeliveryList', 'nextPageUrl', 'page=x'],
    ['WebhookDeliveryList', 'nextPageUrl', '//elsewhere.test/v1/events'],
    ['WebhookDeliveryList', 'nextPageUrl', undefined],
    ['WebhookDeliveryResponse', 'delivery.nextAttemptAt', 'soon'],
    ['WebhookDeliveryResponse', 'delivery.requestHeaders', { 'content-length': 7 }],
    ['WebhookDeliveryResponse', 'delivery.responseBody', {}],
  ])('%s rejects what the document does not allow: %s %j', (name, path, value) => {
    const response = changed(name, path, value);
    expect([accepted(name, response), isSent(name, response)]).toEqual([false, false]);
  });

  test('have an exact form that the samples have', () => {
    for (const [name, samples] of Object.entries(examples)) {
      for (const { value } of Object.values(samples)) {
        expect(exactResponseSchemas[name as ResponseName].parse(value), name).toEqual(value);
      }
    }
  });

  test('make responses as tolerant in the OpenAPI document', () => {
    const { components } = createOpenApiDocument('https://api.service.test') as unknown as {
      components: { schemas: Record<string, { properties: Record<string, { pattern: string }>; required: string[] }> };
    };
    const { Workspace, WebhookEndpoint, WebhookDelivery, WebhookDeliveryDetail } = components.schemas;
    const matches = (schema: { pattern: string } | undefined, value: string) =>
      new RegExp(schema?.pattern ?? '').test(value);
    expect(matches(Workspace?.properties['createdAt'], '2026-03-01T09:30:00+00:00')).toBe(true);
    expect(matches(Workspace?.properties['createdAt'], '2026-03-01T09:30:00+02:00')).toBe(false);
    expect(matches(Workspace?.properties['id'], 'wsp_1')).toBe(true);
    expect(matches(Workspace?.properties['id'], 'wsp_')).toBe(false);
    expect(WebhookDelivery?.properties['eventId']).not.toHaveProperty('pattern');
    expect(WebhookEndpoint?.required).not.toContain('description');
    expect(WebhookEndpoint?.required).toContain('url');
    // `subject` is absent for pings.
    const snapshot = ['nextAttemptAt', 'requestBody', 'requestHeaders', 'responseBody', 'responseHeaders', 'subject'];
    expect(Object.keys(WebhookDeliveryDetail?.properties ?? {})).toEqual([
      ...(WebhookDeliveryDetail?.required ?? []),
      ...snapshot,
    ]);
  });
});
