import { ID_PREFIXES } from '@svc/contract';
import { type RawBuilder, sql } from 'kysely';
import { lowestBareIdAt, ulidOf } from '../../domain/id-time.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Queries } from '../port.ts';
import type { Database } from '../schema/database.ts';
import { together } from '../together.ts';

const TABLES = [
  'events',
  'deliveries',
  'webhook_endpoints',
  'webhook_secrets',
  'credentials',
  'profiles',
  'evaluations',
] as const;

/** All tables of {@link TABLES}, `notifications`, and the tables whose ids usually come from a seed. */
export const TABLES_WITH_IDS = [...TABLES, 'organizations', 'workspaces', 'users', 'notifications'] as const;

const PREFIX_LENGTH = 4;
/**
 * A seed can set ids that do not have the generated form and are higher than all generated ids. `findLatestId` skips at
 * most this many such ids.
 */
const SET_IDS_MAX = 100;

/** Whether an id consists of only a prefix and a ULID. A seed may set ids of other forms. */
export const hasGeneratedForm = (id: string): boolean => id.length === PREFIX_LENGTH + 26 && ulidOf(id) !== undefined;

/** Finds the highest ULID in use, so that new ids can be higher. Returns `undefined` if no ULID is in use. */
export async function findLatestId(
  queries: Queries,
  tables: readonly (typeof TABLES_WITH_IDS)[number][] = TABLES,
): Promise<string | undefined> {
  const latest: string[] = [];
  const byId = tables.flatMap((table) => {
    const ids = queries.selectFrom(table).select('id').orderBy('id', 'desc');
    if (table !== 'credentials') return [ids];
    const { apiKey, personalAccessToken } = ID_PREFIXES;
    return [apiKey, personalAccessToken].map((prefix) => ids.where('id', '>=', prefix).where('id', '<', `${prefix}~`));
  });
  const highest = await together(byId.map((ids) => ids.limit(1).executeTakeFirst()));
  for (const [index, ids] of byId.entries()) {
    const first = highest[index];
    if (!first) continue;
    // The first character of a ULID is at most 7, so all generated ids are lower than `below`.
    const below = `${first.id.slice(0, PREFIX_LENGTH)}8`;
    const rows = hasGeneratedForm(first.id) ? [first] : await ids.where('id', '<', below).limit(SET_IDS_MAX).execute();
    const id = rows.find((row) => hasGeneratedForm(row.id))?.id;
    if (id !== undefined) latest.push(id.slice(PREFIX_LENGTH));
  }
  return latest.sort().at(-1);
}

/** The rows that one retention step checks: at most `limit` rows, in the order of their ids. */
export interface OldRows {
  /** Rows that were created at this time or later are kept. */
  before: Instant;
  /** Ids with this time or a later time are not checked: their rows were created at `before` or later. */
  idsBefore: Instant;
  /** The last id that the previous step checked, or an empty string for the first step. */
  after: string;
  limit: number;
}

const OLD_ROWS = {
  events: { createdAt: 'created_at', prefix: ID_PREFIXES.event },
  // Replays have no creation time, so all replays count as old. `removeOldReplays` keeps a row if its delivery exists.
  replayed_events: { createdAt: '0', prefix: ID_PREFIXES.event },
  notifications: { createdAt: 'created_at', prefix: ID_PREFIXES.notification },
  evaluations: { createdAt: 'started_at', prefix: 'evl_' },
} as const;

/**
 * Finds rows that were created before `before`. Ignores the time in the ids, because this time may be ahead of the
 * clock. Also returns the last id that was checked, or undefined if no more rows are left to check.
 */
export async function findOldRows(
  queries: Queries,
  table: keyof typeof OLD_ROWS,
  { before, idsBefore, after, limit }: OldRows,
  locking: RawBuilder<unknown> = sql``,
): Promise<{ ids: string[]; last: string | undefined }> {
  const { createdAt, prefix } = OLD_ROWS[table];
  const { rows } = await sql<{ id: string; createdAt: Instant }>`
    select id, ${sql.raw(createdAt)} as "createdAt" from ${sql.table(table)}
    where id > ${after} and id < ${prefix + lowestBareIdAt(idsBefore)} order by id limit ${limit} ${locking}`.execute(
    queries,
  );
  return {
    ids: rows.filter((row) => row.createdAt < before).map(({ id }) => id),
    last: rows.length === limit ? rows.at(-1)?.id : undefined,
  };
}

/** An id is null if the row does not contain it. */
interface PlaceOfId {
  organizationId: string | null;
  workspaceId: string | null;
  /** For a secret or a notification, the endpoint's id. For a token or a user, the user's id. */
  parentId: string | null;
}

const inWorkspace = (table: keyof Database) => `workspace_id as "workspaceId" from ${table}`;
const credential = 'workspace_id as "workspaceId", user_id as "parentId" from credentials';

/** For each kind of id, the SQL after `select` that reads the columns of {@link PlaceOfId}. */
const PLACES = {
  organization: 'id as "organizationId" from organizations',
  workspace: 'id as "workspaceId", organization_id as "organizationId" from workspaces',
  user: 'id as "parentId" from users',
  webhook_endpoint: inWorkspace('webhook_endpoints'),
  webhook_secret: `endpoint_id as "parentId",
    (select workspace_id from webhook_endpoints where id = endpoint_id) as "workspaceId" from webhook_secrets`,
  webhook_delivery: inWorkspace('deliveries'),
  event: `workspace_id as "workspaceId"
    from (select id, workspace_id from events union all select id, workspace_id from replayed_events) as event`,
  profile: inWorkspace('profiles'),
  evaluation: inWorkspace('evaluations'),
  api_key: credential,
  personal_access_token: credential,
  notification: 'workspace_id as "workspaceId", endpoint_id as "parentId" from notifications',
};

export type KindOfId = keyof typeof PLACES;

export async function findPlaceOfId(queries: Queries, kind: KindOfId, id: string): Promise<PlaceOfId | undefined> {
  const { rows } = await sql<Partial<PlaceOfId>>`select ${sql.raw(PLACES[kind])} where id = ${id}`.execute(queries);
  return rows[0] && { organizationId: null, workspaceId: null, parentId: null, ...rows[0] };
}
