import { hashCredential } from '../../domain/credential.ts';
import { findCredential } from '../../storage/statements/credentials.ts';
import type { Services } from '../services.ts';
import type { ControlHandlers } from './operation.ts';

/** The call that describes the server. */
export const infoHandlers = {
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
} satisfies Partial<ControlHandlers>;

/**
 * Seed credentials that are still valid. Some credentials may have been revoked, and another server may have wiped the
 * data.
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
