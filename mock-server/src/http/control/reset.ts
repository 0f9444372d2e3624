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
  summary: 'Delete everything and apply a seed',
  description: 'Resets the clock, too. Without `seed`, applies the seed that the server started with.',
  body: z.strictObject({ seed: z.unknown().optional() }),
  status: 200,
  answer: z.object({ credentials: z.array(issued) }),
  handle: async ({ services, body: { seed } }) => ({ credentials: await services.reset(seed) }),
});

/** The call that resets the data. */
export const resetOperations = [reset];
