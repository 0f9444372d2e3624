import { receiverUrlProblem } from '../../domain/endpoint-url.ts';
import { subscriptionProblem } from '../../domain/subscription.ts';
import { validation } from '../errors.ts';
import type { Services } from '../services.ts';

/** @throws 400 `VALIDATION` where the server's profile does not send to this URL. */
export function acceptReceiverUrl(services: Pick<Services, 'local' | 'addresses'>, url: string): void {
  const problem = receiverUrlProblem(url, services);
  if (problem) throw validation(`Invalid body: "url" ${problem}.`);
}

/** The entries in their order, duplicates folded. @throws 400 `VALIDATION` for one that the catalog does not cover. */
export function acceptSubscribedEvents(
  services: { catalog: { types(): readonly string[] } },
  patterns: readonly string[],
): string[] {
  const types = services.catalog.types();
  for (const [index, pattern] of patterns.entries()) {
    const problem = subscriptionProblem(pattern, types);
    if (problem) throw validation(`Invalid body: "subscribedEvents.${index}" is wrong: ${problem}.`);
  }
  return [...new Set(patterns)];
}
