import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createApiPages } from '../../build/reference/api-pages.ts';
import { createEventCatalogPage } from '../../build/reference/event-catalog.ts';
import { describeOperation, type OpenApi } from '../../build/reference/operation.ts';
import { createErrorsPage } from '../../build/reference/other-pages.ts';
import { fieldsTable, formsText, type Schema } from '../../build/reference/schema.ts';

const objectOf = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties });

const _json = (schema: Schema) => ({ 'application/json': { schema } });

describe('A table of fields', () => {
  const schema: Schema = { ...objectOf({ id: { type: 'string' }, page: { type: 'string' } }), required: ['id'] };

  test('says what the caller must send, and what may be missing in a response', () => {
    expect(fieldsTable(schema, 'sent')).toContain('| `id` | string | Required. |\n| `page` | string |  |');
    expect(fieldsTable(schema, 'returned')).toContain('| `id` | string |  |\n| `page` | string | Can be missing. |');
  });

  test('has no column that is empty, and no bound that every number keeps', () => {
    const count = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
    const table = fieldsTable({ ...objectOf({ count }), required: ['count'] }, 'returned');
    expect(table).toBe('| field | type |\n| --- | --- |\n| `count` | integer |\n');
    expect(fieldsTable(objectOf({ limit: { ...count, minimum: 1, maximum: 100 } }), 'sent')).toContain('1 to 100');
  });

  test('notes what a field needs in sentences, and names the items of a list in the plural', () => {
    const tags = { type: 'array', maxItems: 3, items: { type: 'string' }, description: 'Words for search' };
    const events = { type: 'array', items: { $ref: '#/components/schemas/Event' } };
    expect(fieldsTable({ ...objectOf({ tags, events }), required: ['tags'] }, 'sent')).toContain(
      '| `tags` | list of strings | Required. At most 3 items. Words for search. |\n| `events` | list of [Event](#event) objects |  |',
    );
  });

  test('leaves out a field that must not be there', () => {
    const properties = { ...schema.properties, subject: { not: {} } };
    expect(fieldsTable({ ...schema, properties }, 'sent')).toBe(fieldsTable(schema, 'sent'));
  });

  test('joins the forms of a union, which its introduction tells apart', () => {
    const kind = (value: string, more: Record<string, Schema> = {}): Schema => ({
      ...objectOf({ kind: { const: value }, ...more }),
      required: ['kind'],
    });
    const source: Schema = { oneOf: [kind('push'), kind('ndjson', { location: { type: 'string' } })] };
    expect(fieldsTable(source, 'sent')).toContain('| `kind` | `"push"` or `"ndjson"` | Required. |');
    expect(formsText(source)).toBe('`{ kind }` or `{ kind, location? }`');
    expect(formsText(kind('push'))).toBe('');
  });
});

test('An operation shows neither the parameters of its path nor those that follow pages', () => {
  const parameters = ['id', 'limit', 'page', 'status'].map((name) => ({
    name,
    in: name === 'id' ? 'path' : 'query',
    schema: { type: 'string' },
  }));
  const operation = {
    operationId: 'list',
    summary: 'List them',
    description: 'Newest first.',
    parameters,
    responses: {},
  };
  expect(describeOperation({ method: 'GET', path: '/them/{id}', operation })).toBe(
    '## List them\n\n**GET** `/them/{id}`\n\nNewest first.\n\n| parameter | type |\n| --- | --- |\n| `status` | string |\n',
  );
});

describe('A page with samples', () => {
  const api: OpenApi = JSON.parse(
    readFileSync(new URL('../../../mock-server/dist/openapi.json', import.meta.url), 'utf8'),
  );

  test('shows every error with its cause and its message', () => {
    const page = createErrorsPage(api);
    expect(page).toContain('"code": "VALIDATION"');
    expect(page).toContain('| 409 | `CONFLICT` | The state of the resource does not allow the operation.');
    expect(page).toMatch(/\| 404 \| `NOT_FOUND` \|.+\| \d+ of \d+ calls \|/);
    expect(page).toMatch(
      /\| 405 \| `METHOD_NOT_ALLOWED` \| The path has no such method\. .+\| a path that has no such method \|/,
    );
    expect(page).toContain('| `UNAUTHENTICATED` | There is no credential. | Send the credential as "Authorization');
  });

  test('names the header for the workspace once, unless a call does not need it', () => {
    const pages = createApiPages(api);
    expect(pages['webhook-endpoints']?.match(/Service-Workspace-Id/g)).toHaveLength(1);
    expect(pages['workspaces']).toContain('| `Service-Workspace-Id` | string | Header. This header is not required. ');
  });

  test('shows each event with its fields and with exact headers: no subject for a ping', () => {
    const page = createEventCatalogPage(api);
    for (const [type, { post }] of Object.entries(api.webhooks ?? {})) {
      const part = page.split(`## \`${type}\`\n`)[1]?.split('\n## ')[0] ?? '';
      const { value } = post.requestBody?.content['application/json']?.examples?.['example'] ?? {};
      const listed = [...part.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
      expect(listed, type).toEqual(Object.keys(value as object));
      expect(listed.includes('subject'), type).toBe(type !== 'webhook.ping');
      expect(part).toMatch(/^webhook-id: whd_\w+\nwebhook-timestamp: \d+\nwebhook-signature: v1,\S+=\n/m);
      expect(part).toContain(`\n\n${JSON.stringify(value)}\n`);
    }
  });

  test('teaches globs with a prefix, and says whose `*` is', () => {
    const sentences = createEventCatalogPage(api).split(/(?<=\.)\s/);
    expect(sentences.some((sentence) => sentence.includes('`lifecycle.*`'))).toBe(true);
    const teaching = sentences.filter((sentence) => /`\*`/.test(sentence));
    expect(teaching).toEqual(['Only the reference server also accepts `*` (every type).']);
  });

  test('describes a resource and shows a sample of it', () => {
    const deliveries = createApiPages(api)['webhook-deliveries'];
    expect(deliveries).toContain('| `deliveredAt` | timestamp or null | When the first successful attempt ended.');
    expect(deliveries).toContain(JSON.stringify(api.components.schemas['WebhookDelivery']?.examples?.[0], null, 2));
  });
});
