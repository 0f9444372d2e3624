import { controlOperations } from '@svc/contract/control';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { controlOf } from '../../support/http/control.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

const { control } = controlOf(() => api);

describe('GET /_control/openapi.json', () => {
  test('describes every call of the control API and its schemas', async () => {
    const { status, body } = await control('openapi.json');
    expect(status).toBe(200);
    expect(body.openapi).toBe('3.1.0');
    const calls = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const table = Object.values(controlOperations).map(({ method, path }) => `${method} ${path}`);
    expect(calls.sort()).toEqual(table.sort());
    const inItself = [...JSON.stringify(body).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) =>
      String(path).split('/'),
    );
    for (const path of inItself)
      expect(
        path.reduce((at, key) => at?.[key], body),
        path.join('/'),
      ).toBeDefined();
    const create = body.paths['/_control/users'].post;
    expect(create.tags).toEqual(['Users and members']);
    expect(create.operationId).toBe('createUser');
    expect(create.requestBody.content['application/json'].schema).toMatchObject({
      type: 'object',
      required: ['email', 'name'],
      additionalProperties: false,
    });
  });
});
