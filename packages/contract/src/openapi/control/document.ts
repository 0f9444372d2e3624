import type { z } from 'zod';
import type { ControlOperationName, ControlParameterName } from '../../control/operation-types.ts';
import {
  CONTROL_TAGS,
  type ControlCaller,
  type ControlOperation,
  controlOperations,
} from '../../control/operations.ts';
import { controlBodies } from '../../control/schemas/bodies.ts';
import { controlQueries } from '../../control/schemas/queries.ts';
import { controlResources } from '../../control/schemas/resources.ts';
import { controlResponses } from '../../control/schemas/responses.ts';
import { API_HEADERS } from '../../headers.ts';
import { resourceSchemas } from '../../schemas/resources.ts';
import { componentSchemas } from '../components.ts';
import { componentHeaders } from '../headers.ts';
import { annotate, createNamedSchemas, entitle, type JsonSchema, strictInput } from '../json-schema.ts';
import { describePathParameter, parametersIn } from '../parameters.ts';
import { payloadSchemas } from '../payloads.ts';
import { subjectSchemas } from '../subjects.ts';
import descriptions from './descriptions.json' with { type: 'json' };
import { commonErrorResponses, errorResponsesOf } from './errors.ts';
import { controlExamples, controlPathExamples, timedOutWait } from './examples.ts';
import { controlSamples } from './samples.ts';
import { controlCodeSamples } from './samples-of-code.ts';
import { SUMMARIES } from './summaries.ts';

type Fields = Readonly<Record<string, string>>;

const named = createNamedSchemas({ ...resourceSchemas, ...subjectSchemas, ...payloadSchemas, ...controlResources });

/** Creates the document. The server validates requests with the document's schemas. */
export function createControlDocument(baseUrl: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, operation] of Object.entries(controlOperations) as [ControlOperationName, ControlOperation][]) {
    const samples = controlCodeSamples(name, operation, baseUrl);
    const described = { ...describe(name, operation), 'x-codeSamples': samples };
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: described };
  }
  const responses = commonErrorResponses();
  const { RequestId, RetryAfter, Authenticate } = componentHeaders;
  const headers = { RequestId, RetryAfter, Authenticate };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of the reference server',
      version: '1',
      description:
        'Controls the reference server, for tests and developers. The control API responds only to requests for the host names of the server. Web pages from other origins and webhook deliveries cannot call the control API. Every request other than GET needs `Content-Type: application/json`, even without a body. With `--admin-token`, the API requires the token or an admin session.',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'Workspace Lifecycle Service' },
    },
    servers: [{ url: baseUrl }],
    tags: Object.entries(CONTROL_TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: usedSchemas(paths, responses),
      responses,
      headers,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

/** How callers send their credentials, for each kind of caller that has a credential. */
const SECURITY_SCHEMES: Readonly<Record<Exclude<ControlCaller, 'anyoneWithoutToken'>, object>> = {
  adminToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token of the option `--admin-token`, if the server has this option.',
  },
  adminSession: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The credential of a session that was issued for the admin token. The credential expires after 8 hours.',
  },
};

const securityOf = ({ callers }: ControlOperation) =>
  callers.map((caller) => (caller in SECURITY_SCHEMES ? { [caller]: [] } : {}));

/** Returns the schemas to which the document refers, directly or through other schemas. */
function usedSchemas(...from: object[]): Record<string, JsonSchema> {
  const all: Record<string, JsonSchema> = { ...componentSchemas(), ...resources() };
  const used = new Set<string>();
  const look = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      look(all[name]);
    }
  };
  look(from);
  return Object.fromEntries([...used].toSorted().map((name) => [name, all[name] ?? {}]));
}

const resources = (): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(named.all())
      .filter(([name]) => name in controlResources)
      .map(([name, schema]) => {
        const { about, fields } = descriptions.resources[name as keyof typeof descriptions.resources];
        const examples = controlSamples[name as keyof typeof controlSamples];
        return [name, { ...annotate(schema, fields as Fields, examples), description: about, examples }];
      }),
  );

