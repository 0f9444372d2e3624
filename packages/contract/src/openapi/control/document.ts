import type { z } from 'zod';
import type { ControlOperationName } from '../../control/operation-types.ts';
import { CONTROL_TAGS, type ControlOperation, controlOperations } from '../../control/operations.ts';
import { controlAnswers } from '../../control/schemas/answers.ts';
import { controlBodies } from '../../control/schemas/bodies.ts';
import { controlQueries } from '../../control/schemas/queries.ts';
import { controlResources } from '../../control/schemas/resources.ts';
import { resourceSchemas } from '../../schemas/resources.ts';
import { componentSchemas } from '../components.ts';
import { annotate, createNamedSchemas, type JsonSchema, strictInput } from '../json-schema.ts';
import { payloadSchemas, subjectSchemas } from '../payloads.ts';
import descriptions from './descriptions.json' with { type: 'json' };
import { errorResponsesOf } from './errors.ts';
import { controlExamples, controlPathExamples } from './examples.ts';
import { controlSamples } from './samples.ts';
import { controlCodeSamples } from './samples-of-code.ts';

type Fields = Readonly<Record<string, string>>;

const named = createNamedSchemas({ ...resourceSchemas, ...subjectSchemas, ...payloadSchemas, ...controlResources });

/** Creates the OpenAPI 3.1 document of the control API, from the table and the schemas that also validate its calls. */
export function createControlDocument(baseUrl: string): object {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, operation] of Object.entries(controlOperations) as [ControlOperationName, ControlOperation][]) {
    const samples = controlCodeSamples(name, operation, baseUrl);
    const described = { ...describe(name, operation), 'x-codeSamples': samples };
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: described };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of the reference server',
      version: '1',
      description:
        'Controls the reference server, for tests and developers. It works only under its own host names. Other web pages cannot call it, and deliveries cannot. Every request other than GET needs `Content-Type: application/json`, also without a body. With `--admin-token`, it requires the token or an admin session.',
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'Workspace Lifecycle Service' },
    },
    servers: [{ url: baseUrl }],
    tags: Object.entries(CONTROL_TAGS).map(([name, description]) => ({ name, description })),
    security: [{ adminToken: [] }, {}],
    paths,
    components: {
      schemas: usedSchemas(paths),
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

/** The named schemas that the paths refer to, and those that they refer to. */
function usedSchemas(paths: object): Record<string, JsonSchema> {
  const all: Record<string, JsonSchema> = { ...componentSchemas(), ...resources() };
  const used = new Set<string>();
  const look = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      look(all[name]);
    }
  };
  look(paths);
  return Object.fromEntries([...used].toSorted().map((name) => [name, all[name] ?? {}]));
}

/** The resources of the control API with their descriptions and samples. */
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
  const { query, body, answer } = controlExamples[name] as {
    query?: object;
    body?: readonly unknown[];
    answer: readonly unknown[];
  };
  const schema = annotate(named.inline(controlAnswers[name]), operationFields, answer, `${name}.answer.`);
  const content = { [mediaType]: { schema, examples: examplesOf(answer) } };
  return {
    operationId: name,
    summary,
    description: details,
    tags: [tag],
    parameters: [...pathParameters(path), ...(query ? queryParameters(name, query) : [])],
    ...(body && { requestBody: requestBody(name, operation, body) }),
    responses: {
      [status]: { description: `${summary}: success.`, content },
      ...(operation.errors?.[408] && { 408: { description: operation.errors[408], content } }),
      ...errorResponsesOf(name, operation),
    },
  };
}

const operationFields: Fields = descriptions.operations;

const examplesOf = (values: readonly unknown[]) =>
  Object.fromEntries(
    values.map((value, index) => [`example${index + 1}`, { summary: `Example ${index + 1}.`, value }]),
  );

/** OpenAPI 3.1 describes a line of NDJSON by its item. */
function requestBody(name: ControlOperationName, { streamed }: ControlOperation, values: readonly unknown[]): object {
  const given = strictInput(controlBodies[name as keyof typeof controlBodies]);
  const schema = annotate(given, operationFields, values, `${name}.body.`);
  const [lines] = values;
  return {
    description: streamed ? 'The items, in either format.' : 'What to send. Unknown fields are rejected.',
    required: JSON.stringify(given).includes('"required"'),
    content: {
      'application/json': { schema, examples: examplesOf(values) },
      ...(streamed && {
        'application/x-ndjson': { schema: schema['items'], examples: examplesOf(lines as readonly unknown[]) },
      }),
    },
  };
}

const pathParameters = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: name === 'name' ? 'The name of the snapshot.' : `Id of the ${name.replace(/Id$/, '')}.`,
    schema: { type: 'string' },
    example: controlPathExamples[name],
  }));

function queryParameters(operation: ControlOperationName, samples: object): object[] {
  const schema: z.ZodType = controlQueries[operation as keyof typeof controlQueries];
  // A parameter arrives as text. Its bounds are those of its value, but one with a default can be left out.
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
