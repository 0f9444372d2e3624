import { PREVIOUS_SECRET_VALID_MS, PREVIOUS_SECRETS_MAX } from '@svc/contract';
import { createSecret } from '../../domain/webhook-secret.ts';
import { findEndpoint, lockEndpoint } from '../../storage/statements/endpoints.ts';
import { findSecretExpiries, insertSecret } from '../../storage/statements/secrets.ts';
import { ApiError, notFound } from '../errors.ts';
import type { Handler } from '../operation.ts';
import { presentSecret } from '../present/endpoint.ts';
import { toTimestamp } from '../present/timestamp.ts';

export const rotateWebhookSecret: Handler<'rotateWebhookSecret'> = async ({ services, scope, params }) => {
  const now = services.clock.now();
  const { raw, stored } = createSecret(services.masterKey, services.ids.next('webhookSecret'), services.random);
  await services.storage.write(async (queries) => {
    const endpoint = await findEndpoint(queries, scope.workspaceId, params.endpointId);
    if (!endpoint) throw notFound('webhook endpoint', params.endpointId);
    await lockEndpoint(queries, endpoint.id);
    const expiries = await findSecretExpiries(queries, endpoint.id, now);
    if (expiries.length >= PREVIOUS_SECRETS_MAX) {
      throw new ApiError(
        'CONFLICT',
        `The webhook endpoint ${endpoint.id} has ${PREVIOUS_SECRETS_MAX} previous secrets that are still valid; it can be rotated again from ${toTimestamp(Math.min(...expiries))} on.`,
      );
    }
    await insertSecret(queries, endpoint.id, stored, {
      now,
      previousExpiresAt: now + PREVIOUS_SECRET_VALID_MS,
    });
  });
  return { secret: presentSecret(raw, stored, now) };
};
