import { z } from 'zod';
import { clientSample, curlSample } from './code-samples.ts';
import { ERROR_STATUSES, type ErrorCode } from './errors.ts';
import { API_HEADERS } from './headers.ts';
import { type Operation, type OperationName, operations } from './operations.ts';
import { answerSchemas, bodySchemas, ErrorBodySchema, querySchemas } from './schemas/index.ts';
import { resourceSchemas } from './schemas/resources.ts';

/** An OpenAPI 3.1 document, as plain JSON. */
export interface OpenApiDocument {
  openapi: '3.1.0';
  info: Record<string, unknown>;
  paths: Record<string, Record<string, unknown>>;
  [section: string]: unknown;
}

type JsonSchema = Record<string, unknown>;

/**
 * Creates the service's OpenAPI 3.1 document from the table of operations and the schemas that also validate requests.
 *
 * @param baseUrl - The server URL in the document, for example `http://127.0.0.1:4010`.
 */
export function createOpenApiDocument(baseUrl: string): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  for (const [name, operation] of Object.entries(operations) as [OperationName, Operation][]) {
    const described = { ...describe(name, operation), 'x-codeSamples': samples(name, baseUrl) };
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: described };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Workspace Lifecycle Service API',
      version: '1',
      description:
        'Read and update workspaces, register webhooks, read deliveries and events. Lists are paginated by URL: follow `nextPageUrl` unchanged.',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'Workspace Lifecycle Service' },
    },
    servers: [{ url: baseUrl }],
    tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
    security: [{ bearer: [] }],
    paths,
    components: {
      schemas: namedSchemas(),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key (`svc_sk_…`) or a personal access token (`svc_pat_…`).',
        },
      },
      headers: {
        RequestId: { description: 'Identifies this request; support asks for it.', schema: { type: 'string' } },
        RateLimit: {
          description: 'What is left of the window: `"default";r=<remaining>;t=<seconds>`.',
          schema: { type: 'string' },
        },
        RateLimitPolicy: {
          description: 'The limit: `"default";q=<requests>;w=<seconds>`.',
          schema: { type: 'string' },
        },
        RetryAfter: { description: 'Whole seconds to wait, at least 1.', schema: { type: 'integer', minimum: 1 } },
      },
      responses: Object.fromEntries(
        // METHOD_NOT_ALLOWED belongs to no operation, because a path with another method is not one.
        (Object.keys(ERROR_STATUSES) as ErrorCode[])
          .filter((code) => code !== 'METHOD_NOT_ALLOWED')
          .map((code) => [code, errorResponse(code)]),
      ),
    },
  };
}

function describe(name: string, operation: Operation): Record<string, unknown> {
  return {
    operationId: name,
    summary: operation.summary,
    description: notes(operation),
    tags: [operation.tag],
    parameters: [...pathParameters(operation), ...scopeParameters(operation), ...queryParameters(operation)],
    ...(operation.body && {
      requestBody: { required: true, content: jsonContent(inline(bodySchemas[operation.body])) },
    }),
    responses: {
      [operation.status]: {
        description: 'Success.',
        headers: responseHeaders,
        content: jsonContent(inline(answerSchemas[operation.answer])),
      },
      ...Object.fromEntries(
        errorsOf(operation).map((code) => [ERROR_STATUSES[code], { $ref: `#/components/responses/${code}` }]),
      ),
    },
  };
}

const samples = (name: OperationName, baseUrl: string) => [
  { lang: 'shell', label: 'curl', source: curlSample(name, baseUrl) },
  { lang: 'typescript', label: '@svc/client', source: clientSample(name, baseUrl) },
];

function notes(operation: Operation): string {
  const callers =
    operation.credentials.length === 1
      ? 'Needs a personal access token.'
      : 'Takes an API key or a personal access token.';
  const permission = operation.permission && `The caller must hold \`${operation.permission}\`.`;
  const expand = operation.expand && `\`expand\` accepts: ${operation.expand.join(', ')}.`;
  const conflict = operation.conflict && `409: ${operation.conflict}`;
  return [operation.details, callers, permission, expand, conflict].filter(Boolean).join(' ');
}

const tagDescriptions: Readonly<Record<Operation['tag'], string>> = {
  Workspaces: 'The tenants that own webhooks and events.',
  'Organizations and identity': 'Who is calling, where they belong, and the search.',
  'Webhook endpoints': 'The receivers of a workspace, with their subscriptions and signing secrets.',
  'Webhook deliveries': 'Events on their way to endpoints, and replays.',
  Events: 'What happened in a workspace.',
};

