import { randomBytes } from 'node:crypto';

const ANSWER_TIMEOUT_MS = 1_000;

/** The calls that wait for replies from other nodes. */
export function createPeerCalls() {
  const awaited = new Map<string, (node: string, answer: unknown) => void>();
  /** Nodes that did not respond in time. Calls do not wait for them until they send something again. */
  const silent = new Set<string>();

  return {
    isSilent: (node: string): boolean => silent.has(node),

    /** A node has sent something. */
    heard(node: string): void {
      silent.delete(node);
    },

    /** A node has replied to a call. */
    answered(call: string, node: string, answer: unknown): void {
      awaited.get(call)?.(node, answer);
    },

    /**
     * Sends a call.
     *
     * @returns the replies by node, once each expected node has replied or was silent for a second.
     */
    async call(
      expected: readonly string[],
      send: (call: string) => Promise<void>,
    ): Promise<ReadonlyMap<string, unknown>> {
      const call = randomBytes(6).toString('hex');
      const answers = new Map<string, unknown>();
      const answered = Promise.withResolvers<void>();
      awaited.set(call, (node, answer) => {
        answers.set(node, answer);
        if (expected.every((name) => answers.has(name))) answered.resolve();
      });
      try {
        await send(call);
        if (expected.length > 0) {
          const timeout = setTimeout(answered.resolve, ANSWER_TIMEOUT_MS);
          await answered.promise;
          clearTimeout(timeout);
        }
        for (const name of expected) if (!answers.has(name)) silent.add(name);
      } finally {
        awaited.delete(call);
      }
      return answers;
    },
  };
}
