import type { WebhookEndpoint } from '@svc/client';
import { LISTENER_DESCRIPTIONS } from '@svc/contract';
import { useState } from 'preact/hooks';
import { serverUrl } from '../../base.ts';
import { useSnippetKey } from '../../data/snippet-key.ts';
import { curlSnippet, listenSnippet, NO_KEY, receiverSnippet } from '../../format/snippets.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Snippet } from '../../ui/snippet.tsx';
import { SnippetKey } from '../snippet-key.tsx';
import { Ping } from './ping.tsx';

const FIRST_PORT = 3000;

/** The first delivery: with one command, or in three steps with an own receiver. */
export function SetUpSteps({
  workspaceId,
  endpoint,
  why,
  onFollow,
  onRegister,
}: {
  workspaceId: string;
  /** The endpoint that the second step registered. */
  endpoint: WebhookEndpoint | undefined;
  /** Why the user may not register an endpoint. */
  why: string | undefined;
  /** Called when the user starts a step. */
  onFollow: () => void;
  onRegister: (url: string) => void;
}) {
  const [port, setPort] = useState(FIRST_PORT);
  const credential = useSnippetKey(workspaceId) ?? NO_KEY;
  const url = `http://localhost:${port}/webhooks`;
  const listens = endpoint?.description?.startsWith(LISTENER_DESCRIPTIONS.responds) === true;
  return (
    <section class="set-up" aria-label="Set up">
      <section class="card">
        <h2>Try it without a receiver</h2>
        <p>
          This command receives deliveries, answers 200 and shows each of them. Add <code>--respond 503</code> to see
          them fail.
        </p>
        <Snippet title="Receive without code" text={listenSnippet({ baseUrl: serverUrl, credential })} />
        <SnippetKey workspaceId={workspaceId} />
        {listens ? (
          <Ping workspaceId={workspaceId} endpoint={endpoint} why={why} onPing={onFollow} atOnce />
        ) : (
          <p class="quiet" role="status">
            Waiting for it. The first delivery then starts by itself.
          </p>
        )}
      </section>
      <ol>
        <li>
          <h2>Start a receiver</h2>
          <p>
            Save it as <code>receiver.mjs</code>, then: <code>npm install @svc/webhooks</code>
          </p>
          <label class="field port">
            <span>It listens on port</span>
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
          <h2>Register its URL</h2>
          {endpoint ? (
            <p class="breaking">
              <Icon name="check" size={14} /> <code>{endpoint.url}</code> is registered.
            </p>
          ) : (
            <>
              <p>
                <code>{url}</code>
              </p>
              <p>You get a signing secret, once, and the command that starts the receiver with it.</p>
              <ActionButton
                class="primary"
                why={why}
                onClick={() => {
                  onFollow();
                  onRegister(url);
                }}
              >
                Register endpoint
              </ActionButton>
            </>
          )}
        </li>
        <li>
          <h2>Ping it</h2>
          <p>The delivery shows what was sent, and what your receiver answered.</p>
          {!listens && <Ping workspaceId={workspaceId} endpoint={endpoint} why={why} onPing={onFollow} />}
          <Snippet title="Call the service" text={curlSnippet({ baseUrl: serverUrl, credential })} />
          <SnippetKey workspaceId={workspaceId} />
        </li>
      </ol>
    </section>
  );
}
