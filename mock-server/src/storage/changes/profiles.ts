import type { Instant } from '../../domain/instant.ts';
import { packDays, unpackDays } from '../../domain/profiles/active-days.ts';
import { calendarOf } from '../../domain/profiles/calendar.ts';
import {
  mergeProfiles,
  type ProfileChange,
  type SeededInput,
  type StoredProfile,
} from '../../domain/profiles/merge-profile.ts';
import { indexedWords, SEARCHED_FIELDS, searchedTexts } from '../../domain/search.ts';
import type { Ids } from '../../runtime/ids.ts';
import { isPostgres, lockingRows } from '../dialect.ts';
import { type ColumnsOf, insertRows, runForRows, updateRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';
import type { LifecycleTable } from '../schema/profiles.ts';
import { saveLifecycle, selectLifecycle } from '../statements/profiles/lifecycles.ts';
import { rowNumbers } from '../statements/profiles/row-numbers.ts';
import { type EvaluatedProfile, hasProfiles, MEASURED } from '../statements/profiles/states.ts';
import { findWorkspace } from '../statements/workspaces.ts';

/**
 * Locks a workspace's row until the transaction ends, and creates the row if it does not exist. Every transaction that
 * writes profiles of a workspace locks this row first, so these transactions cannot deadlock.
 */
export async function lockLifecycle(queries: Queries, workspaceId: string): Promise<LifecycleTable> {
  const locked = selectLifecycle(queries, workspaceId).modifyEnd(lockingRows(queries));
  const known = await locked.executeTakeFirst();
  if (known) return known;
  await queries
    .insertInto('lifecycles')
    .values({ workspace_id: workspaceId, next_trigger: 'schedule', lease_token: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return await locked.executeTakeFirstOrThrow();
}

type FoundRow = Omit<StoredProfile, 'activeDays'> & { days: string };

const SHOWN = `profiles.id, profiles.external_id as "externalId", profiles.name, profiles.email, profiles.attributes,
  profiles.first_seen_at as "firstSeenAt", profile_states.last_seen_at as "lastSeenAt", profiles.active_days as days`;

async function findByExternalIds(
  queries: Queries,
  workspaceId: string,
  externalIds: readonly string[],
): Promise<StoredProfile[]> {
  const columns: ColumnsOf<string> = { workspace: ['text', () => workspaceId], key: ['text', (key) => key] };
  const rows = await runForRows<string, FoundRow>(queries, columns, externalIds, {
    sqlite: `select ${SHOWN} from profiles join profile_states
      on profile_states.workspace_id = profiles.workspace_id and profile_states.profile_id = profiles.id
      where profiles.workspace_id = ? and profiles.external_id = ?`,
    // Each `order by` fits only one index, so PostgreSQL uses this index even if it made the plan when there were few
    // profiles.
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

const SEEN: ColumnsOf<StoredProfile> = {
  first_seen_at: ['bigint', ({ firstSeenAt }) => firstSeenAt],
  active_days: ['text', ({ activeDays }) => packDays(activeDays)],
};

const LAST_SEEN: ColumnsOf<StoredProfile> = { last_seen_at: ['bigint', ({ lastSeenAt }) => lastSeenAt] };

const textsOf = (workspaceId: string): ColumnsOf<StoredProfile> => ({
  name: ['text', ({ name }) => name],
  email: ['text', ({ email }) => email],
  words: ['tsvector', (profile) => indexedWords(workspaceId, searchedTexts(profile))],
  attributes: ['text', ({ attributes }) => attributes],
});

const stateKeyOf = (workspaceId: string): ColumnsOf<StoredProfile> => ({
  workspace_id: ['text', () => workspaceId],
  profile_id: ['text', ({ id }) => id],
});

async function insertProfiles(
  queries: Queries,
  workspaceId: string,
  profiles: readonly StoredProfile[],
  { now, isGenerated }: { now: Instant; isGenerated: (id: string) => boolean },
): Promise<void> {
  const ids = profiles.map(({ id }) => id);
  const seq = isPostgres(queries) ? undefined : await rowNumbers(queries, ids, isGenerated);
  await insertRows(queries, 'profiles', profiles, {
    ...(seq && { seq: ['integer', ({ id }) => seq.get(id) ?? null] }),
    id: ['text', ({ id }) => id],
    workspace_id: ['text', () => workspaceId],
    external_id: ['text', ({ externalId }) => externalId],
    created_at: ['bigint', () => now],
    updated_at: ['bigint', () => now],
    ...SEEN,
    ...textsOf(workspaceId),
  });
  await insertRows(queries, 'profile_states', profiles, { ...stateKeyOf(workspaceId), ...LAST_SEEN });
}

/** Most updates change only days or times, and such updates write neither the strings nor the index of words. */
async function updateProfiles(
  queries: Queries,
  workspaceId: string,
  changes: readonly ProfileChange[],
  now: Instant,
): Promise<void> {
  const changedIn = (...names: (keyof StoredProfile)[]) =>
    changes.filter(({ before, after }) => names.some((name) => after[name] !== before[name])).map(({ after }) => after);
  const update = (changed: readonly StoredProfile[], set: ColumnsOf<StoredProfile>) =>
    updateRows(queries, 'profiles', changed, {
      set: { ...set, updated_at: ['bigint', () => now] },
      key: { id: ['text', ({ id }) => id] },
    });
  await update(changedIn('firstSeenAt', 'lastSeenAt', 'activeDays'), SEEN);
  await update(changedIn(...SEARCHED_FIELDS, 'attributes'), textsOf(workspaceId));
  const key = stateKeyOf(workspaceId);
  await updateRows(queries, 'profile_states', changedIn('lastSeenAt'), { set: LAST_SEEN, key });
}

interface Upsert {
  workspaceId: string;
  inputs: readonly SeededInput[];
  now: Instant;
}

/** Stores profiles, and returns each input's outcome. The first profile also schedules the workspace's evaluations. */
export async function upsertProfiles(queries: Queries, ids: Ids, { workspaceId, inputs, now }: Upsert) {
  const lifecycle = await lockLifecycle(queries, workspaceId);
  const calendar = calendarOf((await findWorkspace(queries, workspaceId))?.timezone ?? null);
  const keys = [...new Set(inputs.map(({ externalId }) => externalId))];
  const stored = await findByExternalIds(queries, workspaceId, keys);
  const before = new Map(stored.map((profile) => [profile.externalId, profile]));
  const { outcomes, created, changes } = mergeProfiles(before, inputs, {
    now,
    calendar,
    newId: () => ids.next('profile'),
  });
  const setIds = new Set(inputs.map(({ id }) => id));
  await insertProfiles(queries, workspaceId, created, { now, isGenerated: (id) => !setIds.has(id) });
  await updateProfiles(queries, workspaceId, changes, now);
  if (created.length > 0 && lifecycle.next_evaluation_at === null)
    await saveLifecycle(queries, { ...lifecycle, next_evaluation_at: calendar.nextStartAfter(now) });
  return outcomes;
}

/** Returns whether the profile existed. Deleting the last profile cancels the workspace's next evaluation. */
export async function deleteProfile(queries: Queries, workspaceId: string, id: string): Promise<boolean> {
  const lifecycle = await lockLifecycle(queries, workspaceId);
  const { numDeletedRows } = await queries
    .deleteFrom('profile_states')
    .where('workspace_id', '=', workspaceId)
    .where('profile_id', '=', id)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return false;
  await queries.deleteFrom('profiles').where('id', '=', id).execute();
  if (!(await hasProfiles(queries, workspaceId)))
    await saveLifecycle(queries, { ...lifecycle, next_evaluation_at: null });
  return true;
}

/** Writes the column `state` only if the state has changed, because the column has an index. */
export async function updateStates(
  queries: Queries,
  evaluation: { id: string; workspaceId: string; at: Instant },
  profiles: readonly EvaluatedProfile[],
): Promise<void> {
  const set: ColumnsOf<EvaluatedProfile> = {
    ...MEASURED,
    previous_state: ['text', ({ previousState }) => previousState],
    evaluated_at: ['bigint', () => evaluation.at],
    evaluation_id: ['text', () => evaluation.id],
  };
  const key: ColumnsOf<EvaluatedProfile> = {
    workspace_id: ['text', () => evaluation.workspaceId],
    profile_id: ['text', ({ profileId }) => profileId],
  };
  const same = profiles.filter(({ isNewState }) => !isNewState);
  const moved = profiles.filter(({ isNewState }) => isNewState);
  await updateRows(queries, 'profile_states', same, { set, key });
  await updateRows(queries, 'profile_states', moved, { set: { state: ['text', ({ state }) => state], ...set }, key });
}
