import { z } from 'zod';
import { createSeedJsonSchema } from '../../storage/seed/json-schema.ts';
import { controlOperation } from './operation.ts';

const readSeedSchema = controlOperation({
  method: 'GET',
  path: '/_control/seed.schema.json',
  summary: 'Show the JSON Schema of seed files, for editors',
  status: 200,
  answer: z.record(z.string(), z.unknown()),
  handle: async () => createSeedJsonSchema(),
});

/** The call that describes seed files. */
export const seedSchemaOperations = [readSeedSchema];
