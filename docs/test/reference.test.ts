import { describe, expect, test } from 'vitest';
import { nameRepeated } from '../build/reference/name-repeated.ts';
import { describeOperation, type OpenApi } from '../build/reference/operation.ts';
import { fieldsTable, formsText, type Schema } from '../build/reference/schema.ts';

const profile: Schema = {
  type: 'object',
  properties: { id: { type: 'string' }, name: { type: 'string' }, state: { type: 'string' } },
  required: ['id', 'name', 'state'],
};
const objectOf = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties });

/** A document with one operation for each answer. */
function documentOf(...answers: Schema[]): OpenApi {
  const paths = answers.map((schema, number) => [
    `/${number}`,
    { get: { operationId: `get${number}`, summary: 'Get', responses: { 200: { content: json(schema) } } } },
  ]);
  return { info: { description: '' }, paths: Object.fromEntries(paths), components: { schemas: {} } };
}
const json = (schema: Schema) => ({ 'application/json': { schema } });

function answersOf(document: OpenApi): Schema[] {
  return Object.values(document.paths).map(
    ({ get }) => get?.responses['200']?.content?.['application/json']?.schema ?? {},
  );
}

describe('An object of a document', () => {
  test('that is described twice gets the name of its field, in lists as well', () => {
    const list = objectOf({ profiles: { type: 'array', items: profile } });
    const named = nameRepeated(documentOf(objectOf({ profile }), list));
    const reference = { $ref: '#/components/schemas/Profile' };
    expect(answersOf(named)).toEqual([
      objectOf({ profile: reference }),
      objectOf({ profiles: { type: 'array', items: reference } }),
    ]);
    expect(named.components.schemas).toEqual({ Profile: profile });
  });

  test('that is described once stays in its place, and so does one without a field', () => {
    const document = documentOf(objectOf({ profile }), objectOf({ other: objectOf({ id: profile }) }));
    const once = documentOf(objectOf({ profile }));
    expect(nameRepeated(once)).toEqual(once);
    expect(nameRepeated(documentOf(profile, profile)).components.schemas).toEqual({});
    expect(nameRepeated(document).components.schemas).toEqual({ Id: profile });
  });

  test('takes what only it contains with it', () => {
    const user = objectOf({ profile, name: { type: 'string' }, email: { type: 'string' } });
    const named = nameRepeated(documentOf(objectOf({ user }), objectOf({ user })));
    expect(named.components.schemas).toEqual({ User: user });
  });

  test('with several forms is named as a whole', () => {
    const api = { ...objectOf({ target: { const: 'api' }, match: profile }), required: ['target', 'match'] };
    const delivery = { ...objectOf({ target: { const: 'delivery' } }), required: ['target'] };
    const fault = { oneOf: [api, delivery] };
    const named = nameRepeated(documentOf(objectOf({ fault }), objectOf({ faults: { type: 'array', items: fault } })));
    expect(Object.keys(named.components.schemas)).toEqual(['Fault']);
  });
});

describe('A table of fields', () => {
  const schema: Schema = { ...objectOf({ id: { type: 'string' }, page: { type: 'string' } }), required: ['id'] };

  test('says what the caller must send, and what may be missing in an answer', () => {
    expect(fieldsTable(schema, 'sent')).toContain('| `id` | string | required |\n| `page` | string |  |');
    expect(fieldsTable(schema, 'returned')).toContain('| `id` | string |  |\n| `page` | string | can be missing |');
  });

  test('has no column that is empty, and no bound that every number keeps', () => {
    const count = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
    const table = fieldsTable({ ...objectOf({ count }), required: ['count'] }, 'returned');
    expect(table).toBe('| field | type |\n| --- | --- |\n| `count` | integer |\n');
    expect(fieldsTable(objectOf({ limit: { ...count, minimum: 1, maximum: 100 } }), 'sent')).toContain('1 to 100');
  });

  test('joins the forms of a union, which its introduction tells apart', () => {
    const kind = (value: string, more: Record<string, Schema> = {}): Schema => ({
      ...objectOf({ kind: { const: value }, ...more }),
      required: ['kind'],
    });
    const source: Schema = { oneOf: [kind('push'), kind('ndjson', { location: { type: 'string' } })] };
    expect(fieldsTable(source, 'sent')).toContain('| `kind` | `"push"` or `"ndjson"` | required |');
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
