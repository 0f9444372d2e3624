import { CONSECUTIVE_FAILURES_MAX } from '@svc/contract';
import type { EndpointSecret, EndpointState } from '@svc/contract/control/resources';
import { listenSecretOf, pinSecret } from '../../domain/derive-secret.ts';
import { insertSecret } from '../../storage/changes/endpoints.ts';
import { findNextDue } from '../../storage/delivery/due.ts';
import type { EndpointTable, SecretTable } from '../../storage/schema/webhooks.ts';
import { findDeliveriesOfEndpoint } from '../../storage/statements/deliveries/list.ts';
import { listEndpoints, lockEndpoint } from '../../storage/statements/endpoints.ts';
import { listSecrets } from '../../storage/statements/secrets.ts';
import { notFound } from '../errors.ts';
import { respondWithSinglePage } from '../list.ts';
import { toTimestamp, toTimestampOrNull } from '../present.ts';
import { existingEndpoint, existingWorkspace } from './existing.ts';
import type { ControlHandlers } from './operation.ts';

const ACTIVITY_MAX = 1_000;

export const endpointHandlers = {
  async listEndpoints({ services: { storage }, query: { workspaceId, page } }) {
    const states = await storage.read(async (queries) => {
      await existingWorkspace(queries, workspaceId);
      const rows = await listEndpoints(queries, workspaceId);
      const ids = rows.map(({ id }) => id);
      const dues = await findNextDue(queries, ids);
      return rows.map((row) => presentState(row, dues.get(row.id)));
    });
    return respondWithSinglePage(states, page);
  },

  async readEndpoint({ services: { storage }, params: { endpointId } }) {
    return await storage.read(async (queries) => {
      const row = await existingEndpoint(queries, endpointId);
      const dues = await findNextDue(queries, [endpointId]);
      const secrets = await listSecrets(queries, endpointId);
      return { endpoint: { ...presentState(row, dues.get(endpointId)), secrets: secrets.map(presentSecret) } };
    });
  },

  async readListenSecret({ services, params: { workspaceId } }) {
    return { secret: listenSecretOf(services.masterKey, workspaceId) };
  },

  async useListenSecret({ services: { storage, clock, ids, masterKey, random }, params: { endpointId } }) {
    const secret = await storage.write(async (queries) => {
      const endpoint = await existingEndpoint(queries, endpointId);
      if (!(await lockEndpoint(queries, endpointId))) throw notFound('webhook endpoint', endpointId);
      const now = clock.now();
      const raw = listenSecretOf(masterKey, endpoint.workspace_id);
      await insertSecret(queries, endpointId, pinSecret(masterKey, ids.next('webhookSecret'), raw, random), {
        now,
        previousExpiresAt: now,
      });
      return raw;
    });
    return { secret };
  },

  async readActivity({ services: { storage }, params: { endpointId } }) {
    const rows = await storage.read((queries) => findDeliveriesOfEndpoint(queries, endpointId, ACTIVITY_MAX + 1));
    if (!rows) throw notFound('webhook endpoint', endpointId);
    return {
      deliveries: rows
        .slice(0, ACTIVITY_MAX)
        .map((row) => ({ id: row.id, status: row.status, createdAt: toTimestamp(row.created_at) })),
      truncated: rows.length > ACTIVITY_MAX,
    };
  },
} satisfies Partial<ControlHandlers>;

const presentState = (row: EndpointTable, nextDueAt: number | undefined): EndpointState => ({
  id: row.id,
  workspaceId: row.workspace_id,
  active: row.active === 1,
  consecutiveFailures: row.consecutive_failures,
  failuresUntilDisabled: row.active === 1 ? CONSECUTIVE_FAILURES_MAX - row.consecutive_failures : null,
  disabledAt: toTimestampOrNull(row.disabled_at),
  nextDueAt: toTimestampOrNull(nextDueAt),
});

const presentSecret = (row: SecretTable): EndpointSecret => ({
  id: row.id,
  preview: row.preview,
  createdAt: toTimestamp(row.created_at),
  expiresAt: toTimestampOrNull(row.expires_at),
  pinned: row.sealed !== null,
});
