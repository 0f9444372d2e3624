import { clientSample, curlSample } from './code-samples.ts';
import type { ParameterName } from './derived-types.ts';
import { ERROR_STATUSES } from './errors.ts';
import { API_HEADERS } from './headers.ts';
import { componentSchemas, describeInline } from './openapi/components.ts';
import { operationDescriptions } from './openapi/descriptions.ts';
import { COMMON_ERRORS, commonErrorResponses, ownErrorResponses } from './openapi/errors.ts';
import { bodyExamples, pathExamples, queryExamples } from './openapi/examples/requests.ts';
import { responseExamples } from './openapi/examples/responses.ts';
import { componentHeaders } from './openapi/headers.ts';
import type { JsonSchema } from './openapi/json-schema.ts';
import { operationTexts } from './openapi/operation-texts.ts';
import { describePathParameter, parametersIn } from './openapi/parameters.ts';
import { describeWebhooks } from './openapi/webhooks.ts';
import type { BodyName } from './operation-types.ts';
import { type Operation, type OperationName, operations } from './operations.ts';
import { bodySchemas, querySchemas, responseSchemas } from './schemas/index.ts';

export { createControlDocument } from './openapi/control/document.ts';
export { errorResponse } from './openapi/errors.ts';

/** An OpenAPI 3.1 document, as plain JSON. */
export interface OpenApiDocument {
  openapi: '3.1.0';
  info: Record<string, unknown>;
  paths: Record<string, Record<string, unknown>>;
  webhooks: Record<string, unknown>;
  [section: string]: unknown;
}

/** Creates the document for a server at `baseUrl`. The server validates requests with the schemas of this document. */
export function createOpenApiDocument(baseUrl: string): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  for (const [name, operation] of Object.entries(operations) as [OperationName, Operation][]) {
    const described = { ...describe(name, operation, baseUrl), 'x-codeSamples': samples(name, baseUrl) };
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
    webhooks: describeWebhooks(),
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key (`svc_sk_…`) or a personal access token (`svc_pat_…`).',
        },
      },
      headers: componentHeaders,
      responses: commonErrorResponses(),
    },
  };
}

function describe(name: OperationName, operation: Operation, baseUrl: string): Record<string, unknown> {
  const examplesAt = (path: string) => responseExamples(baseUrl + path)[operation.response];
  const examples = examplesAt(operation.path);
  // Operations with the same response all get the samples of the first operation, because code generators would write
  // several types if the schemas differed.
  const [first = operation] = Object.values(operations).filter(({ response }) => response === operation.response);
  const values = Object.values(examplesAt(first.path)).map(({ value }) => value);
  return {
    operationId: name,
    summary: operationTexts[name].summary,
    description: notes(name, operation),
    tags: [operation.tag],
    parameters: [...pathParameters(operation), ...scopeParameters(operation), ...queryParameters(operation)],
    ...(operation.body && { requestBody: describeBody(operation.body) }),
    responses: {
      [operation.status]: {
        description: operationDescriptions[operation.response],
        headers: { ...responseHeaders, [API_HEADERS.ignored]: { $ref: '#/components/headers/Ignored' } },
        content: jsonContent(describeInline(operation.response, responseSchemas[operation.response], values), examples),
      },
      ...Object.fromEntries(
        COMMON_ERRORS.map((code) => [ERROR_STATUSES[code], { $ref: `#/components/responses/${code}` }]),
      ),
      ...ownErrorResponses(operation),
    },
  };
}

function describeBody(name: BodyName): Record<string, unknown> {
  const value = bodyExamples[name];
  const examples = { example: { summary: 'With every field.', value } };
  return {
    description: operationDescriptions[name],
    required: true,
    content: jsonContent(describeInline(name, bodySchemas[name], [value]), examples),
  };
}

const samples = (name: OperationName, baseUrl: string) => [
  { lang: 'shell', label: 'curl', source: curlSample(name, baseUrl) },
  { lang: 'typescript', label: '@svc/client', source: clientSample(name, baseUrl) },
];

function notes(name: OperationName, operation: Operation): string {
  const callers =
    operation.credentials.length === 1
      ? 'Requires a personal access token.'
      : 'Accepts an API key or a personal access token.';
  const permission = operation.permission && `The caller must have the permission \`${operation.permission}\`.`;
  const expand = operation.expand && `\`expand\` accepts: ${operation.expand.join(', ')}.`;
  return [operationTexts[name].details, callers, permission, expand].filter(Boolean).join(' ');
}

const tagDescriptions: Readonly<Record<Operation['tag'], string>> = {
  Workspaces: 'The tenants that own webhooks and events.',
  'Organizations and identity': 'The caller, the organizations of the caller, and search.',
  'Webhook endpoints': 'The receivers of a workspace, with their subscriptions and signing secrets.',
  'Webhook deliveries': 'Events on their way to endpoints, and replays of deliveries.',
  Events: 'The events of a workspace.',
};

const responseHeaders = {
  [API_HEADERS.requestId]: { $ref: '#/components/headers/RequestId' },
  [API_HEADERS.rateLimit]: { $ref: '#/components/headers/RateLimit' },
  [API_HEADERS.rateLimitPolicy]: { $ref: '#/components/headers/RateLimitPolicy' },
};

const pathParameters = ({ path }: Operation): object[] =>
  parametersIn<ParameterName>(path).map((name) => describePathParameter(name, pathExamples));

function scopeParameters(operation: Operation): JsonSchema[] {
  if (operation.scope === 'path') return [];
  const description =
    operation.scope === 'header'
      ? 'The workspace that the request applies to. Required with a personal access token. Not required with an API key, because a key has only one workspace.'
      : 'This header is not required. If the header names a workspace, the caller must have access to that workspace.';
  const example = pathExamples.workspaceId;
  return [
    { name: API_HEADERS.workspaceId, in: 'header', required: false, description, schema: { type: 'string' }, example },
  ];
}

function queryParameters(operation: Operation): JsonSchema[] {
  if (!operation.query) return [];
  const { query } = operation;
  const schema = describeInline(query, querySchemas[query], [queryExamples[query]]) as {
    properties: Record<string, JsonSchema & { examples: unknown[] }>;
    required?: string[];
  };
  return Object.entries(schema.properties).map(([name, { description, examples, ...property }]) => ({
    name,
    in: 'query',
    required: schema.required?.includes(name) ?? false,
    description,
    schema: property,
    example: examples[0],
  }));
}

const jsonContent = (schema: JsonSchema, examples: object) => ({ 'application/json': { schema, examples } });
