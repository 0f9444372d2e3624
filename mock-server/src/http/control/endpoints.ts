import { CONSECUTIVE_FAILURES_MAX } from '@svc/contract';
import { z } from 'zod';
import type { EndpointActivity, EndpointSecret, EndpointState, EndpointStateDetail } from '../../control/index.ts';
import type { EndpointTable, SecretTable } from '../../storage/schema/webhooks.ts';
import { findEndpointAnywhere } from '../../storage/statements/find-endpoint-anywhere.ts';
import { findNextDue } from '../../storage/statements/find-next-due.ts';
import { findWorkspace } from '../../storage/statements/find-workspace.ts';
import { listEndpointActivity } from '../../storage/statements/list-endpoint-activity.ts';
import { listEndpoints } from '../../storage/statements/list-endpoints.ts';
import { listSecrets } from '../../storage/statements/list-secrets.ts';
import { notFound } from '../errors.ts';
import { answerSinglePage } from '../list.ts';
import { toTimestamp, toTimestampOrNull } from '../present/timestamp.ts';
import { controlOperation } from './operation.ts';
import { envelope, page } from './page.ts';

const ACTIVITY_MAX = 1_000;

const state = z.object({
  id: z.string(),
  workspaceId: z.string(),
  active: z.boolean(),
  consecutiveFailures: z.int(),
  failuresUntilDisabled: z.int().nullable(),
  nextDueAt: z.string().nullable(),
}) satisfies z.ZodType<EndpointState>;

const secret = z.object({
  id: z.string(),
  preview: z.string(),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  pinned: z.boolean(),
}) satisfies z.ZodType<EndpointSecret>;

const detail = state.extend({ secrets: z.array(secret) }) satisfies z.ZodType<EndpointStateDetail>;

const activity = z.object({
  deliveries: z.array(z.object({ id: z.string(), status: z.string(), createdAt: z.string() })),
  truncated: z.boolean(),
}) satisfies z.ZodType<EndpointActivity>;

const readEndpoints = controlOperation({
  method: 'GET',
  path: '/_control/endpoints',
  summary:
    "The state of a workspace's endpoints: consecutive failures, and when the next attempt is due. Always one page",
  query: z.object({ workspaceId: z.string(), ...page }),
  status: 200,
  answer: envelope(state),
  refusals: { 404: 'No such workspace.' },
  async handle({ services: { storage }, query: { workspaceId, page } }) {
    const found = await storage.read(async (queries) => {
      if (!(await findWorkspace(queries, workspaceId))) throw notFound('workspace', workspaceId);
      const rows = await listEndpoints(queries, workspaceId);
      return {
        rows,
        dues: await findNextDue(
          queries,
          rows.map(({ id }) => id),
        ),
      };
    });
    return answerSinglePage(
      found.rows.map((row) => presentState(row, found.dues.get(row.id))),
      page,
    );
  },
});

const readEndpoint = controlOperation({
  method: 'GET',
  path: '/_control/endpoints/{id}',
  summary: 'The state of an endpoint, and its secrets without their text; expired ones stay until the next rotation',
  status: 200,
  answer: z.object({ endpoint: detail }),
  refusals: { 404: 'No such endpoint.' },
  async handle({ services: { storage }, params: { id = '' } }) {
    return await storage.read(async (queries) => {
      const row = await findEndpointAnywhere(queries, id);
      if (!row) throw notFound('webhook endpoint', id);
      const dues = await findNextDue(queries, [id]);
      const secrets = await listSecrets(queries, id);
      return { endpoint: { ...presentState(row, dues.get(id)), secrets: secrets.map(presentSecret) } };
    });
  },
});

const readActivity = controlOperation({
  method: 'GET',
  path: '/_control/endpoints/{id}/activity',
  summary: `An endpoint's latest ${ACTIVITY_MAX} deliveries, newest first, in short`,
  status: 200,
  answer: activity,
  refusals: { 404: 'No such endpoint.' },
  async handle({ services: { storage }, params: { id = '' } }): Promise<EndpointActivity> {
    const rows = await storage.read(async (queries) => {
      const endpoint = await findEndpointAnywhere(queries, id);
      if (!endpoint) throw notFound('webhook endpoint', id);
      const place = { workspaceId: endpoint.workspace_id, endpointId: id };
      return await listEndpointActivity(queries, place, ACTIVITY_MAX + 1);
    });
    return {
      deliveries: rows
        .slice(0, ACTIVITY_MAX)
        .map((row) => ({ id: row.id, status: row.status, createdAt: toTimestamp(row.created_at) })),
      truncated: rows.length > ACTIVITY_MAX,
    };
  },
});

const presentState = (row: EndpointTable, nextDueAt: number | undefined): EndpointState => ({
  id: row.id,
  workspaceId: row.workspace_id,
  active: row.active === 1,
  consecutiveFailures: row.consecutive_failures,
  failuresUntilDisabled: row.active === 1 ? CONSECUTIVE_FAILURES_MAX - row.consecutive_failures : null,
  nextDueAt: toTimestampOrNull(nextDueAt ?? null),
});

const presentSecret = (row: SecretTable): EndpointSecret => ({
  id: row.id,
  preview: row.preview,
  createdAt: toTimestamp(row.created_at),
  expiresAt: toTimestampOrNull(row.expires_at),
  pinned: row.sealed !== null,
});

/** The calls that show endpoints and their activity. */
export const endpointOperations = [readEndpoints, readEndpoint, readActivity];