function describe(name: ControlOperationName, operation: ControlOperation): object {
  const { path, summary, details, tag, status, mediaType = 'application/json' } = operation;
  const { query, body, response } = controlExamples[name] as {
    query?: object;
    body?: readonly unknown[];
    response: readonly unknown[];
  };
  const fields = annotate(named.inline(controlResponses[name]), operationFields, response, `${name}.response.`);
  const schema = entitle(titleOf(name, 'Response'), fields);
  const about = `${name}.response`;
  const headers = { [API_HEADERS.requestId]: { $ref: '#/components/headers/RequestId' } };
  const timedOut = operation.errors?.[408];
  return {
    operationId: name,
    summary,
    description: details,
    tags: [tag],
    security: securityOf(operation),
    parameters: [...pathParameters(path), ...(query ? queryParameters(name, query) : [])],
    ...(body && { requestBody: requestBody(name, operation, body) }),
    responses: {
      ...errorResponsesOf(name, operation, { body: body !== undefined }),
      ...(timedOut && {
        408: {
          description: timedOut,
          headers,
          content: { [mediaType]: { schema, examples: { example1: { summary: timedOut, value: timedOutWait } } } },
        },
      }),
      [status]: {
        description: operationFields[about],
        headers,
        content: { [mediaType]: { schema, examples: examplesOf(about, response) } },
      },
    },
  };
}

/** Returns a schema's title, which code generators use as the type's name. */
const titleOf = (name: ControlOperationName, part: 'Body' | 'Line' | 'Response') =>
  `${name.charAt(0).toUpperCase()}${name.slice(1)}${part}`;

const operationFields: Fields = descriptions.operations;

/** Gives each sample a summary. If there is only one sample, the description of its body or response is the summary. */
function examplesOf(about: string, values: readonly unknown[]): object {
  const summaries = values.length === 1 ? [operationFields[about]] : (SUMMARIES[about] ?? []);
  if (summaries.length !== values.length)
    throw new Error(`${about} has ${values.length} samples. Write a summary for each sample.`);
  return Object.fromEntries(
    values.map((value, index) => [`example${index + 1}`, { summary: summaries[index], value }]),
  );
}

const lineExamples = (lines: readonly unknown[]) =>
  Object.fromEntries(lines.map((value, index) => [`line${index + 1}`, { summary: `Line ${index + 1}.`, value }]));

/** The schema of an NDJSON body describes one line, because OpenAPI 3.1 cannot describe a sequence of lines. */
function requestBody(name: ControlOperationName, { streamed }: ControlOperation, values: readonly unknown[]): object {
  const body: z.ZodType = controlBodies[name as keyof typeof controlBodies];
  const given = strictInput(body);
  const schema = entitle(titleOf(name, 'Body'), annotate(given, operationFields, values, `${name}.body.`));
  const [lines] = values;
  const about = `${name}.body`;
  return {
    description: streamed ? operationFields[about] : `${operationFields[about]} Unknown fields are rejected.`,
    // The server treats a missing body as an empty object.
    required: !body.safeParse({}).success,
    content: {
      'application/json': { schema, examples: examplesOf(about, values) },
      ...(streamed && {
        'application/x-ndjson': {
          schema: entitle(titleOf(name, 'Line'), schema['items'] as JsonSchema),
          examples: lineExamples(lines as readonly unknown[]),
        },
      }),
    },
  };
}

const pathParameters = (path: string) =>
  parametersIn<ControlParameterName>(path).map((name) => describePathParameter(name, controlPathExamples));

function queryParameters(operation: ControlOperationName, samples: object): object[] {
  const schema: z.ZodType = controlQueries[operation as keyof typeof controlQueries];
  // `named.inline` describes the query after parsing, when every parameter with a default is present. Only
  // `strictInput` shows which parameters a caller must send.
  const { properties } = named.inline(schema) as { properties: Record<string, JsonSchema> };
  const required = (strictInput(schema)['required'] ?? []) as string[];
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description: operationFields[`${operation}.query.${name}`],
    schema,
    example: samples[name as keyof typeof samples],
  }));
}
