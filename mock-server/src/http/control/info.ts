import { z } from 'zod';
import type { ServerInfo } from '../../control/index.ts';
import { hashCredential } from '../../domain/credential.ts';
import { findCredential } from '../../storage/statements/find-credential.ts';
import type { Services } from '../services.ts';
import { controlOperation } from './operation.ts';

const info = z.object({
  version: z.string(),
  profile: z.enum(['local', 'strict']),
  database: z.enum(['sqlite', 'postgresql']),
  roles: z.array(z.string()),
  publicUrl: z.string(),
  instanceId: z.string(),
  credentials: z.array(
    z.object({
      kind: z.string(),
      name: z.string(),
      credential: z.string(),
      workspaceId: z.string().nullable(),
      role: z.string().nullable(),
    }),
  ),
}) satisfies z.ZodType<ServerInfo>;

const readInfo = controlOperation({
  method: 'GET',
  path: '/_control/info',
  summary: 'Describe this server',
  description: 'In the local profile, the response contains the valid credentials of the seed.',
  status: 200,
  answer: info,
  async handle({ services }): Promise<ServerInfo> {
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
});

/** Seed credentials that are still valid. Some may have been revoked, and another server may have wiped the data. */
async function credentialsInForce({ about, storage }: Services) {
  return await storage.read(async (queries) => {
    const inForce = [];
    for (const known of about.credentials()) {
      if (await findCredential(queries, hashCredential(known.credential))) inForce.push(known);
    }
    return inForce;
  });
}

/** The call that describes the server. */
export const infoOperations = [readInfo];
