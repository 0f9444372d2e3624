import { beginSession, endSessions } from '../../../src/storage/delivery/node-sessions.ts';
import type { Storage } from '../../../src/storage/port.ts';

/** The sessions in the database, in the order of their ids. */
export const sessionsIn = (storage: Storage) =>
  storage.read(async (queries) => {
    const rows = await queries.selectFrom('delivery_nodes').select('id').orderBy('id').execute();
    return rows.map(({ id }) => id);
  });

/** The session that holds each lane, or null. */
export const holdersIn = (storage: Storage) =>
  storage.read(async (queries) => {
    const rows = await queries.selectFrom('delivery_lanes').select('node').orderBy('endpoint_id').execute();
    return rows.map(({ node }) => node);
  });

/** Begins the session of a node that only exists in the database. */
export const beginOther = (storage: Storage, id = 'other') => storage.write((queries) => beginSession(queries, id));

/** Another node ends the sessions of all nodes and claims all lanes. */
export const takeAllLanes = (storage: Storage, id = 'other') =>
  storage.write(async (queries) => {
    await endSessions(queries);
    await beginSession(queries, id);
    await queries.updateTable('delivery_lanes').set({ node: id }).execute();
  });

/** Ends the session of a node, so that its lanes are free. */
export const endOther = (storage: Storage, id = 'other') => storage.write((queries) => endSessions(queries, [id]));
