import type { Event } from '@svc/client';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { actingUserId, clientOf } from '../../data/acting.ts';
import { useEventTypes } from '../../data/endpoints.ts';
import { messageOf, statusOf } from '../../data/server-error.ts';
import { shortenId } from '../../format/text.ts';
import { eventUrl, inWorkspace } from '../../routes.ts';
import type { ScreenProps } from '../../screen-props.ts';
import { Icon } from '../../ui/icons.tsx';
import { Rows, SkeletonRows } from '../../ui/rows.tsx';
import { Time } from '../../ui/time.tsx';
import { useTitle } from '../../ui/title.ts';
import { useList } from '../deliveries/use-list.ts';
import { Failure } from '../not-found.tsx';
import { TriggerDialog } from './trigger.tsx';
import { TriggerSnippets } from './trigger-snippets.tsx';

const PAGE_SIZE = 100;
const FILTERS = ['type', 'subjectType', 'subjectId'] as const;
const COLUMNS = [
  ['type', 'Type'],
  ['event', 'Event'],
  ['subject', 'Subject'],
  ['time', 'Created'],
] as const;

/** Every event of the workspace, newest first. */
export function EventsScreen({ workspaceId, query }: ScreenProps) {
  const filters = Object.fromEntries(FILTERS.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
  const { data: types = [] } = useEventTypes(workspaceId);
  const { route } = useLocation();
  const [isTriggering, setTriggering] = useState(false);
  const { events } = clientOf(workspaceId);
  const { list, rows, isLoading, error, isStale, more, restart, see } = useList<Event>(
    JSON.stringify([workspaceId, 'events', filters, actingUserId.value]),
    {
      first: () => events.list({ ...filters, limit: PAGE_SIZE }),
      at: (url) => events.list.resume(url),
      concerns: ({ events: changed }) => changed !== undefined,
    },
    false,
  );
  useTitle('Events', workspaceId);
  const go = (change: Record<string, string | undefined>) =>
    route(inWorkspace(workspaceId, 'events', { ...filters, ...change }));
  const waiting = list.waiting.size;
  const isEmpty = !isLoading && error === undefined && rows.length === 0;
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>Events</h1>
        <div class="actions">
          <button type="button" class="primary" onClick={() => setTriggering(true)}>
            <Icon name="events" size={14} />
            Trigger an event
          </button>
        </div>
      </header>
      <search class="filters" aria-label="Filters">
        <label class={`pick ${filters['type'] ? 'on' : ''}`}>
          <span>Type</span>
          <select
            value={filters['type'] ?? ''}
            onChange={(event) => go({ type: event.currentTarget.value || undefined })}
          >
            <option value="">any</option>
            {filters['type'] && !types.some(({ type }) => type === filters['type']) && (
              <option value={filters['type']}>{filters['type']}</option>
            )}
            {types.map(({ type }) => (
              <option key={type} value={type}>
                {type}
              </option>
            ))}
          </select>
          <Icon name="chevron" size={12} />
        </label>
        {FILTERS.slice(1).map(
          (name) =>
            filters[name] && (
              <span key={name} class="chip">
                {name}: <b title={filters[name]}>{shortenId(filters[name])}</b>
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
      {statusOf(error) === 403 ? (
        <Failure error={error} what="list" />
      ) : error !== undefined ? (
        <div class="notice in-list" role="alert">
          <h2>Cannot show this list</h2>
          <p>{messageOf(error)}</p>
        </div>
      ) : (
        <div class={`table-area ${isStale ? 'stale' : ''}`}>
          {waiting > 0 && (
            <button type="button" class="new-rows" onClick={restart}>
              {waiting >= PAGE_SIZE ? `${PAGE_SIZE}+` : waiting} new
            </button>
          )}
          {!isEmpty && (
            <div role="table" class="table" aria-label="Events, newest first" aria-rowcount={-1} aria-busy={isLoading}>
              <div role="rowgroup">
                <div role="row" class="row-line head" aria-rowindex={1}>
                  <div class="cells event-cells">
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
                  {(event) => (
                    <div class="cells event-cells">
                      <span role="cell" class="c-type">
                        <a class="row-link" href={eventUrl(workspaceId, event.id)}>
                          {event.type}
                        </a>
                      </span>
                      <span role="cell" class="c-event mono" title={event.id}>
                        {shortenId(event.id)}
                      </span>
                      <span role="cell" class="c-subject" title={event.subject?.id}>
                        {event.subject ? `${event.subject.type} ${shortenId(event.subject.id)}` : '–'}
                      </span>
                      <span role="cell" class="c-time">
                        <Time value={event.created} />
                      </span>
                    </div>
                  )}
                </Rows>
              )}
            </div>
          )}
          {isEmpty && (
            <div class="notice in-list">
              {Object.keys(filters).length > 0 ? (
                <>
                  <h2>No event matches</h2>
                  <p>Nothing in this workspace matches all of these filters.</p>
                  <a class="button" href={inWorkspace(workspaceId, 'events')}>
                    Remove all filters
                  </a>
                </>
              ) : (
                <>
                  <h2>No events yet</h2>
                  <p>The service creates one when an evaluation ends. Trigger one yourself, here or from a shell:</p>
                  <button type="button" class="primary" onClick={() => setTriggering(true)}>
                    Trigger the first event
                  </button>
                  <TriggerSnippets workspaceId={workspaceId} />
                </>
              )}
            </div>
          )}
        </div>
      )}
      {isTriggering && (
        <TriggerDialog workspaceId={workspaceId} type={filters['type']} onClose={() => setTriggering(false)} />
      )}
    </div>
  );
}
