import { setTimeout as delay } from 'node:timers/promises';
import type { NewEvent } from '../domain/event-envelope.ts';
import { subjectOf, WORKSPACE } from '../domain/event-subject.ts';
import type { Instant } from '../domain/instant.ts';
import { unpackDays } from '../domain/profiles/active-days.ts';
import { calendarOf } from '../domain/profiles/calendar.ts';
import {
  createEvaluationTally,
  type Evaluation,
  type EvaluationTrigger,
  evaluateProfile,
} from '../domain/profiles/evaluation.ts';
import { createEvaluationDay } from '../domain/profiles/signals.ts';
import { tracingEvents } from '../runtime/tracing.ts';
import { lockLifecycle, updateStates } from '../storage/changes/profiles.ts';
import { acceptEvents } from '../storage/delivery/accept.ts';
import type { Queries, Storage } from '../storage/port.ts';
import type { LifecycleTable } from '../storage/schema/profiles.ts';
import { insertEvaluation } from '../storage/statements/profiles/evaluations.ts';
import { saveLifecycle } from '../storage/statements/profiles/lifecycles.ts';
import {
  type EvaluatedProfile,
  findProfilesToEvaluate,
  hasProfiles,
  isMeasured,
  lastProfileId,
  type ProfileToEvaluate,
} from '../storage/statements/profiles/states.ts';
import { findWorkspace } from '../storage/statements/workspaces.ts';
import { type HeldLease, LeaseLostError } from './leases.ts';
import type { LifecycleTools } from './tools.ts';

/** A running cycle. If its node dies, another node restarts the cycle with the same id. */
type Cycle = Awaited<ReturnType<typeof beginCycle>>;

export type FinishedCycle = Awaited<ReturnType<typeof runCycle>>;

/** One transaction writes this many profiles. */
const BATCH = 500;

/** Begins a cycle, or continues a cycle that was left unfinished. */
export async function beginCycle(tools: LifecycleTools, lease: HeldLease, trigger: EvaluationTrigger) {
  const { workspaceId } = lease;
  await tools.followOtherIds();
  return await tools.storage.write(async (queries) => {
    const row = await lockHeld(queries, lease);
    const settings = await calendarSettings(queries, workspaceId);
    let begun = row;
    if (row.cycle_id === null) {
      const id = `evl_${tools.ids.nextBare()}`;
      begun = { ...row, cycle_id: id, cycle_trigger: trigger, cycle_started_at: tools.clock.now() };
      await saveLifecycle(queries, begun);
    }
    const startedAt = begun.cycle_started_at as Instant;
    const calendar = calendarOf(settings.timezone);
    return {
      id: begun.cycle_id as string,
      workspaceId,
      trigger: begun.cycle_trigger as EvaluationTrigger,
      startedAt,
      calendar,
      ...settings,
      on: createEvaluationDay(calendar.dayOf(startedAt), settings.weekStartsOn),
    };
  });
}

async function calendarSettings(queries: Queries, workspaceId: string) {
  const workspace = await findWorkspace(queries, workspaceId);
  return { timezone: workspace?.timezone ?? null, weekStartsOn: workspace?.week_starts_on ?? null };
}

/**
 * Evaluates every profile up to the highest profile id that the workspace has when the call begins. Profiles that are
 * created later have higher ids, so a cycle ends even if an import never stops creating profiles.
 */
export async function runCycle(tools: LifecycleTools, lease: HeldLease, cycle: Cycle, syncError: string | null) {
  const tally = createEvaluationTally();
  const { storage } = tools;
  const { workspaceId } = cycle;
  const upToId = await storage.read((queries) => lastProfileId(queries, workspaceId));
  for (let afterId = ''; ; ) {
    lease.signal.throwIfAborted();
    const page = { afterId, upToId, limit: BATCH };
    const rows = await storage.read((queries) => findProfilesToEvaluate(queries, workspaceId, page));
    const changed: EvaluatedProfile[] = [];
    for (const row of rows) {
      const outcome = outcomeOf(row, cycle);
      tally.add(outcome.state, outcome.from, outcome.isChanged);
      if (outcome.write) changed.push(outcome.write);
    }
    const writeMs = changed.length > 0 ? await write(storage, lease, cycle, changed) : 0;
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) break;
    afterId = last.profile_id;
    // Pause for as long as the write took, so that deliveries and requests can use the database.
    await delay(writeMs);
  }
  return await finish(tools, lease, cycle, { ...tally.result(), syncError });
}

