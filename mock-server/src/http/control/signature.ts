import { z } from 'zod';
import type { SignedNow } from '../../control/index.ts';
import { signatureHeaders } from '../../domain/signature.ts';
import { revealSecret, signingKeyOf } from '../../domain/webhook-secret.ts';
import { findDeliveryAnywhere } from '../../storage/statements/find-delivery-anywhere.ts';
import { findEndpoint } from '../../storage/statements/find-endpoint.ts';
import { findEventBody } from '../../storage/statements/find-event-body.ts';
import { listSecrets } from '../../storage/statements/list-secrets.ts';
import { ApiError, notFound } from '../errors.ts';
import { controlOperation } from './operation.ts';

const signed = z.object({
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().describe('The body, byte for byte'),
}) satisfies z.ZodType<SignedNow>;

const signNow = controlOperation({
  method: 'POST',
  path: '/_control/deliveries/{id}/signature',
  summary: "Sign a delivery's request with the real time and its endpoint's current secrets, to send it by hand",
  status: 200,
  answer: signed,
  refusals: { 404: 'No such delivery.', 409: 'Its endpoint was deleted, so it has no secrets.' },
  async handle({ services: { storage, clock, masterKey }, params: { id = '' } }): Promise<SignedNow> {
    return await storage.read(async (queries) => {
      const delivery = await findDeliveryAnywhere(queries, id);
      const body = delivery && (await findEventBody(queries, delivery.workspace_id, delivery.payload_event_id));
      if (!delivery || body === undefined) throw notFound('webhook delivery', id);
      const endpoint = await findEndpoint(queries, delivery.workspace_id, delivery.endpoint_id);
      if (!endpoint) throw new ApiError('CONFLICT', `The webhook endpoint ${delivery.endpoint_id} is deleted.`);
      const secrets = (await listSecrets(queries, endpoint.id)).filter(
        ({ expires_at }) => expires_at === null || expires_at > clock.now(),
      );
      const keys = secrets.map((secret) => signingKeyOf(revealSecret(masterKey, secret)));
      const timestamp = Math.floor(clock.realNow() / 1000);
      const headers = signatureHeaders({ id, timestamp, body }, keys);
      return { url: endpoint.url, headers: { 'content-type': 'application/json', ...headers }, body };
    });
  },
});

/** The call that signs a payload. */
export const signatureOperations = [signNow];
