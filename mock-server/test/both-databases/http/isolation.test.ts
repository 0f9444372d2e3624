import { ID_PREFIXES, operations } from '@svc/contract';
import { createOpenApiDocument } from '@svc/contract/openapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';
import { type Neighbour, settleNeighbour } from '../../support/http/neighbour.ts';

let api: TestApi;
let neighbour: Neighbour;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
  neighbour = await settleNeighbour(api);
});
afterAll(() => api[Symbol.asyncDispose]());

const nobodys = (prefix: string) => `${prefix}01M000000000000000000N0B0D`;

/** Every operation that addresses a resource by its id. */
const byId = Object.entries(operations).flatMap(([name, { method, path }]) => {
  const parameter = /\{(endpointId|deliveryId|eventId)\}/.exec(path)?.[1] as keyof typeof nobody | undefined;
  return parameter ? [{ name, method, path, parameter }] : [];
});
const nobody = {
  endpointId: nobodys(ID_PREFIXES.webhookEndpoint),
  deliveryId: nobodys(ID_PREFIXES.webhookDelivery),
  eventId: nobodys(ID_PREFIXES.event),
};

interface Documented {
  requestBody?: { content: { 'application/json': { examples: { example: { value: object } } } } };
}
const { paths } = createOpenApiDocument('http://127.0.0.1');

/** The sample of an operation's body. */
function bodyOf(method: string, path: string): object | undefined {
  const documented = paths[path]?.[method.toLowerCase()] as Documented | undefined;
  return documented?.requestBody?.content['application/json'].examples.example.value;
}

const callers = [
  ['an API key', { credential: demo.production.key }],
  ['a token', { credential: demo.owner, workspaceId: demo.production.id }],
] as const;

/** Makes a call and returns its response without the parts that differ for every call. */
async function responseTo(method: string, path: string, options: Parameters<TestApi['call']>[2], id: string) {
  const { status, headers, body } = await api.call(method, path, options);
  const kept = [...headers].filter(([name]) => !['service-request-id', 'date', 'content-length'].includes(name));
  return { status, headers: kept, body: JSON.parse(JSON.stringify(body).replaceAll(id, '<id>')) };
}

describe.each(callers)('To %s', (_kind, caller) => {
  test.each(byId)("$name answers a neighbour's id like an unknown id", async ({ method, path, parameter }) => {
    const body = bodyOf(method, path);
    const options = { ...caller, ...(body && { body }) };
    const ask = (id: string) => responseTo(method, path.replace(`{${parameter}}`, id), options, id);
    const [neighbours, none] = [await ask(neighbour[parameter]), await ask(nobody[parameter])];
    expect(none.status).toBe(404);
    expect(neighbours).toEqual(none);
  });

  test.each([
    ['/v1/webhooks/deliveries?endpointId=', 'endpointId'],
    ['/v1/events?subjectId=', 'eventId'],
  ] as const)("%s<a neighbour's id> lists nothing", async (path, parameter) => {
    const { body } = await api.call('GET', `${path}${neighbour[parameter]}`, caller);
    expect(body).toEqual({ data: [], nextPageUrl: null, previousPageUrl: null });
  });

  test("a neighbour's workspace looks like one that does not exist", async () => {
    const unknown = nobodys(ID_PREFIXES.workspace);
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { name: 'Mine' }],
    ] as const) {
      const ask = (id: string) =>
        responseTo(
          method,
          `/v1/workspaces/${id}`,
          { credential: caller.credential, ...(body !== undefined && { body }) },
          id,
        );
      const [neighbours, none] = [await ask(demo.globex.id), await ask(unknown)];
      expect(none.status).toBe(403);
      expect(neighbours).toEqual(none);
    }
  });
});

test('the neighbour can read its own endpoint, delivery and event', async () => {
  const ask = async (path: string) => (await api.call('GET', path, { credential: demo.globex.key })).status;
  expect(await ask(`/v1/webhooks/endpoints/${neighbour.endpointId}`)).toBe(200);
  expect(await ask(`/v1/webhooks/deliveries/${neighbour.deliveryId}`)).toBe(200);
  expect(await ask(`/v1/events/${neighbour.eventId}`)).toBe(200);
});
