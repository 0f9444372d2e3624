import type { Instant } from '../../../domain/instant.ts';
import { calendarOf } from '../../../domain/profiles/calendar.ts';
import { mergeProfile } from '../../../domain/profiles/merge-profile.ts';
import type { ProfileInput } from '../../../domain/profiles/profile-input.ts';
import type { Ids } from '../../../runtime/ids.ts';
import type { Queries } from '../../port.ts';
import { findWorkspace } from '../find-workspace.ts';
import { findByExternalIds, type StoredProfile } from './find-by-external-ids.ts';
import { insertProfiles } from './insert-profiles.ts';
import { lockLifecycle, saveLifecycle } from './lifecycle-row.ts';
import { type ProfileChange, updateProfiles } from './update-profiles.ts';

/** The outcome for each input, in the same order. */
export type UpsertOutcome = 'created' | 'updated' | 'unchanged' | { problem: string };

/** A profile. A seed may set its id. */
export type NewProfileInput = ProfileInput & { id?: string | undefined };

export interface Upsert {
  workspaceId: string;
  /** Merged in order, even if the same key occurs twice. */
  inputs: readonly NewProfileInput[];
  now: Instant;
}

/**
 * Upserts a batch of profiles in the caller's transaction. Two statements read, and a few write the changes. The first
 * profile of a workspace schedules its evaluations.
 */
export async function upsertProfiles(
  queries: Queries,
  ids: Ids,
  { workspaceId, inputs, now }: Upsert,
): Promise<UpsertOutcome[]> {
  const lifecycle = await lockLifecycle(queries, workspaceId);
  const calendar = calendarOf((await findWorkspace(queries, workspaceId))?.timezone ?? null);
  const keys = [...new Set(inputs.map(({ externalId }) => externalId))];
  const stored = await findByExternalIds(queries, workspaceId, keys);
  const before = new Map(stored.map((profile) => [profile.externalId, profile]));
  const after = new Map(before);
  const outcomes = inputs.map((input): UpsertOutcome => {
    const skipped = input.activeDays?.find((day) => !calendar.has(day));
    if (skipped !== undefined)
      return { problem: `"activeDays" has ${skipped}, a day that the workspace's time zone skipped.` };
    const known = after.get(input.externalId);
    const merged = mergeProfile(known, input, now, calendar);
    if (merged === known) return 'unchanged';
    after.set(input.externalId, { ...merged, id: known?.id ?? input.id ?? ids.next('profile') });
    return known ? 'updated' : 'created';
  });
  const created: StoredProfile[] = [];
  const changes: ProfileChange[] = [];
  for (const [key, profile] of after) {
    const old = before.get(key);
    if (!old) created.push(profile);
    else if (old !== profile) changes.push({ before: old, after: profile });
  }
  await insertProfiles(queries, workspaceId, created, now);
  await updateProfiles(queries, workspaceId, changes, now);
  if (created.length > 0 && lifecycle.next_evaluation_at === null)
    await saveLifecycle(queries, { ...lifecycle, next_evaluation_at: calendar.nextStartAfter(now) });
  return outcomes;
}
