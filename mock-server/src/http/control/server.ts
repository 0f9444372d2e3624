import { hashCredential } from '../../domain/credential.ts';
import { createSeedJsonSchema } from '../../storage/seed/schema.ts';
import { findCredential } from '../../storage/statements/credentials.ts';
import type { Services } from '../services.ts';
import type { ControlHandlers } from './operation.ts';

/** The calls for the server itself. */
export const serverHandlers = {
  async readInfo({ services }) {
    const { about, local, roles } = services;
    return {
      version: about.version,
      profile: local ? 'local' : 'strict',
      database: about.database,
      roles: [...roles],
      publicUrl: services.publicUrl(),
      instanceId: about.instanceId,
      credentials: local ? await credentialsInForce(services) : [],
    };
  },

  readSeedSchema: async () => createSeedJsonSchema(),

  async readOpenApi({ services }) {
    // Load the document only when it is requested, because its texts and examples are large.
    const { createControlDocument } = await import('@svc/contract/openapi');
    return createControlDocument(services.publicUrl());
  },

  reset: async ({ services, body: { seed } }) => ({ credentials: await services.reset(seed) }),
} satisfies Partial<ControlHandlers>;

/**
 * Returns the seed's credentials that are still valid. Some credentials may have been revoked, or another server may
 * have replaced the data.
 */
async function credentialsInForce({ about, storage }: Services) {
  return await storage.read(async (queries) => {
    const inForce = [];
    for (const known of about.credentials()) {
      if (await findCredential(queries, hashCredential(known.credential))) inForce.push(known);
    }
    return inForce;
  });
}
