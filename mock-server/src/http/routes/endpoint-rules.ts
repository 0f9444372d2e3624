import { type ReceiverRules, receiverUrlProblem } from '../../domain/endpoint-url.ts';
import { subscriptionProblem } from '../../domain/subscription.ts';
import { validation } from '../errors.ts';
import type { Services } from '../services.ts';

/** @throws 400 `VALIDATION` if the server's profile does not allow this URL. */
export function acceptReceiverUrl(services: Pick<Services, keyof ReceiverRules>, url: string): void {
  const problem = receiverUrlProblem(url, services);
  if (problem) throw validation(`Invalid body: "url" ${problem}.`);
}

/** The entries in order, without duplicates. @throws 400 `VALIDATION` for an entry that the catalog does not cover. */
export function acceptSubscribedEvents(
  services: { catalog: { types(): readonly string[] } },
  patterns: readonly string[],
): string[] {
  const types = services.catalog.types();
  for (const [index, pattern] of patterns.entries()) {
    const problem = subscriptionProblem(pattern, types);
    if (problem) throw validation(`Invalid body: "subscribedEvents.${index}" is invalid: ${problem}.`);
  }
  return [...new Set(patterns)];
}