/** The errors that this operation can return. */
function errorsOf(operation: Operation): ErrorCode[] {
  const namesResource = /\{(?!workspaceId)/.test(operation.path);
  return [
    'VALIDATION',
    'UNAUTHENTICATED',
    'FORBIDDEN',
    ...(namesResource ? (['NOT_FOUND'] as const) : []),
    ...(operation.conflict ? (['CONFLICT'] as const) : []),
    'REQUEST_TIMEOUT',
    'PAYLOAD_TOO_LARGE',
    'URI_TOO_LONG',
    'UNSUPPORTED_MEDIA_TYPE',
    'RATE_LIMITED',
    'HEADERS_TOO_LARGE',
    'INTERNAL',
    'UNAVAILABLE',
  ];
}

function errorResponse(code: ErrorCode): Record<string, unknown> {
  const retries = code === 'RATE_LIMITED' || code === 'UNAVAILABLE';
  return {
    description: `Error \`${code}\`.`,
    headers: {
      [API_HEADERS.requestId]: { $ref: '#/components/headers/RequestId' },
      ...(retries && { [API_HEADERS.retryAfter]: { $ref: '#/components/headers/RetryAfter' } }),
    },
    content: jsonContent({ $ref: '#/components/schemas/Error' }),
  };
}

const responseHeaders = {
  [API_HEADERS.requestId]: { $ref: '#/components/headers/RequestId' },
  [API_HEADERS.rateLimit]: { $ref: '#/components/headers/RateLimit' },
  [API_HEADERS.rateLimitPolicy]: { $ref: '#/components/headers/RateLimitPolicy' },
};

function pathParameters(operation: Operation): JsonSchema[] {
  return [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: `Id of the ${String(name).replace(/Id$/, '')}.`,
    schema: { type: 'string' },
  }));
}

function scopeParameters(operation: Operation): JsonSchema[] {
  if (operation.scope === 'path') return [];
  const description =
    operation.scope === 'header'
      ? 'The workspace addressed. Needed with a personal access token.'
      : 'May name a workspace; the caller must then be able to reach it.';
  return [{ name: API_HEADERS.workspaceId, in: 'header', required: false, description, schema: { type: 'string' } }];
}

function queryParameters(operation: Operation): JsonSchema[] {
  if (!operation.query) return [];
  const schema = inline(querySchemas[operation.query]) as {
    properties: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: 'query',
    required: schema.required?.includes(name) ?? false,
    description: queryDescriptions[name] ?? `Filter: ${name}.`,
    schema: property,
  }));
}

const queryDescriptions: Record<string, string> = {
  limit: 'Items on a page, 20 unless given.',
  page: 'Opaque token, taken from a page URL.',
  expand: 'Fields to embed, comma-separated.',
  q: 'Words to find; every one must match, each by prefix, ignoring case and accents.',
  endpointId: 'Only deliveries to this endpoint.',
  status: 'Only deliveries in this status.',
  eventType: 'Only deliveries of this event type, exactly.',
  createdFrom: 'Only deliveries enqueued at this instant or later.',
  createdTo: 'Only deliveries enqueued at this instant or earlier.',
  subjectType: 'Only events about a resource of this type.',
  subjectId: 'Only events about this resource.',
  type: 'Only items of this type, exactly.',
};

const jsonContent = (schema: JsonSchema) => ({ 'application/json': { schema } });

const conversion = {
  target: 'draft-2020-12',
  unrepresentable: 'any',
  override: ({ zodSchema, jsonSchema }) => {
    Object.assign(jsonSchema, z.globalRegistry.get(zodSchema as never));
    // Answers may gain fields, and unknown fields of a request are ignored.
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  },
} as const satisfies Parameters<typeof z.toJSONSchema>[1];

/** The schema for one place, with references to all named resources. */
function inline(schema: z.ZodType): JsonSchema {
  return lift(z.toJSONSchema(schema, { ...conversion, metadata: registry }));
}

/** Every named resource, for `components.schemas`. */
function namedSchemas(): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(registry, { ...conversion, uri: (name) => `#/components/schemas/${name}` });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, lift(schema as JsonSchema)]));
}

const registry = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries({ ...resourceSchemas, Error: ErrorBodySchema })) registry.add(schema, { id });

/** Changes `$defs` references to `components.schemas` and removes what only a standalone schema needs. */
function lift(schema: JsonSchema): JsonSchema {
  const { $schema: _schema, $id: _id, id: _name, $defs: _defs, ...rest } = schema;
  return JSON.parse(JSON.stringify(rest).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;
}
