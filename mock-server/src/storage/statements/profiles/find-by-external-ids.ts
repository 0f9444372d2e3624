import { unpackDays } from '../../../domain/profiles/active-days.ts';
import type { ProfileData } from '../../../domain/profiles/merge-profile.ts';
import { runForRows } from '../../many-rows.ts';
import type { Queries } from '../../port.ts';

/** A profile that is stored, without what evaluations made of it. */
export interface StoredProfile extends ProfileData {
  id: string;
}

type Row = Omit<StoredProfile, 'activeDays'> & { days: string };

const SHOWN = `profiles.id, profiles.external_id as "externalId", profiles.name, profiles.email, profiles.attributes,
  profiles.first_seen_at as "firstSeenAt", profile_states.last_seen_at as "lastSeenAt", profiles.active_days as days`;
const STATES = `join profile_states on profile_states.workspace_id = profiles.workspace_id
  and profile_states.profile_id = profiles.id`;

/** Finds profiles of a workspace by the keys of an upsert: a seek for each in the index of the keys. */
export async function findByExternalIds(
  queries: Queries,
  workspaceId: string,
  externalIds: readonly string[],
): Promise<StoredProfile[]> {
  const keys = externalIds.map((key) => [workspaceId, key]);
  const rows = await runForRows<Row>(queries, { workspace: 'text', key: 'text' }, keys, {
    sqlite: `select ${SHOWN} from profiles ${STATES} where profiles.workspace_id = ? and profiles.external_id = ?`,
    postgres: (given) => `select ${SHOWN} from ${given}
      join profiles on profiles.workspace_id = given.workspace and profiles.external_id = given.key ${STATES}`,
  });
  return rows.map(({ days, ...profile }) => ({ ...profile, activeDays: unpackDays(days) }));
}
