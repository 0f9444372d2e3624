import { sql } from 'kysely';
import { earliest, type Instant } from '../../../domain/instant.ts';
import type { EvaluationTrigger } from '../../../domain/profiles/evaluation.ts';
import { givenIds, isLeaseFree, leaseClock, leasing, skippingLockedRows } from '../../dialect.ts';
import type { Queries } from '../../port.ts';
import type { LifecycleTable } from '../../schema/profiles.ts';

export const selectLifecycle = (queries: Queries, workspaceId: string) =>
  queries.selectFrom('lifecycles').selectAll().where('workspace_id', '=', workspaceId);

export const findLifecycle = async (queries: Queries, workspaceId: string): Promise<LifecycleTable | undefined> =>
  await selectLifecycle(queries, workspaceId).executeTakeFirst();

export async function saveLifecycle(queries: Queries, row: LifecycleTable): Promise<void> {
  const { workspace_id, due_at: _due, lease_token: _token, lease_until: _until, ...rest } = row;
  const { next_evaluation_at, next_sync_at, cycle_id, cycle_started_at } = rest;
  const dueAt = earliest(next_evaluation_at, next_sync_at, cycle_id === null ? null : cycle_started_at);
  await queries
    .updateTable('lifecycles')
    .set({ ...rest, due_at: dueAt ?? null })
    .where('workspace_id', '=', workspace_id)
    .execute();
}

/** Delays the due work of a workspace. The next call of {@link saveLifecycle} for this workspace ends the delay. */
export async function postponeLifecycle(queries: Queries, workspaceId: string, until: Instant): Promise<void> {
  await queries
    .updateTable('lifecycles')
    .set({ due_at: until })
    .where('workspace_id', '=', workspaceId)
    .where('due_at', '<', until)
    .execute();
}

/** Whether any evaluation or sync is due at the instant `at`, even if it is already running. */
export async function isLifecycleDue(queries: Queries, at: Instant): Promise<boolean> {
  return (await countDueLifecycles(queries, at, 1)) > 0;
}

export async function findNextLifecycleDueAfter(queries: Queries, at: Instant): Promise<Instant | undefined> {
  const row = await queries
    .selectFrom('lifecycles')
    .select('due_at')
    .where('due_at', 'is not', null)
    .where('due_at', '>', at)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return row?.due_at ?? undefined;
}

export async function countDueLifecycles(queries: Queries, at: Instant, limit: number): Promise<number> {
  const rows = await queries
    .selectFrom('lifecycles')
    .select('workspace_id')
    .where('due_at', 'is not', null)
    .where('due_at', '<=', at)
    .orderBy('due_at')
    .limit(limit)
    .execute();
  return rows.length;
}

/** A claim on a workspace. The holder of the claim may evaluate and sync the workspace. */
export interface LifecycleLease {
  workspaceId: string;
  /** A fencing token. */
  token: number;
}

export interface DueLease extends LifecycleLease {
  organizationId: string;
  /** Why the next evaluation is due. */
  trigger: EvaluationTrigger;
}

const returned = sql`returning workspace_id as "workspaceId", lease_token as token`;
const organization = sql`(select organization_id from workspaces where workspaces.id = workspace_id)`;

/** Claims one workspace, unless another node has claimed it. */
export async function claimLifecycle(queries: Queries, workspaceId: string, leaseMs: number) {
  const { rows } = await sql<LifecycleLease>`
    update lifecycles set ${leasing(queries, leaseMs)}
    where workspace_id = ${workspaceId} and ${isLeaseFree(queries)} ${returned}`.execute(queries);
  return rows[0];
}

/**
 * Claims the workspace whose `work` has been due for the longest time.
 *
 * @param claim.except - The ids of workspaces that must not be claimed.
 * @param claim.resting - The ids of organizations whose evaluations with the trigger `calendar` must not start yet.
 * @param claim.isRepeatable - Whether to choose the workspace with the lowest id if several workspaces became due at
 *   the same time. With this option, the claim reads all these workspaces.
 */
export async function claimDueLifecycle(
  queries: Queries,
  claim: {
    work: 'sync' | 'evaluation';
    now: Instant;
    leaseMs: number;
    except: readonly string[];
    resting: readonly string[];
    isRepeatable?: boolean | undefined;
  },
): Promise<DueLease | undefined> {
  const isSyncDue = sql`coalesce(next_sync_at <= ${claim.now}, false)`;
  const { rows } = await sql<DueLease>`
    with chosen as materialized (
      select workspace_id from lifecycles
      where due_at is not null and due_at <= ${claim.now} and ${isLeaseFree(queries)}
        and ${claim.work === 'sync' ? isSyncDue : sql`not ${isSyncDue}`}
        and workspace_id not in ${givenIds(queries, claim.except)}
        and not (next_trigger = 'calendar' and ${organization} in ${givenIds(queries, claim.resting)})
      order by due_at ${sql.raw(claim.isRepeatable ? ', workspace_id' : '')} limit 1 ${skippingLockedRows(queries)}
    )
    update lifecycles set ${leasing(queries, claim.leaseMs)}
    where workspace_id in (select workspace_id from chosen)
    ${returned}, next_trigger as "trigger", ${organization} as "organizationId"`.execute(queries);
  return rows[0];
}

/** Extends a lease. Returns false and changes nothing if the lease was lost or released. */
export async function extendLifecycleLease(queries: Queries, { workspaceId, token }: LifecycleLease, leaseMs: number) {
  const { rows } = await sql`
    update lifecycles set lease_until = ${leaseClock(queries)} + ${leaseMs}
    where workspace_id = ${workspaceId} and lease_token = ${token} and lease_until is not null
    returning 1 as held`.execute(queries);
  return rows.length > 0;
}

/** Releases a claimed workspace, unless the lease was lost. */
export async function releaseLifecycle(queries: Queries, { workspaceId, token }: LifecycleLease): Promise<void> {
  await queries
    .updateTable('lifecycles')
    .set({ lease_until: null })
    .where('workspace_id', '=', workspaceId)
    .where('lease_token', '=', token)
    .execute();
}
