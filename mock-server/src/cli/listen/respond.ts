import type { Forwarded } from './forward.ts';

/** Answers deliveries itself, when nobody has a receiver yet. Takes the place of a forwarder. */
export const createResponder = (status: number) => ({
  forward: async (): Promise<Forwarded> => ({
    status,
    headers: {},
    body: Buffer.alloc(0),
    durationMs: 0,
    error: null,
  }),
  close: async () => {},
});