/** A node that has died may have begun this cycle. A profile that the dead node has changed still counts as changed. */
function outcomeOf(row: ProfileToEvaluate, { id, on, calendar }: Cycle) {
  const measured = evaluateProfile(
    { firstSeenAt: row.first_seen_at, lastSeenAt: row.last_seen_at, activeDays: unpackDays(row.active_days) },
    on,
    calendar,
  );
  const isWritten = row.evaluation_id === id;
  const from = isWritten ? row.previous_state : row.state;
  const isSame = isMeasured(row, measured);
  const write: EvaluatedProfile | undefined = isSame
    ? undefined
    : { profileId: row.profile_id, ...measured, previousState: from, isNewState: measured.state !== row.state };
  return { state: measured.state, from, isChanged: isWritten || !isSame, write };
}

/** @returns how long the write took, without the wait for other writes. */
async function write(storage: Storage, lease: HeldLease, cycle: Cycle, changed: EvaluatedProfile[]): Promise<number> {
  const evaluation = { id: cycle.id, workspaceId: cycle.workspaceId, at: cycle.startedAt };
  let beganAt = performance.now();
  await storage.write(
    async (queries) => {
      beganAt = performance.now();
      await lockHeld(queries, lease);
      await updateStates(queries, evaluation, changed);
    },
    { isBulk: true },
  );
  return performance.now() - beganAt;
}

async function finish(
  tools: LifecycleTools,
  lease: HeldLease,
  cycle: Cycle,
  counted: Pick<Evaluation, 'profiles' | 'changed' | 'states' | 'transitions' | 'syncError'>,
) {
  const { id, workspaceId, trigger } = cycle;
  await tools.followOtherIds();
  const finishedAt = tools.clock.now();
  const event: NewEvent = {
    id: tools.ids.next('event'),
    workspaceId,
    type: 'lifecycle.evaluated',
    createdAt: finishedAt,
    subject: subjectOf(WORKSPACE, workspaceId),
  };
  const evaluation: Evaluation = {
    id,
    workspaceId,
    eventId: event.id,
    trigger,
    startedAt: new Date(cycle.startedAt).toISOString(),
    finishedAt: new Date(finishedAt).toISOString(),
    ...counted,
  };
  const deliveries = await tracingEvents([event], (events) =>
    tools.accept(async (queries) => {
      const row = await lockHeld(queries, lease);
      await insertEvaluation(queries, evaluation);
      const accepted = await acceptEvents(queries, tools, events);
      const next = await scheduleAfter(queries, cycle, row);
      await saveLifecycle(queries, { ...row, ...next, cycle_id: null, cycle_trigger: null, cycle_started_at: null });
      return accepted.flat().length;
    }),
  );
  tools.wakeDelivery();
  return { evaluation, event, deliveries };
}

/** An evaluation that became due after this cycle began stays due. */
async function scheduleAfter(queries: Queries, cycle: Cycle, row: LifecycleTable): Promise<Partial<LifecycleTable>> {
  const { next_evaluation_at: due } = row;
  const isOwn = cycle.trigger !== 'request' && due !== null && due <= cycle.startedAt;
  if (!isOwn && due !== null) return {};
  const { timezone, weekStartsOn } = await calendarSettings(queries, cycle.workspaceId);
  const isSameCalendar = timezone === cycle.timezone && weekStartsOn === cycle.weekStartsOn;
  if (isOwn && !isSameCalendar) return {};
  const isEmpty = !(await hasProfiles(queries, cycle.workspaceId));
  return {
    next_trigger: 'schedule',
    next_evaluation_at: isEmpty ? null : cycle.calendar.nextStartAfter(cycle.startedAt),
  };
}

/** @throws {@link LeaseLostError} if another node holds the workspace. */
export async function lockHeld(queries: Queries, lease: HeldLease): Promise<LifecycleTable> {
  const row = await lockLifecycle(queries, lease.workspaceId);
  if (row.lease_token !== lease.token) throw new LeaseLostError('Another server has taken over this workspace.');
  return row;
}
