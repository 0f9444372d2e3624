import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { controlOperations } from '../src/control/operations.ts';
import { controlAnswers } from '../src/control/schemas/answers.ts';
import { controlBodies, controlQueries } from '../src/control/schemas/index.ts';
import { controlResources } from '../src/control/schemas/resources.ts';
import { controlExamples } from '../src/openapi/control/examples.ts';
import { controlSamples } from '../src/openapi/control/samples.ts';
import { createControlDocument, createOpenApiDocument } from '../src/openapi.ts';

type Schemas = Readonly<Record<string, z.ZodType>>;

/** The names whose samples a schema refuses. */
const refusedBy = (schemas: Schemas, samples: Readonly<Record<string, readonly unknown[]>>) =>
  Object.entries(schemas)
    .filter(
      ([name, schema]) => !samples[name]?.length || !samples[name].every((value) => schema.safeParse(value).success),
    )
    .map(([name]) => name);

const parts = (part: 'body' | 'answer') =>
  Object.fromEntries(
    Object.entries(controlExamples).map(([name, example]) => [name, (example as never)[part] as readonly unknown[]]),
  );

describe('The samples of the control API', () => {
  test('are what its schemas accept', () => {
    expect(refusedBy(controlResources, controlSamples)).toEqual([]);
    expect(refusedBy(controlAnswers, parts('answer'))).toEqual([]);
    expect(refusedBy(controlBodies, parts('body'))).toEqual([]);
    expect(refusedBy(controlBodies, parts('answer'))).toContain('changeClock');
  });

  test('have a value for each parameter of a query, as it arrives: as text', () => {
    for (const [name, schema] of Object.entries(controlQueries)) {
      const sample = controlExamples[name as keyof typeof controlQueries].query as Record<string, unknown>;
      expect(Object.keys(sample).sort(), name).toEqual(Object.keys(schema.shape).sort());
      const sent = Object.fromEntries(Object.entries(sample).map(([key, value]) => [key, String(value)]));
      expect(schema.parse(sent), name).toEqual(sample);
    }
  });
});

/** Every property in a document's schemas that has no description or no sample, by its place. */
function incomplete(value: unknown, place = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    // Samples have no schemas.
    if (key === 'examples' || key === 'example' || key === 'value') return [];
    const found = incomplete(inner, `${place}/${key}`);
    if (key !== 'properties' || place.endsWith('/properties')) return found;
    const missing = Object.entries(
      inner as Record<string, { description?: string; examples?: unknown[]; $ref?: string; items?: { $ref?: string } }>,
    )
      .filter(
        ([, { description, examples, $ref, items }]) => !description || !($ref ?? items?.$ref ?? examples?.length),
      )
      .map(([name]) => `${place}/${name}`);
    return [...missing, ...found];
  });
}

test('No property of either document lacks a description or a sample', () => {
  for (const create of [createOpenApiDocument, createControlDocument]) {
    expect(incomplete(create('https://api.service.test'))).toEqual([]);
  }
  const schema = {
    properties: { a: { description: 'A.' }, b: { examples: [1] }, c: { description: 'C.', examples: [1] } },
  };
  expect(incomplete({ schema })).toEqual(['/schema/a', '/schema/b']);
});

test('Every operation of the control API has a curl sample that calls its method and path', () => {
  const { paths } = createControlDocument('https://api.service.test') as {
    paths: Record<string, Record<string, { 'x-codeSamples': { label: string; source: string }[] }>>;
  };
  const called = Object.values(controlOperations).map(({ method, path }) => {
    const samples = paths[path]?.[method.toLowerCase()]?.['x-codeSamples'];
    const source = samples?.find(({ label }) => label === 'curl')?.source ?? '';
    const [, url = ''] = /'https:\/\/api\.service\.test([^']*)'$/.exec(source) ?? [];
    const template = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/{}]+')}$`);
    return [/-X (\w+)/.exec(source)?.[1] ?? 'GET', template.test(url) ? path : source];
  });
  expect(called).toEqual(Object.values(controlOperations).map(({ method, path }) => [method, path]));
});
