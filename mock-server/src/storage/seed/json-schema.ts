import { z } from 'zod';
import { seedSchema } from './schema.ts';

/** The JSON Schema of seed files, for editors. It comes from the schema that checks them. */
export function createSeedJsonSchema(): Record<string, unknown> {
  return {
    ...z.toJSONSchema(seedSchema, { io: 'input', unrepresentable: 'any', target: 'draft-07' }),
    title: 'Seed of @svc/mock-server',
  };
}
