import { describe, expect, test } from 'vitest';
import type { AnswerName } from '../src/index.ts';
import { answerExamples } from '../src/openapi/examples/answers.ts';
import { createOpenApiDocument } from '../src/openapi.ts';
import { exactAnswerSchemas } from '../src/schemas/exact.ts';
import { answerSchemas } from '../src/schemas/index.ts';

const examples = answerExamples('https://api.service.test');

/** A sample of an answer with another value at a path. `undefined` removes the field. */
function changed(name: AnswerName, path: string, value: unknown): unknown {
  const sample = structuredClone(Object.values(examples[name])[0]?.value) as Record<string, unknown>;
  const names = path.split('.');
  const last = names.pop() ?? '';
  const at = names.reduce((object, field) => object[field] as Record<string, unknown>, sample);
  if (value === undefined) delete at[last];
  else at[last] = value;
  return sample;
}

const accepted = (name: AnswerName, answer: unknown) => answerSchemas[name].safeParse(answer).success;
const isSent = (name: AnswerName, answer: unknown) => exactAnswerSchemas[name].safeParse(answer).success;

describe('The schemas of answers', () => {
  test.each<[AnswerName, string, unknown]>([
    ...[
      '2026-03-01T09:30:00Z',
      '2026-03-01T09:30:00.1Z',
      '2026-03-01T09:30:00.123456789Z',
      '2026-03-01T09:30:00+00:00',
      '2026-03-01T09:30:00.123+00:00',
    ].map((time): [AnswerName, string, unknown] => ['WorkspaceAnswer', 'workspace.createdAt', time]),
    ['WorkspaceAnswer', 'workspace.id', 'wsp_1'],
    ['WorkspaceAnswer', 'workspace.id', 'wsp_grüße, 2'],
    ['WorkspaceAnswer', 'workspace.addedLater', 'added'],
    ['WebhookEndpointAnswer', 'endpoint.description', undefined],
    ['WebhookSecretAnswer', 'secret.secret', 'whsec_x'],
    ['WebhookDeliveryList', 'data.0.eventId', 'ping-7'],
    ['WebhookDeliveryList', 'data.0.status', 'paused'],
    ['WebhookDeliveryList', 'nextPageUrl', '/v1/webhooks/deliveries?page=x'],
    ['WebhookDeliveryList', 'previousPageUrl', '/v1/webhooks/deliveries?page=x'],
    ['WebhookDeliveryAnswer', 'delivery.nextAttemptAt', undefined],
    ['WebhookDeliveryAnswer', 'delivery.requestBody', undefined],
    ['WebhookDeliveryAnswer', 'delivery.requestHeaders', undefined],
    ['WebhookDeliveryAnswer', 'delivery.responseBody', undefined],
    ['WebhookDeliveryAnswer', 'delivery.responseHeaders', undefined],
    ['OrganizationList', 'data.0.role', 'Auditor'],
  ])('%s accepts what the document allows, and this server never sends: %s %j', (name, path, value) => {
    const answer = changed(name, path, value);
    expect([accepted(name, answer), isSent(name, answer)]).toEqual([true, false]);
  });

  test.each<[AnswerName, string, unknown]>([
    ...[
      '2026-03-01T09:30:00+02:00',
      '2026-03-01T09:30:00',
      '2026-03-01',
      '2026-02-30T09:30:00Z',
      'yesterday',
      '',
      1_772_357_400,
    ].map((time): [AnswerName, string, unknown] => ['WorkspaceAnswer', 'workspace.createdAt', time]),
    ['WorkspaceAnswer', 'workspace.id', 'wsp_'],
    ['WorkspaceAnswer', 'workspace.id', 'org_1'],
    ['WorkspaceAnswer', 'workspace.name', undefined],
    ['WebhookEndpointAnswer', 'endpoint.description', 7],
    ['WebhookEndpointAnswer', 'endpoint.url', undefined],
    ['WebhookSecretAnswer', 'secret.secret', 'whsec_'],
    ['WebhookSecretAnswer', 'secret.secret', 'x'],
    ['WebhookDeliveryList', 'data.0.eventId', ''],
    ['WebhookDeliveryList', 'data.0.eventId', null],
    ['WebhookDeliveryList', 'data.0.responseStatus', undefined],
    ['WebhookDeliveryList', 'nextPageUrl', 'page=x'],
    ['WebhookDeliveryList', 'nextPageUrl', '//elsewhere.test/v1/events'],
    ['WebhookDeliveryList', 'nextPageUrl', undefined],
    ['WebhookDeliveryAnswer', 'delivery.nextAttemptAt', 'soon'],
    ['WebhookDeliveryAnswer', 'delivery.requestHeaders', { 'content-length': 7 }],
    ['WebhookDeliveryAnswer', 'delivery.responseBody', {}],
  ])('%s rejects what the document does not allow: %s %j', (name, path, value) => {
    const answer = changed(name, path, value);
    expect([accepted(name, answer), isSent(name, answer)]).toEqual([false, false]);
  });

  test('have an exact form that the samples have', () => {
    for (const [name, samples] of Object.entries(examples)) {
      for (const { value } of Object.values(samples)) {
        expect(exactAnswerSchemas[name as AnswerName].parse(value), name).toEqual(value);
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
