import { signatureHeaders } from '../../domain/signature.ts';
import { revealSecret, signingKeyOf } from '../../domain/webhook-secret.ts';
import { findDeliveryAnywhere } from '../../storage/statements/deliveries/read.ts';
import { findEndpoint } from '../../storage/statements/endpoints.ts';
import { findEventBody } from '../../storage/statements/events.ts';
import { listSecrets } from '../../storage/statements/secrets.ts';
import { ApiError, notFound } from '../errors.ts';
import type { ControlHandlers } from './operation.ts';

/** The call that signs a payload. */
export const signatureHandlers = {
  async signDelivery({ services: { storage, clock, masterKey }, params: { deliveryId } }) {
    return await storage.read(async (queries) => {
      const delivery = await findDeliveryAnywhere(queries, deliveryId);
      const body = delivery && (await findEventBody(queries, delivery.workspace_id, delivery.payload_event_id));
      if (!delivery || body === undefined) throw notFound('webhook delivery', deliveryId);
      const endpoint = await findEndpoint(queries, delivery.workspace_id, delivery.endpoint_id);
      if (!endpoint) throw new ApiError('CONFLICT', `The webhook endpoint ${delivery.endpoint_id} is deleted.`);
      const secrets = (await listSecrets(queries, endpoint.id)).filter(
        ({ expires_at }) => expires_at === null || expires_at > clock.now(),
      );
      const keys = secrets.map((secret) => signingKeyOf(revealSecret(masterKey, secret)));
      const timestamp = Math.floor(clock.realNow() / 1000);
      const headers = signatureHeaders({ id: deliveryId, timestamp, body }, keys);
      return { url: endpoint.url, headers: { 'content-type': 'application/json', ...headers }, body };
    });
  },
} satisfies Partial<ControlHandlers>;
