import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { EVENT_CATALOG } from '@svc/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';

const path = createRequire(import.meta.url).resolve('@svc/webhooks/events.schema.json');
const document = JSON.parse(readFileSync(path, 'utf8'));
const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
ajv.addSchema(document, 'events');

const envelope = { id: 'evt_1', created: '2031-03-01T00:00:00.000Z' };
const workspace = { id: 'wsp_1', type: 'workspace', url: 'https://api.example.com/v1/workspaces/wsp_1' };

const isValid = (type: string, event: object) => ajv.validate(`events#/$defs/${type}`, event);

describe('The published JSON Schema of events', () => {
  it('has a schema for every type of the catalog, and one for all other types', () => {
    expect(Object.keys(document.$defs)).toEqual([...EVENT_CATALOG.map(({ type }) => type), 'unknown']);
  });

  it('accepts an event with fields that it does not know', () => {
    const event = { ...envelope, type: 'lifecycle.evaluated', subject: { ...workspace, since: 1 }, more: true };
    expect(isValid('lifecycle.evaluated', event)).toBe(true);
    expect(isValid('webhook.ping', { ...envelope, type: 'webhook.ping' })).toBe(true);
    expect(isValid('unknown', { ...envelope, type: 'invoice.paid' })).toBe(true);
  });

  it.each([
    ['without its subject', 'lifecycle.evaluated', { ...envelope, type: 'lifecycle.evaluated' }],
    [
      'with the subject of another',
      'lifecycle.evaluated',
      { ...envelope, type: 'lifecycle.evaluated', subject: { ...workspace, type: 'user' } },
    ],
    ['with a subject that it has not', 'webhook.ping', { ...envelope, type: 'webhook.ping', subject: workspace }],
    ['without an id', 'unknown', { created: envelope.created, type: 'invoice.paid' }],
  ])('rejects an event %s', (_what, type, event) => {
    expect(isValid(type, event)).toBe(false);
  });
});
