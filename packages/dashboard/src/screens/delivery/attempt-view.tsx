import type { LoggedAttempt } from '@svc/contract/control/types';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { prettyJson } from '../../format/pretty-json.ts';
import { CopyButton } from '../../ui/copy.tsx';
import { HostileText, VisibleText } from '../../ui/hostile-text.tsx';
import { isGood, outcomeText } from './timeline.tsx';

/** Marks each header that has a different value in the compared attempt. */
function Headers({
  headers,
  differing,
}: {
  headers: Readonly<Record<string, string>>;
  differing: ReadonlySet<string>;
}) {
  const rows = Object.entries(headers);
  if (rows.length === 0) return <p class="quiet">No headers.</p>;
  return (
    <dl class="headers">
      {rows.map(([name, value]) => (
        <div key={name} class={differing.has(name.toLowerCase()) ? 'differs' : ''}>
          <dt>
            {name}
            {differing.has(name.toLowerCase()) && <span class="hidden-visually"> (differs)</span>}
          </dt>
          <dd>
            <VisibleText text={value} />
            {name.toLowerCase() === 'webhook-timestamp' && <span class="badge">real time</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Shows a body. Formats JSON, but the copy button copies the exact text. */
function Body({ text, label }: { text: string; label: string }) {
  const pretty = prettyJson(text);
  const [isRaw, setRaw] = useState(false);
  const shown = isRaw || pretty === undefined ? text : pretty;
  return (
    <div class="body-view">
      <div class="body-tools">
        {pretty !== undefined && (
          <div class="segments">
            <button type="button" aria-pressed={!isRaw} onClick={() => setRaw(false)}>
              Pretty
            </button>
            <button type="button" aria-pressed={isRaw} onClick={() => setRaw(true)}>
              Raw
            </button>
          </div>
        )}
        <span class="quiet num">{new TextEncoder().encode(text).length.toLocaleString('en')} bytes</span>
        <CopyButton text={text} label="Copy the body" />
      </div>
      {text === '' ? <p class="quiet">Empty.</p> : <HostileText text={shown} label={label} />}
    </div>
  );
}

function Half({ title, note, children }: { title: string; note: ComponentChildren; children: ComponentChildren }) {
  return (
    <section class="half">
      <h3>
        {title} <span>{note}</span>
      </h3>
      {children}
    </section>
  );
}

export function AttemptView({
  attempt,
  differing,
}: {
  attempt: LoggedAttempt;
  differing: { request: ReadonlySet<string>; response: ReadonlySet<string> };
}) {
  const { request, response } = attempt;
  return (
    <div class="attempt">
      <Half
        title="Request"
        note={
          <>
            <b>POST</b> <bdi title={request.url}>{request.url}</bdi>
          </>
        }
      >
        <Headers headers={request.headers} differing={differing.request} />
        {request.bodyText === null ? (
          <p class="quiet">The event was removed by retention.</p>
        ) : (
          <Body text={request.bodyText} label="Request body" />
        )}
      </Half>
      <Half
        title="Response"
        note={
          <>
            <b class={isGood(attempt) ? 'tone-good' : 'tone-bad'}>{outcomeText(attempt)}</b>{' '}
            <span class="num">{attempt.responseTimeMs} ms</span>
          </>
        }
      >
        {response ? (
          <>
            <Headers headers={response.headers} differing={differing.response} />
            <Body text={response.body ?? ''} label="Response body" />
          </>
        ) : (
          <p class="quiet">{attempt.error}. The receiver sent no response.</p>
        )}
      </Half>
    </div>
  );
}
