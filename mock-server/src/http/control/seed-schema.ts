import { createSeedJsonSchema } from '../../storage/seed/json-schema.ts';
import type { ControlHandlers } from './operation.ts';

/** The call that describes seed files. */
export const seedSchemaHandlers = {
  readSeedSchema: async () => createSeedJsonSchema(),
} satisfies Partial<ControlHandlers>;
