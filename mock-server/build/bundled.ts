/** The libraries whose code is part of the build. The package contains the licenses of these libraries. */
export const BUNDLED = ['@hono/node-server', 'hono', 'kysely', 'zod'] as const;
