import { createSeedJsonSchema } from '../../storage/seed/schema.ts';
import type { ControlHandlers } from './operation.ts';

/** The calls that show documents for tools. */
export const documentHandlers = {
  readSeedSchema: async () => createSeedJsonSchema(),

  async readOpenApi({ services }) {
    // Loaded on demand, because its texts and samples are large.
    const { createControlDocument } = await import('@svc/contract/openapi');
    return createControlDocument(services.publicUrl());
  },
} satisfies Partial<ControlHandlers>;
