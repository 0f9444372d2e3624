import type { WebhookDelivery, WebhookEndpoint } from '@svc/client';
import { LISTENER_DESCRIPTIONS } from '@svc/contract';
import { useState } from 'preact/hooks';
import { serverUrl } from '../../base.ts';
import { useSnippetKey } from '../../data/snippet-key.ts';
import type { Actor } from '../../data/tenants.ts';
import { curlSnippet, NO_KEY, receiverSnippet } from '../../format/snippets.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Snippet } from '../../ui/snippet.tsx';
import { Ping } from './ping.tsx';
import { TryListen } from './try-listen.tsx';

const FIRST_PORT = 3000;

/**
 * Whether `svc-mock listen` has registered the endpoint, and responds to its deliveries itself instead of forwarding
 * them.
 */
const isResponder = ({ active, description }: WebhookEndpoint) =>
  active && description?.startsWith(LISTENER_DESCRIPTIONS.responds) === true;

/** Shows how to get the first delivery: with one command, or in three steps with the user's own receiver. */
export function SetUpSteps({
  workspaceId,
  endpoints,
  latest,
  actor,
  onRegister,
}: {
  workspaceId: string;
  endpoints: readonly WebhookEndpoint[];
  latest: WebhookDelivery | undefined;
  actor: Actor;
  onRegister: (url: string) => void;
}) {
  const [port, setPort] = useState(FIRST_PORT);
  const credential = useSnippetKey(workspaceId) ?? NO_KEY;
  const url = `http://localhost:${port}/webhooks`;
  const responder = endpoints.find(isResponder);
  const own = endpoints.find((endpoint) => !isResponder(endpoint));
  const why = actor.why('workspace:developer:write');
  return (
    <section class="set-up" aria-label="Set up">
      <TryListen
        workspaceId={workspaceId}
        credential={credential}
        responder={responder}
        latest={latest}
        actor={actor}
      />
      <ol>
        <li>
          <h2>Start a receiver</h2>
          <p>
            Save this program as <code>receiver.mjs</code>, then: <code>npm install @svc/webhooks</code>
          </p>
          <label class="field port">
            <span>The receiver listens on port</span>
            <input
              type="number"
              min={1}
              max={65535}
              value={port}
              onInput={(event) => setPort(Number(event.currentTarget.value) || FIRST_PORT)}
            />
          </label>
          <Snippet title="receiver.mjs" text={receiverSnippet(port)} />
        </li>
        <li>
          <h2>Register the URL of the receiver</h2>
          {own ? (
            <p class="breaking">
              <Icon name="check" size={14} /> <code>{own.url}</code> is registered.
            </p>
          ) : (
            <>
              <p>
                <code>{url}</code>
              </p>
              <p>
                You get a signing secret, which is shown once, and the command that starts the receiver with this
                secret.
              </p>
              <ActionButton class="primary" why={why} onClick={() => onRegister(url)}>
                Register endpoint
              </ActionButton>
            </>
          )}
        </li>
        <li>
          <h2>Ping the receiver</h2>
          <p>The delivery shows the request, and the response of your receiver.</p>
          <Ping workspaceId={workspaceId} endpoint={own} why={why} />
          <Snippet title="Call the service" text={curlSnippet({ baseUrl: serverUrl, credential })} />
        </li>
      </ol>
    </section>
  );
}
