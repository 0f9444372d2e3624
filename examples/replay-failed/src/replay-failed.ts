// #region replay
import { type ApiKeyClient, isApiError } from '@svc/client';

/** Why a delivery failed, and whether it was replayed. */
export interface Replayed {
  deliveryId: string;
  /** The error or HTTP status from the last attempt, and the number of attempts. */
  reason: string;
  /** The new delivery, or the reason why there is no new delivery. */
  result: string;
}

/** Replays failed deliveries, oldest first, and says why each delivery failed. */
export async function replayFailed(svc: ApiKeyClient, since: Date): Promise<Replayed[]> {
  const failed = await svc.webhooks.deliveries
    .list({ status: 'failed', createdFrom: since.toISOString() })
    .collect({ limit: 10_000 });
  const replayed: Replayed[] = [];
  for (const { id, attempt, error, responseStatus } of failed.toReversed()) {
    const reason = `${error ?? `HTTP ${responseStatus}`} after ${attempt} attempts`;
    replayed.push({ deliveryId: id, reason, result: await replay(svc, id) });
  }
  return replayed;
}

async function replay(svc: ApiKeyClient, deliveryId: `whd_${string}`): Promise<string> {
  try {
    return `replayed as ${(await svc.webhooks.deliveries.replay(deliveryId)).id}`;
  } catch (error) {
    // A conflict means that the endpoint was deleted or is not active.
    if (isApiError(error, 'CONFLICT')) return error.message;
    throw error;
  }
}
// #endregion replay
