import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { WebhookDeliveryDetail } from '@svc/client';
import { TIMESTAMP_TOLERANCE_SECONDS } from '@svc/contract';
import { signWebhook } from '@svc/webhooks/testing';
import { writeOwnFile } from '../../config/own-file.ts';
import { orUsageError, UsageError } from '../exit-codes.ts';

/** A delivery's request as the service sent it. `sendFixture` from `@svc/webhooks/testing` sends it again. */
export interface Fixture {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/**
 * Returns the request of a delivery's latest attempt, or `undefined` if the service does not return this request. The
 * API returns the body as a JSON value, and the service sends compact JSON, so serializing the value restores the body
 * that was sent.
 */
export function fixtureOf({ requestHeaders, requestBody }: WebhookDeliveryDetail, url: string): Fixture | undefined {
  if (requestHeaders == null || requestBody == null) return undefined;
  const body = typeof requestBody === 'string' ? requestBody : JSON.stringify(requestBody);
  return { url, headers: requestHeaders, body };
}

/** Whether a fixture's signature is so old that receivers reject the delivery. */
export function isStale({ headers }: Fixture, nowMs: number): boolean {
  const timestamp = Object.entries(headers).find(([name]) => name.toLowerCase() === 'webhook-timestamp')?.[1];
  return !(nowMs - Number(timestamp) * 1_000 <= TIMESTAMP_TOLERANCE_SECONDS * 1_000);
}

/** Signs a fixture's body again, with the current time and the given secret. */
export function signedAnew({ url, headers, body }: Fixture, id: string, secret: string): Fixture {
  const unsigned = Object.entries(headers).filter(([name]) => !/^(webhook-.*|content-type)$/i.test(name));
  return {
    url,
    headers: { ...Object.fromEntries(unsigned), ...signWebhook({ secrets: secret, id, body }).headers },
    body,
  };
}

/** Saves a fixture to a file that only its owner can read, because a fixture contains a customer's data. */
export function saveFixture(folder: string, deliveryId: string, fixture: Fixture): string {
  // Check the id, because it comes from another program and becomes part of a path.
  if (!/^whd_\w+$/.test(deliveryId)) throw new UsageError(`"${deliveryId}" is not the id of a delivery.`);
  const file = join(folder, `${deliveryId}.json`);
  orUsageError(`Cannot write ${file}`, () => {
    mkdirSync(folder, { recursive: true });
    writeOwnFile(file, `${JSON.stringify(fixture, null, 2)}\n`);
  });
  return file;
}
