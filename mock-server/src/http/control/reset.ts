import { z } from 'zod';
import { controlOperation } from './operation.ts';

const issued = z.object({
  kind: z.string(),
  name: z.string(),
  credential: z.string(),
  workspaceId: z.string().nullable(),
  role: z.string().nullable(),
});

const reset = controlOperation({
  method: 'POST',
  path: '/_control/reset',
  summary:
    'Reset the server: delete all data, return the clock to the real time and apply a seed (by default, that of the start)',
  body: z.strictObject({ seed: z.unknown().optional() }),
  status: 200,
  answer: z.object({ credentials: z.array(issued) }),
  handle: async ({ services, body: { seed } }) => ({ credentials: await services.reset(seed) }),
});

/** The call that resets the data. */
export const resetOperations = [reset];
