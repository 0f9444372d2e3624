import type { KeyObject } from 'node:crypto';
import { derivedHeaders } from '../../domain/attempt-headers.ts';
import type { StoredSecret } from '../../domain/derive-secret.ts';
import { lowestBareIdAt } from '../../domain/id-time.ts';
import type { Instant } from '../../domain/instant.ts';
import { type RetrySchedule, transitionAfter } from '../../domain/retry-schedule.ts';
import { signatureHeaders } from '../../domain/signature.ts';
import { startAttemptSpan } from '../../runtime/tracing.ts';
import type { DeliveryToSend } from '../../storage/delivery/queue-places.ts';
import type { AttemptResult } from '../../storage/delivery/store-results.ts';
import type { StoredTarget } from '../../storage/statements/endpoints.ts';
import type { DispatcherTools } from '../tools.ts';
import type { SendAttempt, SendResult, Shortage } from './attempt-request.ts';

export interface FinishedAttempt extends AttemptResult {
  delivery: DeliveryToSend;
  /** Whether the part of the response that the server keeps arrived completely within the time limit. */
  hasResponse: boolean;
}

/** The longest response time to store. Longer times mean that the machine was suspended or its clock set forward. */
const RESPONSE_TIME_MAX_MS = 86_400_000;

export interface AttemptTools extends Pick<DispatcherTools, 'clock' | 'ids' | 'timers' | 'logger'> {
  schedule: RetrySchedule;
  signingKeys(secrets: readonly StoredSecret[]): KeyObject[];
  send: SendAttempt;
}

/** Signs and POSTs the envelope once, and determines the new state of the delivery. Never rejects. */
export async function makeAttempt(
  tools: AttemptTools,
  delivery: DeliveryToSend,
  target: StoredTarget,
): Promise<FinishedAttempt | Shortage> {
  const number = delivery.attemptsMade + 1;
  const startedAt = tools.clock.now();
  const started = tools.timers.now();
  const endSpan = startAttemptSpan(delivery, target.url, number);
  let loggedHeaders: Record<string, string> = {};
  let result: SendResult;
  try {
    const body = bodyOrThrow(delivery);
    const { id, endpointId, workspaceId, eventType } = delivery;
    // The timestamp is real time, because the receiver compares it with its own clock.
    const timestamp = Math.floor(tools.clock.realNow() / 1000);
    loggedHeaders = signatureHeaders({ id, timestamp, body }, tools.signingKeys(target.secrets));
    result = await tools.send(
      { url: target.url, headers: { ...derivedHeaders(target.url, body), ...loggedHeaders }, body },
      { id, endpointId, workspaceId, eventType, attempt: number },
    );
  } catch (error) {
    tools.logger.error({ err: error, deliveryId: delivery.id }, 'the attempt could not be made');
    result = { error: 'Internal error' };
  }

  if ('shortage' in result) {
    endSpan({ status: undefined, error: result.shortage });
    return result;
  }
  const { response } = result;
  const error = result.error ?? errorOfStatus(result.response.status);
  const endedAt = tools.clock.now();
  const finished: FinishedAttempt = {
    id: drawId(tools, delivery.id, number, endedAt),
    delivery,
    number,
    url: target.url,
    startedAt,
    endedAt,
    loggedHeaders,
    response,
    hasResponse: result.error === undefined,
    responseTimeMs: Math.min(Math.round(tools.timers.now() - started), RESPONSE_TIME_MAX_MS),
    error,
    transition: transitionAfter({ succeeded: error === null, number, endedAt }, tools.schedule),
  };
  endSpan({ status: response?.status, error });
  return finished;
}

/** Generates the id of an attempt. If that fails, makes an id from the time, so that the result is not lost. */
function drawId({ ids, logger }: AttemptTools, deliveryId: string, number: number, endedAt: Instant): string {
  try {
    return ids.nextAttempt(deliveryId, number);
  } catch (error) {
    logger.error({ err: error, deliveryId }, 'cannot generate the id of the attempt; using an id made from the time');
    return lowestBareIdAt(endedAt);
  }
}

const errorOfStatus = (status: number) => (status >= 200 && status < 300 ? null : `HTTP ${status}`);

/** Throws if the event is missing. The attempt and its retries then fail, which makes the problem visible. */
function bodyOrThrow({ body, eventId }: DeliveryToSend): string {
  if (body === null) throw new Error(`The event ${eventId} of the delivery is not in the database.`);
  return body;
}
