import { SNAPSHOT_NAME } from '@svc/contract/control';
import { hashCredential } from '../../domain/credential.ts';
import { createSeedJsonSchema } from '../../storage/seed/schema.ts';
import { findCredential } from '../../storage/statements/credentials.ts';
import { deleteSnapshot, listSnapshots, UnreadableSnapshotError } from '../../storage/statements/snapshots.ts';
import { conflict, notFound, validation } from '../errors.ts';
import { toTimestamp } from '../present.ts';
import type { Services } from '../services.ts';
import type { ControlHandlers } from './operation.ts';

export const serverHandlers = {
  async readInfo({ services }) {
    const { about, local, roles } = services;
    return {
      version: about.version(),
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
    // Load the document only on request, because it is large.
    const { createControlDocument } = await import('@svc/contract/openapi');
    return createControlDocument(services.publicUrl());
  },

  async reset({ services, body: { seed }, signal }) {
    const credentials = await services.reset(seed, signal);
    // Clear the request log, because its requests name workspaces, credentials and faults that no longer exist.
    services.requestLog.clear();
    return { credentials };
  },

  async saveSnapshot({ services: { snapshots }, params: { name } }) {
    await snapshots.save(nameOrThrow(name));
    return { ok: true };
  },

  async restoreSnapshot({ services: { snapshots }, params: { name }, signal }) {
    try {
      if (!(await snapshots.restore(nameOrThrow(name), signal))) throw notFound('snapshot', name);
    } catch (error) {
      if (!(error instanceof UnreadableSnapshotError)) throw error;
      throw conflict(`The snapshot cannot be restored, and nothing was changed. ${error.message}`);
    }
    return { ok: true };
  },

  async listSnapshots({ services: { storage } }) {
    const rows = await storage.read(listSnapshots);
    return { snapshots: rows.map(({ name, created_at }) => ({ name, createdAt: toTimestamp(created_at) })) };
  },

  async deleteSnapshot({ services: { storage }, params: { name } }) {
    if (!(await storage.write((queries) => deleteSnapshot(queries, name)))) throw notFound('snapshot', name);
    return { ok: true };
  },
} satisfies Partial<ControlHandlers>;

/** Returns the known credentials that still work: a credential from the seed may have been revoked or deleted. */
async function credentialsInForce({ about, storage }: Pick<Services, 'about' | 'storage'>) {
  return await storage.read(async (queries) => {
    const inForce = [];
    for (const known of about.credentials()) {
      if (await findCredential(queries, hashCredential(known.credential))) inForce.push(known);
    }
    return inForce;
  });
}

const NAME = new RegExp(SNAPSHOT_NAME);

function nameOrThrow(name: string): string {
  if (NAME.test(name)) return name;
  throw validation(
    'A snapshot name must start with a letter or digit and have at most 100 letters, digits, dots, hyphens or underscores.',
  );
}
