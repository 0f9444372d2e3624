/** The libraries whose code is part of the build. Their licenses are published with it. */
export const BUNDLED = ['@hono/node-server', 'hono', 'kysely', 'zod'] as const;
