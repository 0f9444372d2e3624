import type { Event, ListEventsParams } from '@svc/client';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { actingUserId, clientOf } from '../../data/acting.ts';
import { useEventTypes } from '../../data/endpoints.ts';
import { queryFrom, urlFilters } from '../../data/url-filters.ts';
import { shortenId } from '../../format/text.ts';
import { eventUrl, inWorkspace } from '../../routes.ts';
import type { ScreenProps } from '../../screen-props.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Notice, RemoveFilters } from '../../ui/empty-state.tsx';
import { FilterChip } from '../../ui/filter-chip.tsx';
import { optionsOf, Pick } from '../../ui/pick.tsx';
import { ScreenHead } from '../../ui/screen-head.tsx';
import { Created } from '../../ui/time.tsx';
import { useTitle } from '../../ui/title.ts';
import { ListTable, newRows, PAGE_SIZE } from '../list/list-table.tsx';
import { useList } from '../list/use-list.ts';
import { TriggerDialog } from './trigger.tsx';
import { TriggerSnippets } from './trigger-snippets.tsx';

const FILTERS = ['type', 'subjectType', 'subjectId'] as const;
const COLUMNS = [
  ['type', 'Type'],
  ['event', 'Event'],
  ['subject', 'Subject'],
  ['time', 'Created'],
] as const;

export function EventsScreen({ workspaceId, query }: ScreenProps) {
  const filters = urlFilters(FILTERS, query);
  const { data: types = [] } = useEventTypes(workspaceId);
  const { route } = useLocation();
  const [isTriggering, setTriggering] = useState(false);
  const { events } = clientOf(workspaceId);
  const followed = useList<Event>(
    JSON.stringify([workspaceId, 'events', filters, actingUserId.value]),
    {
      first: () => events.list({ ...queryFrom<ListEventsParams>(filters), limit: PAGE_SIZE }),
      at: (url) => events.list.resume(url),
      concerns: ['events'],
    },
    false,
  );
  useTitle('Events', workspaceId);
  const go = (change: Record<string, string | undefined>) =>
    route(inWorkspace(workspaceId, 'events', { ...filters, ...change }));
  const trigger = () => setTriggering(true);
  return (
    <div class="screen">
      <ScreenHead title="Events">
        <ActionButton icon="events" class="primary" onClick={trigger}>
          Trigger an event
        </ActionButton>
      </ScreenHead>
      <search class="filters" aria-label="Filters">
        <Pick
          label="Type"
          value={filters.type}
          options={optionsOf(types.map(({ type }) => type))}
          onPick={(type) => go({ type })}
        />
        {FILTERS.slice(1).map(
          (name) =>
            filters[name] && (
              <FilterChip
                key={name}
                name={name}
                value={filters[name]}
                text={shortenId(filters[name])}
                onRemove={() => go({ [name]: undefined })}
              />
            ),
        )}
      </search>
      <ListTable
        followed={followed}
        label="Events, newest first"
        cells="cells event-cells"
        columns={COLUMNS}
        news={newRows(followed)}
        empty={<NoEvents workspaceId={workspaceId} isFiltered={Object.keys(filters).length > 0} onTrigger={trigger} />}
      >
        {(event) => <EventCells event={event} workspaceId={workspaceId} />}
      </ListTable>
      {isTriggering && (
        <TriggerDialog workspaceId={workspaceId} type={filters.type} onClose={() => setTriggering(false)} />
      )}
    </div>
  );
}

function EventCells({ event, workspaceId }: { event: Event; workspaceId: string }) {
  return (
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
        <Created at={event.created} />
      </span>
    </div>
  );
}

function NoEvents({
  workspaceId,
  isFiltered,
  onTrigger,
}: {
  workspaceId: string;
  isFiltered: boolean;
  onTrigger: () => void;
}) {
  return isFiltered ? (
    <Notice title="No event matches" text="No event in this workspace matches all of these filters.">
      <RemoveFilters unfiltered={inWorkspace(workspaceId, 'events')} />
    </Notice>
  ) : (
    <Notice
      title="No events yet"
      text="The service creates an event when an evaluation ends. You can also trigger an event here or from a shell:"
    >
      <button type="button" class="primary" onClick={onTrigger}>
        Trigger the first event
      </button>
      <TriggerSnippets workspaceId={workspaceId} />
    </Notice>
  );
}
