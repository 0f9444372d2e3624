import type { ControlRequest, RequestFilters, RequestMethod } from '@svc/contract/control/types';
import { useLocation } from 'preact-iso/router';
import { control } from '../../data/control.ts';
import { messageOf } from '../../data/server-error.ts';
import { queryFrom, urlFilters } from '../../data/url-filters.ts';
import { shortenId } from '../../format/text.ts';
import { inWorkspace } from '../../routes.ts';
import type { ScreenProps } from '../../screen-props.ts';
import { Icon } from '../../ui/icons.tsx';
import { Rows, SkeletonRows } from '../../ui/rows.tsx';
import { Time } from '../../ui/time.tsx';
import { useTitle } from '../../ui/title.ts';
import { useList } from '../deliveries/use-list.ts';
import { RequestDialog } from './dialog.tsx';
import { toneOf } from './tone.ts';

const FILTERS = ['method', 'status', 'path', 'workspaceId', 'credentialId', 'ignored'] as const;
const METHODS: readonly RequestMethod[] = ['GET', 'POST', 'PATCH', 'DELETE'];
const LABELS = { method: 'Method', status: 'Status', ignored: 'Ignored input' } as const;
const STATUSES = ['2xx', '4xx', '5xx', '401', '403', '429', '503'];

const COLUMNS = [
  ['status', 'Status'],
  ['type', 'Request'],
  ['endpoint', 'Operation'],
  ['response', 'Duration'],
  ['time', 'Received'],
] as const;

/** Ids increase with time, so the list's rows can be compared. */
type Row = ControlRequest & { id: string };

/** The requests that this server's API received, in real time. */
export function RequestsScreen({ workspaceId, query }: ScreenProps) {
  const filters = urlFilters(FILTERS, query);
  const { route } = useLocation();
  const open = query['request'];
  const { list, rows, isLoading, error, isStale, more, restart, see } = useList<Row>(
    JSON.stringify(['requests', filters]),
    {
      first: async () =>
        await control('GET', '/requests', { query: { ...queryFrom<RequestFilters>(filters), limit: 100 } }),
      at: async (pageUrl) => await control('GET', '/requests', { pageUrl }),
      concerns: ({ requests }) => requests !== undefined,
    },
    false,
  );
  useTitle('Requests', workspaceId);
  const go = (change: Record<string, string | undefined>) =>
    route(inWorkspace(workspaceId, 'requests', { ...filters, ...change }));
  const urlOf = (request: string | undefined) => inWorkspace(workspaceId, 'requests', { ...filters, request });
  const pick = (name: keyof typeof LABELS, options: readonly string[]) => (
    <label class={`pick ${filters[name] ? 'on' : ''}`}>
      <span>{LABELS[name]}</span>
      <select value={filters[name] ?? ''} onChange={(event) => go({ [name]: event.currentTarget.value || undefined })}>
        <option value="">any</option>
        {[...new Set([...options, ...(filters[name] ? [filters[name]] : [])])].map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
      <Icon name="chevron" size={12} />
    </label>
  );
  const waiting = list.waiting.size;
  const isEmpty = !isLoading && error === undefined && rows.length === 0;
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>Requests</h1>
        <span class="badge">of this server</span>
        <span class="badge">real time</span>
      </header>
      <search class="filters" aria-label="Filters">
        {pick('method', METHODS)}
        {pick('status', STATUSES)}
        {pick('ignored', ['true', 'false'])}
        <label class={`pick ${filters.workspaceId ? 'on' : ''}`}>
          <span>Workspace</span>
          <select
            value={filters.workspaceId ?? ''}
            onChange={(event) => go({ workspaceId: event.currentTarget.value || undefined })}
          >
            <option value="">any</option>
            <option value={workspaceId}>this one</option>
            {filters.workspaceId && filters.workspaceId !== workspaceId && (
              <option value={filters.workspaceId}>{shortenId(filters.workspaceId)}</option>
            )}
          </select>
          <Icon name="chevron" size={12} />
        </label>
        {(['path', 'credentialId'] as const).map(
          (name) =>
            filters[name] && (
              <span key={name} class="chip">
                {name}: <b>{filters[name]}</b>
                <button
                  type="button"
                  aria-label={`Remove the filter ${name}`}
                  onClick={() => go({ [name]: undefined })}
                >
                  <Icon name="cross" size={12} />
                </button>
              </span>
            ),
        )}
      </search>
      {error !== undefined ? (
        <div class="notice in-list" role="alert">
          <h2>Cannot show this list</h2>
          <p>{messageOf(error)}</p>
          <a class="button" href={inWorkspace(workspaceId, 'requests')}>
            Remove all filters
          </a>
        </div>
      ) : (
        <div class={`table-area ${isStale ? 'stale' : ''}`}>
          {waiting > 0 && (
            <button type="button" class="new-rows" onClick={restart}>
              {waiting >= 100 ? '100+' : waiting} new
            </button>
          )}
          {!isEmpty && (
            <div
              role="table"
              class="table"
              aria-label="Requests, newest first"
              aria-rowcount={-1}
              aria-busy={isLoading}
            >
              <div role="rowgroup">
                <div role="row" class="row-line head" aria-rowindex={1}>
                  <div class="cells request-cells">
                    {COLUMNS.map(([name, text]) => (
                      <span key={name} role="columnheader" class={`c-${name}`}>
                        {text}
                      </span>
                    ))}
                  </div>
                </div>
              </div>
              {isLoading ? (
                <SkeletonRows columns={COLUMNS.length} />
              ) : (
                <Rows items={rows} hasMore={list.nextPageUrl !== null} onMore={more} onSee={see}>
                  {(request) => (
                    <div class="cells request-cells">
                      <span role="cell" class={`c-status num ${toneOf(request.status)}`}>
                        {request.status ?? 'cut'}
                      </span>
                      <span role="cell" class="c-type">
                        <a class="row-link" href={urlOf(request.id)}>
                          <b>{request.method}</b> {request.url}
                        </a>
                      </span>
                      <span role="cell" class="c-endpoint quiet">
                        {request.operation ?? 'no route'}
                        {request.faultId && <span class="badge tone-waiting">fault</span>}
                        {request.ignored.length > 0 && <span class="badge tone-waiting">ignored input</span>}
                      </span>
                      <span role="cell" class="c-response num quiet">
                        {request.durationMs} ms
                      </span>
                      <span role="cell" class="c-time">
                        <Time value={request.receivedAt} real />
                      </span>
                    </div>
                  )}
                </Rows>
              )}
            </div>
          )}
          {isEmpty && (
            <div class="notice in-list">
              <h2>No requests</h2>
              <p>The latest 1,000 requests to /v1 appear here. Requests of this page are not included.</p>
            </div>
          )}
        </div>
      )}
      {open && (
        <RequestDialog id={open} known={rows.find(({ id }) => id === open)} onClose={() => route(urlOf(undefined))} />
      )}
    </div>
  );
}
