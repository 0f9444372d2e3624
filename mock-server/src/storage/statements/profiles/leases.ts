import { sql } from 'kysely';
import type { Instant } from '../../../domain/instant.ts';
import { givenRows, isLeaseFree, leaseClock, leasing, skippingLockedRows } from '../../dialect.ts';
import type { Queries } from '../../port.ts';

/** A claim on a workspace's lifecycle. The holder of the claim may evaluate and sync the workspace. */
export interface LifecycleLease {
  workspaceId: string;
  /** The fencing token of this claim. */
  token: number;
}

const returned = sql`returning workspace_id as "workspaceId", lease_token as token`;

/** Claims one workspace, unless another node holds it. */
export async function claimLifecycle(
  queries: Queries,
  workspaceId: string,
  leaseMs: number,
): Promise<LifecycleLease | undefined> {
  const { rows } = await sql<LifecycleLease>`
    update lifecycles set ${leasing(queries, leaseMs)}
    where workspace_id = ${workspaceId} and ${isLeaseFree(queries)} ${returned}`.execute(queries);
  return rows[0];
}

/**
 * Claims workspaces with due work, earliest first, using the index by due time. The work is either a sync, for
 * workspaces whose data source must be read first, or an evaluation, for all other workspaces.
 */
export async function claimDueLifecycles(
  queries: Queries,
  claim: { work: 'sync' | 'evaluation'; now: Instant; leaseMs: number; limit: number; except: readonly string[] },
): Promise<LifecycleLease[]> {
  const isSyncDue = sql`coalesce(next_sync_at <= ${claim.now}, false)`;
  const except = givenRows(
    queries,
    claim.except.map((workspaceId) => ({ workspaceId })),
  );
  const { rows } = await sql<LifecycleLease>`
    with chosen as materialized (
      select workspace_id from lifecycles
      where due_at is not null and due_at <= ${claim.now} and ${isLeaseFree(queries)}
        and ${claim.work === 'sync' ? isSyncDue : sql`not ${isSyncDue}`}
        and workspace_id not in (select given.value ->> 'workspaceId' from ${except})
      order by due_at limit ${claim.limit} ${skippingLockedRows(queries)}
    )
    update lifecycles set ${leasing(queries, claim.leaseMs)}
    where workspace_id in (select workspace_id from chosen) ${returned}`.execute(queries);
  return rows;
}

/** Extends a lease. @returns false if the lease was lost. */
export async function extendLifecycleLease(
  queries: Queries,
  { workspaceId, token }: LifecycleLease,
  leaseMs: number,
): Promise<boolean> {
  const { rows } = await sql`
    update lifecycles set lease_until = ${leaseClock(queries)} + ${leaseMs}
    where workspace_id = ${workspaceId} and lease_token = ${token} returning 1 as held`.execute(queries);
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

/**
 * Ends the leases of all workspaces. Call this only for a database that a single process owns, when the process starts:
 * all leases are from an earlier process, which has ended.
 */
export async function clearLifecycleLeases(queries: Queries): Promise<void> {
  await queries.updateTable('lifecycles').set({ lease_until: null }).where('lease_until', 'is not', null).execute();
}
