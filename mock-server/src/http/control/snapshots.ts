import { deleteSnapshot, listSnapshots } from '../../storage/statements/snapshots.ts';
import { notFound, validation } from '../errors.ts';
import { toTimestamp } from '../present/timestamp.ts';
import type { ControlHandlers } from './operation.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

function nameOrThrow(name: string | undefined): string {
  if (name !== undefined && NAME.test(name)) return name;
  throw validation(
    'A snapshot name must start with a letter or digit and have at most 100 letters, digits, dots, hyphens or underscores.',
  );
}

/** The calls that save and restore all data. */
export const snapshotHandlers = {
  async saveSnapshot({ services: { snapshots }, params: { name } }) {
    await snapshots.save(nameOrThrow(name));
    return { ok: true };
  },

  async restoreSnapshot({ services: { snapshots }, params: { name } }) {
    if (!(await snapshots.restore(nameOrThrow(name)))) throw notFound('snapshot', String(name));
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
