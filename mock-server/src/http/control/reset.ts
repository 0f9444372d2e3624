import type { ControlHandlers } from './operation.ts';

/** The call that resets the data. */
export const resetHandlers = {
  reset: async ({ services, body: { seed } }) => ({ credentials: await services.reset(seed) }),
} satisfies Partial<ControlHandlers>;
