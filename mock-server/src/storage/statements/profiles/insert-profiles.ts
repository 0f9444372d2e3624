import type { Instant } from '../../../domain/instant.ts';
import { packDays } from '../../../domain/profiles/active-days.ts';
import { indexedWords } from '../../../domain/search.ts';
import { insertRows } from '../../many-rows.ts';
import type { Queries } from '../../port.ts';
import type { StoredProfile } from './find-by-external-ids.ts';

const PROFILE_COLUMNS = {
  id: 'text',
  workspace_id: 'text',
  external_id: 'text',
  first_seen_at: 'bigint',
  active_days: 'text',
  name: 'text',
  email: 'text',
  created_at: 'bigint',
  updated_at: 'bigint',
  words: 'tsvector',
  attributes: 'text',
} as const;

const STATE_COLUMNS = { workspace_id: 'text', profile_id: 'text', last_seen_at: 'bigint' } as const;

/** Inserts new profiles, without results of an evaluation. */
export async function insertProfiles(
  queries: Queries,
  workspaceId: string,
  profiles: readonly StoredProfile[],
  now: Instant,
): Promise<void> {
  await insertRows(
    queries,
    'profiles',
    PROFILE_COLUMNS,
    profiles.map(({ id, externalId, firstSeenAt, activeDays, name, email, attributes }) => [
      id,
      workspaceId,
      externalId,
      firstSeenAt,
      packDays(activeDays),
      name,
      email,
      now,
      now,
      indexedWords(workspaceId, [name, email, externalId]),
      attributes,
    ]),
  );
  await insertRows(
    queries,
    'profile_states',
    STATE_COLUMNS,
    profiles.map(({ id, lastSeenAt }) => [workspaceId, id, lastSeenAt]),
  );
}
