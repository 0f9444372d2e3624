import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { controlBodies, controlQueries } from '../src/control/schemas/index.ts';
import { controlResources } from '../src/control/schemas/resources.ts';
import { controlResponses } from '../src/control/schemas/responses.ts';
import { controlExamples } from '../src/openapi/control/examples.ts';
import { controlSamples } from '../src/openapi/control/samples.ts';

type Schemas = Readonly<Record<string, z.ZodType>>;

/** The names whose samples a schema refuses. */
const refusedBy = (schemas: Schemas, samples: Readonly<Record<string, readonly unknown[]>>) =>
  Object.entries(schemas)
    .filter(
      ([name, schema]) => !samples[name]?.length || !samples[name].every((value) => schema.safeParse(value).success),
    )
    .map(([name]) => name);

const parts = (part: 'body' | 'response') =>
  Object.fromEntries(
    Object.entries(controlExamples).map(([name, example]) => [name, (example as never)[part] as readonly unknown[]]),
  );

describe('The samples of the control API', () => {
  test('are what its schemas accept', () => {
    expect(refusedBy(controlResources, controlSamples)).toEqual([]);
    expect(refusedBy(controlResponses, parts('response'))).toEqual([]);
    expect(refusedBy(controlBodies, parts('body'))).toEqual([]);
    expect(refusedBy(controlBodies, parts('response'))).toContain('changeClock');
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
