import type { Instant } from '../../../domain/instant.ts';
import { packDays } from '../../../domain/profiles/active-days.ts';
import { indexedWords } from '../../../domain/search.ts';
import { type Row, runForRows, updateRows } from '../../many-rows.ts';
import type { Queries } from '../../port.ts';
import type { StoredProfile } from './find-by-external-ids.ts';

/** A profile before and after an upsert. */
export interface ProfileChange {
  before: StoredProfile;
  after: StoredProfile;
}

const SEEN_COLUMNS = { first_seen_at: 'bigint', active_days: 'text', updated_at: 'bigint', id: 'text' } as const;
const TEXT_COLUMNS = {
  name: 'text',
  email: 'text',
  words: 'tsvector',
  attributes: 'text',
  updated_at: 'bigint',
  id: 'text',
} as const;
const LAST_SEEN_COLUMNS = { last_seen_at: 'bigint', workspace_id: 'text', profile_id: 'text' } as const;

/**
 * Updates profiles. The most common change is one more active day. It changes neither the texts nor the index of words.
 */
export async function updateProfiles(
  queries: Queries,
  workspaceId: string,
  changes: readonly ProfileChange[],
  now: Instant,
): Promise<void> {
  const seen: Row[] = [];
  const texts: Row[] = [];
  const lastSeen: Row[] = [];
  for (const { before, after } of changes) {
    const { id, name, email, externalId, attributes } = after;
    const isSeenAgain = after.lastSeenAt !== before.lastSeenAt;
    if (isSeenAgain || after.activeDays !== before.activeDays || after.firstSeenAt !== before.firstSeenAt)
      seen.push([after.firstSeenAt, packDays(after.activeDays), now, id]);
    if (isSeenAgain) lastSeen.push([after.lastSeenAt, workspaceId, id]);
    if (name !== before.name || email !== before.email || attributes !== before.attributes)
      texts.push([name, email, indexedWords(workspaceId, [name, email, externalId]), attributes, now, id]);
  }
  await updateRows(queries, 'profiles', SEEN_COLUMNS, seen);
  await updateRows(queries, 'profiles', TEXT_COLUMNS, texts);
  await runForRows(queries, LAST_SEEN_COLUMNS, lastSeen, {
    sqlite: 'update profile_states set last_seen_at = ? where workspace_id = ? and profile_id = ?',
    postgres: (given) => `update profile_states set last_seen_at = given.last_seen_at from ${given}
      where profile_states.workspace_id = given.workspace_id and profile_states.profile_id = given.profile_id`,
  });
}
