import { PREVIOUS_SECRET_VALID_MS } from '@svc/contract';
import { createSecret } from '../../domain/webhook-secret.ts';
import { findEndpoint } from '../../storage/statements/find-endpoint.ts';
import { insertSecret } from '../../storage/statements/insert-secret.ts';
import { notFound } from '../errors.ts';
import type { Handler } from '../operation.ts';
import { presentSecret } from '../present/endpoint.ts';

export const rotateWebhookSecret: Handler<'rotateWebhookSecret'> = async ({ services, scope, params }) => {
  const now = services.clock.now();
  const { raw, stored } = createSecret(services.masterKey, services.ids.next('webhookSecret'));
  await services.storage.write(async (queries) => {
    const endpoint = await findEndpoint(queries, scope.workspaceId, params.endpointId);
    if (!endpoint) throw notFound('webhook endpoint', params.endpointId);
    await insertSecret(queries, endpoint.id, stored, now, now + PREVIOUS_SECRET_VALID_MS);
  });
  services.endpointChanged(params.endpointId);
  return { secret: presentSecret(raw, stored, now) };
};
