import { createGuardedConnector } from './delivery/connector.ts';
import { createNameResolver } from './delivery/resolve-name.ts';
import { type ReceiverRules, receiverUrlProblem } from './domain/endpoint-url.ts';
import { SILENCE_MAX_MS, type SourceRules } from './lifecycle/open-source.ts';

/**
 * Reads data sources over the same kind of connections as deliveries: each connect checks the addresses and uses only
 * those.
 */
export function sourceRulesOf(rules: ReceiverRules, silenceMaxMs = SILENCE_MAX_MS): SourceRules {
  return {
    silenceMaxMs,
    connect: createGuardedConnector(rules.addresses, silenceMaxMs, createNameResolver({ timeoutMs: silenceMaxMs })),
    urlProblem: (url) => receiverUrlProblem(url, rules),
    readsFiles: rules.local,
  };
}
