import { z } from 'zod';
import type { SessionCredential } from '../../control/index.ts';
import { findUser } from '../../storage/statements/find-user.ts';
import { findWorkspace } from '../../storage/statements/find-workspace.ts';
import { ApiError, notFound, validation } from '../errors.ts';
import { toTimestamp } from '../present/timestamp.ts';
import type { Services } from '../services.ts';
import { controlOperation } from './operation.ts';

/** The same rule as for `--public-url`, because paths are appended to it. */
const BASE_URL = /^https?:\/\/[^\s\\/?#@]+(?:\/[^\s\\?#]*)?$/i;

const body = z.union(
  [
    z.strictObject({ userId: z.string(), baseUrl: z.string() }),
    z.strictObject({ workspaceId: z.string(), baseUrl: z.string() }),
    z.strictObject({ admin: z.literal(true) }),
  ],
  'must be { "userId", "baseUrl" }, { "workspaceId", "baseUrl" } or { "admin": true }',
);

const createSession = controlOperation({
  method: 'POST',
  path: '/_control/sessions',
  summary: 'Create a session for the dashboard',
  description:
    'It acts as a user or as an API key for 15 minutes, or replaces the admin token for 8 hours. It has no rate limit and no faults, and is not in the log of requests.',
  body,
  status: 201,
  answer: z.object({ credential: z.string(), expiresAt: z.string() }) satisfies z.ZodType<SessionCredential>,
  refusals: {
    401: 'An admin session cannot issue another one: send the admin token.',
    404: 'No such user or workspace.',
  },
  async handle({ services, body, session }): Promise<SessionCredential> {
    if ('admin' in body) {
      if (services.adminToken === undefined) throw validation('The server has no admin token, so it needs no session.');
      // Otherwise a session could be renewed forever.
      if (session) throw new ApiError('UNAUTHENTICATED', 'Send the admin token to get an admin session.');
    }
    const baseUrl = 'baseUrl' in body ? checkBaseUrl(services, body.baseUrl) : '';
    const { baseUrl: _url, ...subject } = { baseUrl, ...body };
    await services.storage.read(async (queries) => {
      if ('userId' in body && !(await findUser(queries, body.userId))) throw notFound('user', body.userId);
      if ('workspaceId' in body && !(await findWorkspace(queries, body.workspaceId))) {
        throw notFound('workspace', body.workspaceId);
      }
    });
    const { credential, expiresAt } = await services.sessions.issue(subject, baseUrl);
    return { credential, expiresAt: toTimestamp(expiresAt) };
  },
});

function checkBaseUrl({ isOwnHost }: Services, text: string): string {
  const isOwn = BASE_URL.test(text) && URL.canParse(text) && isOwnHost(new URL(text).host);
  if (!isOwn) throw validation('"baseUrl" must be a URL of this server, without user info, query or fragment.');
  return text.replace(/\/+$/, '');
}

/** The call that issues sessions. */
export const sessionOperations = [createSession];
