import type { ControlRequest, RequestFilters, RequestMethod } from '@svc/contract/control/types';
import { useLocation } from 'preact-iso/router';
import { control } from '../../data/control.ts';
import { queryFrom, urlFilters } from '../../data/url-filters.ts';
import { shortenId } from '../../format/text.ts';
import { inWorkspace } from '../../routes.ts';
import type { ScreenProps } from '../../screen-props.ts';
import { Notice, RemoveFilters } from '../../ui/empty-state.tsx';
import { FilterChip } from '../../ui/filter-chip.tsx';
import { optionsOf, Pick } from '../../ui/pick.tsx';
import { ScreenHead } from '../../ui/screen-head.tsx';
import { Time } from '../../ui/time.tsx';
import { useTitle } from '../../ui/title.ts';
import { ListTable, newRows, PAGE_SIZE } from '../list/list-table.tsx';
import { useList } from '../list/use-list.ts';
import { RequestDialog, toneOfStatus } from './dialog.tsx';

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

/** Ids increase with time, so new rows are found by comparing ids. */
type Row = ControlRequest & { id: string };

/** Lists the requests to the server, with real times instead of virtual times. */
export function RequestsScreen({ workspaceId, query }: ScreenProps) {
  const filters = urlFilters(FILTERS, query);
  const { route } = useLocation();
  const open = query['request'];
  const followed = useList<Row>(
    JSON.stringify(['requests', filters]),
    {
      first: async () =>
        await control('GET', '/requests', { query: { ...queryFrom<RequestFilters>(filters), limit: PAGE_SIZE } }),
      at: async (pageUrl) => await control('GET', '/requests', { pageUrl }),
      concerns: ['requests'],
    },
    false,
  );
  useTitle('Requests', workspaceId);
  const go = (change: Record<string, string | undefined>) =>
    route(inWorkspace(workspaceId, 'requests', { ...filters, ...change }));
  const unfiltered = inWorkspace(workspaceId, 'requests');
  const urlOf = (request: string | undefined) => inWorkspace(workspaceId, 'requests', { ...filters, request });
  const pick = (name: keyof typeof LABELS, options: readonly string[]) => (
    <Pick
      label={LABELS[name]}
      value={filters[name]}
      options={optionsOf(options)}
      onPick={(value) => go({ [name]: value })}
    />
  );
  return (
    <div class="screen">
      <ScreenHead
        title="Requests"
        about={
          <>
            <span class="badge">of this server</span>
            <span class="badge">real time</span>
          </>
        }
      />
      <search class="filters" aria-label="Filters">
        {pick('method', METHODS)}
        {pick('status', STATUSES)}
        {pick('ignored', ['true', 'false'])}
        <Pick
          label="Workspace"
          value={filters.workspaceId}
          text={filters.workspaceId && shortenId(filters.workspaceId)}
          options={[[workspaceId, 'this workspace']]}
          onPick={(value) => go({ workspaceId: value })}
        />
        {(['path', 'credentialId'] as const).map(
          (name) =>
            filters[name] && (
              <FilterChip key={name} name={name} value={filters[name]} onRemove={() => go({ [name]: undefined })} />
            ),
        )}
      </search>
      <ListTable
        followed={followed}
        label="Requests, newest first"
        cells="cells request-cells"
        columns={COLUMNS}
        news={newRows(followed)}
        unfiltered={unfiltered}
        empty={<NoRequests unfiltered={unfiltered} isFiltered={Object.keys(filters).length > 0} />}
      >
        {(request) => <RequestCells request={request} url={urlOf(request.id)} />}
      </ListTable>
      {open && (
        <RequestDialog
          id={open}
          known={followed.rows.find(({ id }) => id === open)}
          onClose={() => route(urlOf(undefined))}
        />
      )}
    </div>
  );
}

function NoRequests({ unfiltered, isFiltered }: { unfiltered: string; isFiltered: boolean }) {
  return isFiltered ? (
    <Notice title="No request matches" text="None of the latest 1,000 requests to /v1 matches all of these filters.">
      <RemoveFilters unfiltered={unfiltered} />
    </Notice>
  ) : (
    <Notice
      title="No requests"
      text="The latest 1,000 requests to /v1 appear here. Requests of this page are not included."
    />
  );
}

function RequestCells({ request, url }: { request: Row; url: string }) {
  return (
    <div class="cells request-cells">
      <span role="cell" class={`c-status num ${toneOfStatus(request.status)}`}>
        {request.status ?? 'cut'}
      </span>
      <span role="cell" class="c-type">
        <a class="row-link" href={url}>
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
  );
}
