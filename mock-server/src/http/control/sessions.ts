import { findUser } from '../../storage/statements/organizations.ts';
import { findWorkspace } from '../../storage/statements/workspaces.ts';
import { notFound, unauthenticated, validation } from '../errors.ts';
import { toTimestamp } from '../present/timestamp.ts';
import type { Services } from '../services.ts';
import type { ControlHandlers } from './operation.ts';

/** The rules for `--public-url` also apply to this base URL, because paths are appended to it. */
const BASE_URL = /^https?:\/\/[^\s\\/?#@]+(?:\/[^\s\\?#]*)?$/i;

/** The call that issues sessions. */
export const sessionHandlers = {
  async createSession({ services, body, session }) {
    if ('admin' in body) {
      if (services.adminToken === undefined) throw validation('The server has no admin token, so it needs no session.');
      // A session must not be used to get another session: otherwise, it could be renewed forever.
      if (session) throw unauthenticated('Send the admin token to get an admin session.');
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
} satisfies Partial<ControlHandlers>;

function checkBaseUrl({ isOwnHost }: Services, text: string): string {
  const isOwn = BASE_URL.test(text) && URL.canParse(text) && isOwnHost(new URL(text).host);
  if (!isOwn) throw validation('"baseUrl" must be a URL of this server, without user info, query or fragment.');
  return text.replace(/\/+$/, '');
}
