import { sql } from 'kysely';
import type { Instant } from '../../domain/instant.ts';
import type { StoredSecret } from '../../domain/webhook-secret.ts';
import { givenRows } from '../dialect.ts';
import type { Queries } from '../port.ts';
import { together } from '../together.ts';

/** The URL and secrets for a lane's deliveries. */
export interface StoredTarget {
  url: string;
  active: boolean;
  /** Whether it has a count of failures, which a successful delivery would reset. */
  isFailing: boolean;
  /** The secrets that are valid now, newest first. */
  secrets: StoredSecret[];
}

/** Reads endpoints with the secrets that sign at `now`. A deleted endpoint has no entry. */
export async function loadTargets(
  queries: Queries,
  endpointIds: readonly string[],
  now: Instant,
): Promise<Map<string, StoredTarget>> {
  if (endpointIds.length === 0) return new Map();
  const given = givenRows(
    queries,
    endpointIds.map((id) => ({ id })),
  );
  const endpoints = sql<{ id: string; url: string; active: number; failures: number }>`
    select id, url, active, consecutive_failures as failures from webhook_endpoints
    where id in (select given.value ->> 'id' from ${given})`.execute(queries);
  // The current secret has no expiry. Among the others, the one that was replaced last is the newest.
  const secrets = sql<StoredSecret & { endpointId: string }>`
    select id, endpoint_id as "endpointId", salt, hash, preview, sealed from webhook_secrets
    where endpoint_id in (select given.value ->> 'id' from ${given}) and (expires_at is null or expires_at > ${now})
    order by case when expires_at is null then 0 else 1 end, expires_at desc, id desc`.execute(queries);
  const [found, signing] = await together([endpoints, secrets]);
  const targets = new Map(
    found.rows.map(({ id, url, active, failures }): [string, StoredTarget] => [
      id,
      { url, active: active === 1, isFailing: failures > 0, secrets: [] },
    ]),
  );
  for (const { endpointId, ...secret } of signing.rows) targets.get(endpointId)?.secrets.push(secret);
  return targets;
}
