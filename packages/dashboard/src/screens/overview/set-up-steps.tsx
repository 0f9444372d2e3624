import type { ServerInfo } from '@svc/mock-server/control';
import { useState } from 'preact/hooks';
import { serverUrl } from '../../base.ts';
import { control } from '../../data/control.ts';
import { useQuery } from '../../data/query.ts';
import { curlSnippet, receiverSnippet } from '../../format/snippets.ts';
import { Snippet } from '../../ui/shown-once.tsx';

const FIRST_PORT = 3000;

/** Three steps to the first delivery. */
export function SetUpSteps({
  workspaceId,
  why,
  onRegister,
}: {
  workspaceId: string;
  /** Why the reader may not register an endpoint. */
  why: string | undefined;
  onRegister: () => void;
}) {
  const [port, setPort] = useState(FIRST_PORT);
  const { data: info } = useQuery('info', async () => await control<ServerInfo>('GET', '/info'));
  const key = info?.credentials.find((one) => one.kind === 'api_key' && one.workspaceId === workspaceId)?.credential;
  return (
    <section class="set-up" aria-label="Set up">
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
          <p>
            <code>http://localhost:{port}/webhooks</code>. You get a signing secret, once. Start the receiver with it:
          </p>
          <Snippet title="Start it" text="SVC_WEBHOOK_SECRET=whsec_… node receiver.mjs" />
          <button type="button" class="primary" disabled={why !== undefined} title={why} onClick={onRegister}>
            Register endpoint
          </button>
        </li>
        <li>
          <h2>Ping it</h2>
          <p>Open the endpoint and choose Ping. The delivery shows what was sent, and what your receiver answered.</p>
          {key && <Snippet title="Call the service" text={curlSnippet({ baseUrl: serverUrl, credential: key })} />}
        </li>
      </ol>
    </section>
  );
}
