import { ErrorBodySchema } from '@svc/contract/schemas';
import { z } from 'zod';
import type { ControlOperation } from './operation.ts';

/** The group of a call is the first one whose paths match. */
const TAGS: readonly (readonly [tag: string, paths: RegExp])[] = [
  ['Time', /^(?:clock|settle|wait)/],
  ['Events', /^events/],
  ['Deliveries', /^deliveries/],
  ['Endpoints', /^endpoints/],
  ['Faults', /^faults/],
  ['Profiles', /^workspaces\/\{id\}\/profiles/],
  ['Data sources', /^workspaces\/\{id\}\/data-source/],
  ['Evaluations', /^workspaces\/\{id\}\/(?:evaluat|schedule)/],
  ['Users and members', /^users|\/members/],
  ['Organizations and workspaces', /^(?:organizations|workspaces)/],
  ['Credentials and sessions', /^(?:credentials|sessions)/],
  ['Snapshots', /^(?:snapshots|reset|export)/],
  ['Requests and notifications', /^(?:requests|notifications)/],
  ['Server', /^/],
];

const tagOf = (path: string): string =>
  TAGS.find(([, paths]) => paths.test(path.replace('/_control/', '')))?.[0] ?? 'Server';

/** Creates the OpenAPI 3.1 document of the control API, from the schemas that also validate its calls. */
export function createControlDocument(baseUrl: string, operations: readonly ControlOperation[]): object {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: describe(operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of the reference server',
      version: '1',
      description:
        'Controls the reference server, for tests and developers. It works only under its own host names. Other web pages cannot call it. With `--admin-token`, it requires the token or an admin session.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: TAGS.map(([name]) => ({ name })),
    security: [{ adminToken: [] }, {}],
    paths,
    components: {
      schemas: { Error: schemaOf(ErrorBodySchema, 'output') },
      securitySchemes: {
        adminToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token of `--admin-token`, if the server has one.',
        },
      },
    },
  };
}

function describe(operation: ControlOperation): object {
  const {
    method,
    path,
    summary,
    description,
    body,
    streamed,
    query,
    status,
    answer,
    refusals,
    mediaType = 'application/json',
  } = operation;
  return {
    operationId: `${method.toLowerCase()}${path.replace('/_control', '').replaceAll(/[/{}]+(\w)?/g, (_all, letter = '') => letter.toUpperCase())}`,
    summary,
    ...(description && { description }),
    tags: [tagOf(path)],
    parameters: [...pathParameters(path), ...(query ? queryParameters(query) : [])],
    ...(body && { requestBody: { content: jsonOf(schemaOf(body, 'input')) } }),
    ...(streamed && { requestBody: { content: streamOf(schemaOf(streamed, 'input')) } }),
    responses: {
      [status]: { description: summary, content: { [mediaType]: { schema: schemaOf(answer, 'output') } } },
      ...Object.fromEntries(
        Object.entries(refusals ?? {}).map(([code, description]) => [code, refusal(code, description, answer)]),
      ),
      400: refusal('400', 'A field or a parameter is invalid.', answer),
      403: refusal(
        '403',
        'The Host or Origin is not one of this server, or the strict profile has no admin token.',
        answer,
      ),
    },
  };
}

/** A 408 describes what was seen, in the same shape as the answer. All other refusals use the error envelope. */
const refusal = (code: string, description: string, answer: z.ZodType) => ({
  description,
  content: jsonOf(code === '408' ? schemaOf(answer, 'output') : { $ref: '#/components/schemas/Error' }),
});

const pathParameters = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

const queryParameters = (query: z.ZodObject) =>
  Object.entries(query.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    schema: schemaOf(schema as z.ZodType, 'input'),
  }));

const jsonOf = (schema: object) => ({ 'application/json': { schema } });

/** A stream of items in either format. OpenAPI 3.1 describes a line of NDJSON by its item. */
const streamOf = (item: object) => ({
  'application/json': { schema: { type: 'array', items: item } },
  'application/x-ndjson': { schema: item },
});

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}
