import type { WebhookDelivery, WebhookEndpoint } from '@svc/client';
import { useEffect, useState } from 'preact/hooks';
import { serverUrl } from '../../base.ts';
import { clientOf } from '../../data/acting.ts';
import { IS_MOVING, move } from '../../data/move-clock.ts';
import { messageOf } from '../../data/server-error.ts';
import type { Actor } from '../../data/tenants.ts';
import { useControl } from '../../data/use-control.ts';
import { listenSnippet } from '../../format/snippets.ts';
import { deliveryUrl } from '../../routes.ts';
import { moveOrToast } from '../../shell/time-bar.tsx';
import { ActionButton } from '../../ui/action-button.tsx';
import { Snippet } from '../../ui/snippet.tsx';
import { Status } from '../../ui/status.tsx';
import { SnippetKey } from '../snippet-key.tsx';
import { pingFirst } from './first-ping.ts';

/**
 * Shows a command that receives deliveries. When the command runs, the page sends the first delivery without a click.
 */
export function TryListen({
  workspaceId,
  credential,
  responder,
  latest,
  actor,
}: {
  workspaceId: string;
  credential: string;
  /** The endpoint of the command, if the command is running. */
  responder: WebhookEndpoint | undefined;
  latest: WebhookDelivery | undefined;
  actor: Actor;
}) {
  // The id of the delivery to show. The page still shows this delivery after the command has ended, even if there are
  // newer deliveries.
  const [deliveryId, setDeliveryId] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const why = actor.why('workspace:developer:write');
  const pings = responder !== undefined && latest === undefined && actor.isKnown && why === undefined;
  useEffect(() => {
    if (!pings) return;
    pingFirst(clientOf(workspaceId).webhooks, responder.id).then(
      (id) => setDeliveryId((known) => known ?? id),
      (error: unknown) => setProblem(messageOf(error)),
    );
  }, [pings, responder?.id, workspaceId]);
  useEffect(() => {
    // Show the latest delivery if another window has sent the ping, or if somebody has triggered an event.
    if (latest && latest.endpointId === responder?.id) setDeliveryId((known) => known ?? latest.id);
  }, [latest, responder?.id]);
  return (
    <section class="card try-listen">
      <h2>Try it without a receiver</h2>
      <p>
        This command receives deliveries, responds with 200 and shows each of them. Add <code>--respond 503,200</code>{' '}
        to see the first attempt fail and the next attempt succeed.
      </p>
      <Snippet title="Receive without code" text={listenSnippet({ baseUrl: serverUrl, credential })} />
      <SnippetKey workspaceId={workspaceId} />
      <div class="first-delivery" role="status">
        {problem ? (
          <p class="problem">{problem}</p>
        ) : deliveryId ? (
          <FirstDelivery workspaceId={workspaceId} id={deliveryId} />
        ) : (
          <p class="quiet">{waitingText(responder !== undefined, latest !== undefined, why)}</p>
        )}
      </div>
    </section>
  );
}

function waitingText(isRunning: boolean, hasDeliveries: boolean, why: string | undefined): string {
  if (why === undefined && !hasDeliveries) {
    return isRunning
      ? 'The command is running. Sending the first delivery …'
      : 'Waiting for the command to run. The first delivery starts when the command runs.';
  }
  const text = isRunning
    ? 'The command is running. Trigger an event below.'
    : 'Waiting for the command to run. When the command runs, trigger an event below.';
  return why === undefined ? text : `${text} This page sends no ping (${why}).`;
}

function FirstDelivery({ workspaceId, id }: { workspaceId: string; id: string }) {
  const options = { params: { deliveryId: id } };
  const concerns = ['deliveries', 'endpoints', 'clock'] as const;
  const { data } = useControl('/deliveries/{deliveryId}/explanation', options, concerns);
  const explanation = data?.explanation;
  // The first attempt is made immediately, so only later attempts need the clock.
  const next = explanation && explanation.attempt > 0 ? explanation.nextAttemptAt : null;
  return (
    <>
      <p class="row wrap">
        {explanation ? <Status value={explanation.status} /> : <span class="skeleton" />}
        <span>{explanation?.sentence}</span>
      </p>
      <p class="row wrap">
        {next && (
          <ActionButton
            icon="skip"
            class="primary"
            why={move.value === undefined ? undefined : IS_MOVING}
            onClick={() => moveOrToast({ set: next }, Date.parse(next))}
          >
            Advance to next attempt
          </ActionButton>
        )}
        <a href={deliveryUrl(workspaceId, id)}>Open the delivery</a>
      </p>
    </>
  );
}
