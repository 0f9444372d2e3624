import { describe, expect, test } from 'vitest';
import { operations } from '../src/index.ts';
import { createControlDocument, createOpenApiDocument, type OpenApiDocument } from '../src/openapi.ts';
import { UpdateWorkspaceBodySchema } from '../src/schemas/index.ts';

interface Documented {
  content: { 'application/json': { examples: object } };
}

interface Part {
  content?: Record<string, { schema: { $ref?: string; title?: string } }>;
}

interface Operation {
  requestBody?: Part;
  responses: Record<string, Part>;
}

const SERVER = 'https://api.service.test';
const document = createOpenApiDocument(SERVER);
const { schemas } = document['components'] as {
  schemas: Record<string, { properties: Record<string, Record<string, unknown>> }>;
};

describe('the OpenAPI document', () => {
  test('has exactly the operations of the table, under their names', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        (operation as { operationId: string }).operationId,
        `${method.toUpperCase()} ${path}`,
      ]),
    );
    const table = Object.entries(operations).map(([name, operation]) => [
      name,
      `${operation.method} ${operation.path}`,
    ]);
    expect(Object.fromEntries(described)).toEqual(Object.fromEntries(table));
  });

  test('refers only to components that it has', () => {
    const text = JSON.stringify(document);
    const references = new Set([...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => String(path)));
    expect(references.size).toBeGreaterThan(10);
    for (const path of references) {
      const target = path.split('/').reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document);
      expect(target, path).toBeDefined();
    }
  });

  test('writes a value that may be null as one schema with two types, unless its values are listed', () => {
    const { properties } = schemas['WebhookDeliveryDetail'] ?? { properties: {} };
    expect(properties['deliveredAt']).toMatchObject({ type: ['string', 'null'], format: 'date-time' });
    expect(properties['responseStatus']?.['type']).toEqual(['integer', 'null']);
    expect(properties['responseStatus']).not.toHaveProperty('maximum');
    expect(schemas['Identity']?.properties['user']).toMatchObject({
      type: ['object', 'null'],
      required: ['id', 'email', 'name'],
    });
    expect(JSON.stringify(document)).toContain('{"type":"null"}');
    expect(JSON.stringify(document)).not.toMatch(
      /"anyOf":\[\{"type":"(?:string|integer|object)"[^[\]]*\},\{"type":"null"\}\]/,
    );
  });

  test('writes a choice of patterns as one pattern', () => {
    const { get } = document.paths['/v1/webhooks/deliveries'] as {
      get: { parameters: { name: string; schema: object }[] };
    };
    const { schema } = get.parameters.find(({ name }) => name === 'createdFrom') ?? {};
    expect(schema).toEqual({ type: 'string', pattern: expect.any(String) });
    const { pattern } = schema as { pattern: string };
    for (const accepted of ['2026-03-01T09:30Z', '2026-03-01T09:30:00.5+02:00'])
      expect(accepted).toMatch(new RegExp(pattern, 'u'));
    for (const refused of ['2026-03-01', '2026-03-01T09:30', ' 2026-03-01T09:30Z', '2026-03-01T09:30:00Z '])
      expect(refused).not.toMatch(new RegExp(pattern, 'u'));
  });

  test.each([
    ['service', document.paths],
    ['control', createControlDocument(SERVER)['paths'] as OpenApiDocument['paths']],
  ])('names the type of each body and response: %s', (_name, paths) => {
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods) as Operation[]);
    const schemas = operations.flatMap(({ requestBody, responses }) =>
      [requestBody, ...Object.values(responses)].flatMap((part) => Object.values(part?.content ?? {})),
    );
    const named = schemas.map(({ schema: { $ref, title, ...schema } }) => [$ref ?? title, JSON.stringify(schema)]);
    expect(named.filter(([name]) => name === undefined)).toEqual([]);
    // Two types need two names.
    expect(new Set(named.map(([name]) => name)).size).toBe(new Set(named.map(String)).size);
  });

  test('shows of each operation only what it can miss and what it can conflict with', () => {
    const samplesOf = (path: string, status: string) => {
      const { post } = document.paths[path] as { post: { responses: Record<string, Documented> } };
      return Object.keys(post.responses[status]?.content['application/json'].examples ?? {});
    };
    const replay = '/v1/webhooks/deliveries/{deliveryId}/replay';
    expect(samplesOf(replay, '404')).toEqual(['deliveryId']);
    expect(samplesOf(replay, '409')).toEqual(['inactive', 'deleted']);
    expect(samplesOf('/v1/webhooks/endpoints', '409')).toEqual(['endpoints']);
    expect(samplesOf('/v1/webhooks/endpoints', '404')).toEqual([]);
  });

  test('states the limits that requests must meet', () => {
    const update = document.paths['/v1/workspaces/{workspaceId}']?.['patch'] as {
      requestBody: { content: { 'application/json': { schema: { properties: Record<string, { pattern: string }> } } } };
    };
    const { properties } = update.requestBody.content['application/json'].schema;
    expect(properties).toMatchObject({ slug: { minLength: 1, maxLength: 120 } });
    // A name is trimmed before its length counts, which `maxLength` cannot say.
    expect(properties['name']).not.toHaveProperty('maxLength');
    const name = new RegExp(properties['name']?.pattern ?? '', 'u');
    for (const held of ['x', ' x ', '🙂'.repeat(120), ` ${'x'.repeat(120)} `, 'two words']) {
      expect([held, name.test(held), UpdateWorkspaceBodySchema.safeParse({ name: held }).success]).toEqual([
        held,
        true,
        true,
      ]);
    }
    for (const refused of ['', '  ', 'x'.repeat(121), ` ${'🙂'.repeat(121)}`]) {
      expect([refused, name.test(refused), UpdateWorkspaceBodySchema.safeParse({ name: refused }).success]).toEqual([
        refused,
        false,
        false,
      ]);
    }
  });
});
