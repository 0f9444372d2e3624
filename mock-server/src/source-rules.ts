import { createGuardedConnector } from './delivery/connector.ts';
import { createNameResolver } from './delivery/resolve-name.ts';
import { type ReceiverRules, receiverUrlProblem } from './domain/endpoint-url.ts';
import { SILENCE_MAX_MS, type SourceRules } from './lifecycle/open-source.ts';

/** Data sources are asked over connections like those to receivers: addresses are checked and pinned at each connect. */
export function sourceRulesOf(rules: ReceiverRules): SourceRules {
  return {
    connect: createGuardedConnector(rules.addresses, SILENCE_MAX_MS, createNameResolver({ timeoutMs: SILENCE_MAX_MS })),
    urlProblem: (url) => receiverUrlProblem(url, rules),
    readsFiles: rules.local,
  };
}
