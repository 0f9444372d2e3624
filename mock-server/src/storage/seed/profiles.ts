import type { Clock, Instant } from '../../domain/instant.ts';
import { unpackDays } from '../../domain/profiles/active-days.ts';
import { calendarOf } from '../../domain/profiles/calendar.ts';
import { nextSyncAt } from '../../domain/profiles/data-source.ts';
import { evaluateProfile } from '../../domain/profiles/evaluation.ts';
import { createEvaluationDay } from '../../domain/profiles/signals.ts';
import type { Ids } from '../../runtime/ids.ts';
import { lockLifecycle, updateStates, upsertProfiles } from '../changes/profiles.ts';
import type { Queries } from '../port.ts';
import { saveLifecycle } from '../statements/profiles/lifecycles.ts';
import { findProfilesToEvaluate, lastProfileId } from '../statements/profiles/states.ts';
import type { SeedWorkspace } from './schema.ts';

const BATCH = 500;

export async function insertProfiles(
  queries: Queries,
  workspaceId: string,
  { profiles, evaluated, dataSource, timezone, weekStartsOn }: SeedWorkspace,
  { ids, clock }: { ids: Ids; clock: Clock },
): Promise<void> {
  const now = clock.now();
  for (let at = 0; at < profiles.length; at += BATCH) {
    await upsertProfiles(queries, ids, { workspaceId, inputs: profiles.slice(at, at + BATCH), now });
  }
  if (evaluated) {
    const evaluation = { id: `evl_${ids.nextBare()}`, workspaceId, at: now };
    await evaluate(queries, evaluation, { timezone, weekStartsOn, limit: profiles.length });
  }
  if (dataSource.kind === 'push') return;
  const row = await lockLifecycle(queries, workspaceId);
  const source = JSON.stringify(dataSource);
  await saveLifecycle(queries, { ...row, source, next_sync_at: nextSyncAt(dataSource, now) });
}

/** Stores only the results of the evaluation: does not record the evaluation, and does not send an event. */
async function evaluate(
  queries: Queries,
  evaluation: { id: string; workspaceId: string; at: Instant },
  { timezone, weekStartsOn, limit }: Pick<SeedWorkspace, 'timezone' | 'weekStartsOn'> & { limit: number },
): Promise<void> {
  const calendar = calendarOf(timezone);
  const on = createEvaluationDay(calendar.dayOf(evaluation.at), weekStartsOn);
  const { workspaceId } = evaluation;
  const upToId = await lastProfileId(queries, workspaceId);
  const rows = await findProfilesToEvaluate(queries, workspaceId, { afterId: '', upToId, limit });
  const measured = rows.map(({ profile_id: profileId, first_seen_at, last_seen_at, active_days }) => {
    const seen = { firstSeenAt: first_seen_at, lastSeenAt: last_seen_at, activeDays: unpackDays(active_days) };
    return { profileId, ...evaluateProfile(seen, on, calendar), previousState: null, isNewState: true };
  });
  await updateStates(queries, evaluation, measured);
}
