import { z } from 'zod';
import { deleteSnapshot } from '../../storage/statements/delete-snapshot.ts';
import { listSnapshots } from '../../storage/statements/list-snapshots.ts';
import { notFound, validation } from '../errors.ts';
import { toTimestamp } from '../present/timestamp.ts';
import { controlOperation } from './operation.ts';

const ok = z.object({ ok: z.literal(true) });
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

function nameOrThrow(name: string | undefined): string {
  if (name !== undefined && NAME.test(name)) return name;
  throw validation('The name of a snapshot has 1 to 100 letters, digits, dots, hyphens or underscores.');
}

const save = controlOperation({
  method: 'POST',
  path: '/_control/snapshots/{name}',
  summary: 'Save all data under a name; replaces an older snapshot with that name',
  status: 200,
  answer: ok,
  async handle({ services: { snapshots }, params: { name } }) {
    await snapshots.save(nameOrThrow(name));
    return { ok: true };
  },
});

const restore = controlOperation({
  method: 'POST',
  path: '/_control/snapshots/{name}/restore',
  summary: 'Restore all data from a snapshot, including the clock and the faults; all of it or nothing',
  status: 200,
  answer: ok,
  refusals: { 404: 'No such snapshot.' },
  async handle({ services: { snapshots }, params: { name } }) {
    if (!(await snapshots.restore(nameOrThrow(name)))) throw notFound('snapshot', String(name));
    return { ok: true };
  },
});

const list = controlOperation({
  method: 'GET',
  path: '/_control/snapshots',
  summary: 'The snapshots, by name',
  status: 200,
  answer: z.object({ snapshots: z.array(z.object({ name: z.string(), createdAt: z.string() })) }),
  async handle({ services: { storage } }) {
    const rows = await storage.read(listSnapshots);
    return { snapshots: rows.map(({ name, created_at }) => ({ name, createdAt: toTimestamp(created_at) })) };
  },
});

const remove = controlOperation({
  method: 'DELETE',
  path: '/_control/snapshots/{name}',
  summary: 'Delete a snapshot',
  status: 200,
  answer: ok,
  refusals: { 404: 'No such snapshot.' },
  async handle({ services: { storage }, params: { name = '' } }) {
    if (!(await storage.write((queries) => deleteSnapshot(queries, name)))) throw notFound('snapshot', name);
    return { ok: true };
  },
});

/** The calls that save and restore all data. */
export const snapshotOperations = [save, restore, list, remove];
