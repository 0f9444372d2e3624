import type { ControlRequest } from '@svc/contract/control/types';
import { serverUrl } from '../../base.ts';
import { messageOf, statusOf } from '../../data/server-error.ts';
import { useControl } from '../../data/use-control.ts';
import { curlCommand } from '../../format/curl.ts';
import { prettyJson } from '../../format/pretty-json.ts';
import { shortenId } from '../../format/text.ts';
import { docsUrl } from '../../routes.ts';
import { CopyButton } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { HostileText } from '../../ui/hostile-text.tsx';
import { Id } from '../../ui/id.tsx';
import { Problem } from '../../ui/problem.tsx';

/** Returns the CSS class for a status. A null status means that a fault cut the connection. */
export const toneOfStatus = (status: number | null): string =>
  status === null || status >= 500 ? 'tone-bad' : status >= 400 ? 'tone-waiting' : 'tone-good';

/** Shows a request and its response. `known` is the request's row, if the list contains this row. */
export function RequestDialog({
  id,
  known,
  onClose,
}: {
  id: string;
  known: ControlRequest | undefined;
  onClose: () => void;
}) {
  const path = known ? undefined : '/requests/{requestId}';
  const { data, error } = useControl(path, { params: { requestId: id } }, []);
  const request = known ?? data?.request;
  const isGone = statusOf(error) === 404;
  return (
    <Dialog title={request ? `${request.method} ${request.url}` : `Request ${shortenId(id)}`} onClose={onClose} wide>
      {request && <RequestDetails request={request} />}
      {!request && error !== undefined && (
        <Problem>
          {isGone
            ? 'The server has no such request. The server keeps the latest 1,000 requests in memory until it restarts or is reset.'
            : messageOf(error)}
        </Problem>
      )}
      <footer>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </footer>
    </Dialog>
  );
}

function RequestDetails({ request }: { request: ControlRequest }) {
  const { method, url, headers, operation, ignored, requestBody, responseBody } = request;
  const body = (title: string, text: string | null) =>
    text !== null && (
      <>
        <h3>{title}</h3>
        <HostileText text={prettyJson(text) ?? text} label={title} />
      </>
    );
  return (
    <>
      <p class="row wrap">
        <b class={toneOfStatus(request.status)}>{request.status ?? 'cut by a fault'}</b>
        <span class="quiet num">{request.durationMs} ms</span>
        <Id value={request.id} whole />
        <CopyButton
          label="Copy as curl"
          text={curlCommand({ method, url: serverUrl + url, headers, body: requestBody })}
        >
          Copy as curl
        </CopyButton>
        {operation && (
          <a class="button" href={docsUrl(operation)}>
            {operation} in the API reference
          </a>
        )}
      </p>
      {ignored.length > 0 && (
        <>
          <h3>Ignored input</h3>
          <p>
            The operation does not have these fields or parameters, so they had no effect:{' '}
            <code>{ignored.join(', ')}</code>
          </p>
        </>
      )}
      <h3>Request headers</h3>
      <dl class="headers">
        {Object.entries(headers).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {body('Request body', requestBody)}
      {body('Response body', responseBody)}
    </>
  );
}
