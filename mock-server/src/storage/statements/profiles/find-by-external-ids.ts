import { unpackDays } from '../../../domain/profiles/active-days.ts';
import type { ProfileData } from '../../../domain/profiles/merge-profile.ts';
import { runForRows } from '../../many-rows.ts';
import type { Queries } from '../../port.ts';

/** A stored profile, without results of evaluations. */
export interface StoredProfile extends ProfileData {
  id: string;
}

type Row = Omit<StoredProfile, 'activeDays'> & { days: string };

const SHOWN = `profiles.id, profiles.external_id as "externalId", profiles.name, profiles.email, profiles.attributes,
  profiles.first_seen_at as "firstSeenAt", profile_states.last_seen_at as "lastSeenAt", profiles.active_days as days`;

/** Finds profiles of a workspace by the keys of an upsert. One index look-up for each key. */
export async function findByExternalIds(
  queries: Queries,
  workspaceId: string,
  externalIds: readonly string[],
): Promise<StoredProfile[]> {
  const keys = externalIds.map((key) => [workspaceId, key]);
  const rows = await runForRows<Row>(queries, { workspace: 'text', key: 'text' }, keys, {
    sqlite: `select ${SHOWN} from profiles join profile_states
      on profile_states.workspace_id = profiles.workspace_id and profile_states.profile_id = profiles.id
      where profiles.workspace_id = ? and profiles.external_id = ?`,
    // A prepared statement keeps its plan from when there were few profiles. Only one index of each table has the
    // requested order, so every plan uses that index.
    postgres: (given) => `select ${SHOWN} from ${given}
      cross join lateral (select * from profiles
        where workspace_id = given.workspace and external_id >= given.key order by external_id limit 1) as profiles
      cross join lateral (select profile_id, last_seen_at from profile_states
        where workspace_id = profiles.workspace_id and profile_id >= profiles.id order by profile_id limit 1
        ) as profile_states
      where profiles.external_id = given.key and profile_states.profile_id = profiles.id`,
  });
  return rows.map(({ days, ...profile }) => ({ ...profile, activeDays: unpackDays(days) }));
}
