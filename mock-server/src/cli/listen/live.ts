import type { WebhookDeliveryDetail } from '@svc/client';
import { parseSecret, WebhookError } from '@svc/webhooks';
import type { CommandContext, Scope } from '../context.ts';
import { every } from '../every.ts';
import { UsageError } from '../exit-codes.ts';
import type { Output } from '../output/output.ts';
import { fixtureOf, isStale, saveFixture, signedAnew } from './fixture.ts';
import { createFollower } from './follow.ts';
import type { createForwarder } from './forward.ts';
import { lineOf, shownOf } from './shown.ts';

/** While there are no new deliveries, polling at this interval uses a tenth of an API key's rate limit. */
const POLL_INTERVAL_MS = 2_000;

export interface LiveOptions {
  target: string | undefined;
  endpoint?: string;
  secret?: string;
  save?: string;
  skipVerifyTls?: true;
  apiKey?: string;
}

/** Forwards and saves the deliveries of a real service, until the signal aborts. Changes nothing in the service. */
export async function listenLive(context: CommandContext, options: LiveOptions): Promise<void> {
  const { output, signal, url } = context;
  const { target, save } = options;
  if (options.apiKey === undefined) {
    throw new UsageError('--live requires your own credential: pass --api-key <key>, or set SVC_API_KEY.');
  }
  if (target === undefined && save === undefined) {
    throw new UsageError('Choose what to do with each delivery: --forward-to <url>, --save <dir>, or both.');
  }
  if (options.secret !== undefined) checkSecret(options.secret);
  const svc = await context.api();
  let look: Awaited<ReturnType<typeof createFollower>>;
  try {
    await checkEndpoint(svc, options.endpoint, output);
    look = await createFollower(svc, options.endpoint);
  } catch (error) {
    if (Object(error).name !== 'NetworkError') throw error;
    throw new UsageError(`Cannot reach ${url} (${(error as Error).message}). Check --server.`, { cause: error });
  }
  output.item({ listening: true, live: url, forwardTo: target, save }, () => [
    `Following the deliveries of ${url}. Stop with Ctrl+C.`,
    ...(target === undefined ? [] : [`Forwarding to ${target}`]),
    ...(save === undefined ? [] : [`Saving to ${save}`]),
  ]);
  const { createForwarder } = await import('./forward.ts');
  await using forwarder =
    target === undefined ? undefined : createForwarder(target, { verifyTls: !options.skipVerifyTls });
  const take = createTaker(context, svc, options, forwarder?.forward);
  let isAway = false;
  for await (const _ of every(POLL_INTERVAL_MS, signal)) {
    try {
      for await (const delivery of look()) await take(delivery);
      isAway = false;
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (!isAway) output.note(`${(error as Error).message} Retrying until the service responds.`);
      isAway = true;
    }
  }
}

async function checkEndpoint({ webhooks }: Scope, endpoint: string | undefined, output: Output): Promise<void> {
  if (endpoint !== undefined) return void (await webhooks.endpoints.retrieve(endpoint));
  const { data } = await webhooks.endpoints.list();
  if (data.length > 1)
    output.note(`There are ${data.length} endpoints with different secrets. Choose one with --endpoint ${data[0]?.id}`);
}

/** Checks the secret at the start, and not only when it is needed to sign an old delivery again. */
function checkSecret(secret: string): void {
  try {
    parseSecret(secret);
  } catch (error) {
    throw new UsageError(`--secret is invalid. ${WebhookError.is(error) ? error.hint : error}`);
  }
}

function createTaker(
  { output }: CommandContext,
  svc: Scope,
  { secret, save }: LiveOptions,
  forward: ReturnType<typeof createForwarder>['forward'] | undefined,
) {
  const urls = new Map<string, string>();

  /** Returns an empty string if the endpoint was deleted. */
  async function urlOf(endpointId: string): Promise<string> {
    if (!urls.has(endpointId)) {
      for (const { id, url } of (await svc.webhooks.endpoints.list()).data) urls.set(id, url);
    }
    return urls.get(endpointId) ?? '';
  }

  return async (delivery: WebhookDeliveryDetail): Promise<void> => {
    const { id, eventType, endpointId } = delivery;
    const sent = fixtureOf(delivery, await urlOf(endpointId));
    if (!sent) return output.note(`The service does not return the request of the delivery ${id}.`);
    const saved = save === undefined ? undefined : saveFixture(save, id, sent);
    if (!forward) return output.item({ deliveryId: id, eventType, saved }, () => `${id}  ${eventType}  ${saved}`);
    const old = isStale(sent, Date.now());
    if (old && secret === undefined) {
      output.note(
        `${id} is older than five minutes, so its signature fails. To sign the delivery again, pass --secret.`,
      );
    }
    const message = old && secret !== undefined ? signedAnew(sent, id, secret) : sent;
    const shown = shownOf(id, eventType, await forward(message.headers, Buffer.from(message.body)));
    output.item({ ...shown, signedAnew: message !== sent, saved }, () => lineOf(output, shown));
  };
}

const isPassing = (error: unknown) => {
  const { name, status } = Object(error) as { name?: unknown; status?: unknown };
  return name === 'NetworkError' || name === 'TimeoutError' || status === 429 || Number(status) >= 500;
};
