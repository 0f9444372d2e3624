import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { WebhookDeliveryDetail } from '@svc/client';
import { TIMESTAMP_TOLERANCE_SECONDS } from '@svc/contract';
import { signWebhook, type WebhookFixture } from '@svc/webhooks/testing';
import { writeOwnFile } from '../../config/own-file.ts';
import { orUsageError, UsageError } from '../exit-codes.ts';

/** Returns the request of the latest attempt, or `undefined` if the service does not return the request. */
export function fixtureOf(
  { requestHeaders, requestBody }: WebhookDeliveryDetail,
  url: string,
): WebhookFixture | undefined {
  if (requestHeaders == null || requestBody == null) return undefined;
  // The service sends compact JSON, so `JSON.stringify` restores the body that was sent.
  const body = typeof requestBody === 'string' ? requestBody : JSON.stringify(requestBody);
  return { url, headers: requestHeaders, body };
}

/** Whether receivers reject the delivery because its signature is too old. */
export function isStale({ headers }: WebhookFixture, nowMs: number): boolean {
  const timestamp = Object.entries(headers).find(([name]) => name.toLowerCase() === 'webhook-timestamp')?.[1];
  return !(nowMs - Number(timestamp) * 1_000 <= TIMESTAMP_TOLERANCE_SECONDS * 1_000);
}

export function signedAnew({ url, headers, body }: WebhookFixture, id: string, secret: string): WebhookFixture {
  const unsigned = Object.entries(headers).filter(([name]) => !/^(webhook-.*|content-type)$/i.test(name));
  return {
    url,
    headers: { ...Object.fromEntries(unsigned), ...signWebhook({ secrets: secret, id, body }).headers },
    body,
  };
}

/** Only the owner can read the file, because a fixture contains a customer's data. */
export function saveFixture(folder: string, deliveryId: string, fixture: WebhookFixture): string {
  // Check the id, because it comes from another program and becomes part of a path.
  if (!/^whd_\w+$/.test(deliveryId)) throw new UsageError(`"${deliveryId}" is not the id of a delivery.`);
  const file = join(folder, `${deliveryId}.json`);
  orUsageError(`Cannot write ${file}`, () => {
    mkdirSync(folder, { recursive: true });
    writeOwnFile(file, `${JSON.stringify(fixture, null, 2)}\n`);
  });
  return file;
}
