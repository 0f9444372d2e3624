import { useLocation } from 'preact-iso/router';
import { virtualNow } from '../../data/clock.ts';
import { useEndpoints, useEventTypes } from '../../data/endpoints.ts';
import { type UrlFilters, urlFilters } from '../../data/url-filters.ts';
import { shownZone } from '../../data/zone.ts';
import { formatInstant } from '../../format/instant.ts';
import { shortenId, shortenUrl } from '../../format/text.ts';
import { endpointUrl, inWorkspace } from '../../routes.ts';
import { FilterChip } from '../../ui/filter-chip.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Menu } from '../../ui/menu.tsx';
import { type Option, optionsOf, Pick } from '../../ui/pick.tsx';

const DELIVERY_FILTERS = ['endpointId', 'status', 'eventType', 'createdFrom', 'createdTo'] as const;
export type DeliveryFilter = (typeof DELIVERY_FILTERS)[number];
export type DeliveryFilters = UrlFilters<DeliveryFilter>;

export const filtersOf = (query: Readonly<Record<string, string>>): DeliveryFilters =>
  urlFilters(DELIVERY_FILTERS, query);

export const STATUS_OPTIONS = optionsOf(['pending', 'success', 'failed', 'disabled']);
const NAMES: Record<DeliveryFilter, string> = {
  endpointId: 'Endpoint',
  status: 'Status',
  eventType: 'Type',
  createdFrom: 'Created from',
  createdTo: 'Created to',
};
const PERIODS = [
  ['Last hour', 3_600_000],
  ['Last 24 h', 86_400_000],
  ['Last 7 days', 7 * 86_400_000],
] as const;

/** Returns the URL of the workspace's list of deliveries, or of the list on an endpoint's screen. */
export const listUrl = (workspaceId: string, endpointId: string | undefined, filters: DeliveryFilters = {}): string =>
  endpointId === undefined
    ? inWorkspace(workspaceId, 'deliveries', filters)
    : endpointUrl(workspaceId, endpointId, { status: filters.status });

export function DeliveryFilterBar({ workspaceId, filters }: { workspaceId: string; filters: DeliveryFilters }) {
  const { route } = useLocation();
  const { data: endpoints = [] } = useEndpoints(workspaceId);
  const { data: types = [] } = useEventTypes(workspaceId);
  const go = (change: Partial<Record<DeliveryFilter, string | undefined>>) =>
    route(inWorkspace(workspaceId, 'deliveries', { ...filters, ...change }));
  const select = (name: DeliveryFilter, options: readonly Option[]) => (
    <Pick
      label={NAMES[name]}
      value={filters[name]}
      text={filters[name] && shown(name, filters[name])}
      options={options}
      onPick={(value) => go({ [name]: value })}
    />
  );
  const urlOf = (id: string) => endpoints.find((endpoint) => endpoint.id === id)?.url;
  const shown = (name: DeliveryFilter, value: string) => {
    if (name === 'endpointId') return shortenUrl(urlOf(value) ?? shortenId(value));
    const isInstant = name === 'createdFrom' || name === 'createdTo';
    return isInstant && !Number.isNaN(Date.parse(value)) ? formatInstant(Date.parse(value), shownZone.value) : value;
  };
  return (
    <>
      <search class="filters" aria-label="Filters">
        {select('status', STATUS_OPTIONS)}
        {select(
          'endpointId',
          endpoints.map(({ id, url }) => [id, shortenUrl(url)]),
        )}
        {select('eventType', optionsOf(types.map(({ type }) => type)))}
        <CreatedMenu filters={filters} onPick={go} />
      </search>
      {Object.keys(filters).length > 0 && (
        <ul class="chips" aria-label="Active filters">
          {Object.entries(filters).map(([name, value]) => (
            <li key={name}>
              <FilterChip
                name={NAMES[name as DeliveryFilter]}
                value={value}
                text={shown(name as DeliveryFilter, value)}
                onRemove={() => go({ [name]: undefined })}
              />
            </li>
          ))}
          <li>
            <a href={inWorkspace(workspaceId, 'deliveries')}>Clear all</a>
          </li>
        </ul>
      )}
    </>
  );
}

function CreatedMenu({
  filters,
  onPick,
}: {
  filters: DeliveryFilters;
  onPick: (created: Record<'createdFrom' | 'createdTo', string | undefined>) => void;
}) {
  const isSet = filters.createdFrom || filters.createdTo;
  return (
    <Menu
      class={`pick ${isSet ? 'on' : ''}`}
      button={
        <>
          <span>Created</span> <b>{isSet ? 'some' : 'any'}</b>
          <Icon name="chevron" size={12} />
        </>
      }
    >
      {(close) => (
        <div class="panel-group">
          {PERIODS.map(([text, ms]) => (
            <button
              key={text}
              type="button"
              class="choice"
              onClick={() => {
                onPick({ createdFrom: new Date(virtualNow() - ms).toISOString(), createdTo: undefined });
                close();
              }}
            >
              {text}
            </button>
          ))}
          <form
            onSubmit={(event) => {
              event.preventDefault();
              const fields = new FormData(event.currentTarget);
              const textOf = (name: string) => String(fields.get(name)).trim() || undefined;
              onPick({ createdFrom: textOf('createdFrom'), createdTo: textOf('createdTo') });
              close();
            }}
          >
            {(['createdFrom', 'createdTo'] as const).map((name) => (
              <label key={name} class="field">
                <span>{NAMES[name]} (ISO 8601)</span>
                <input name={name} defaultValue={filters[name] ?? ''} placeholder="2031-03-01T00:00:00Z" />
              </label>
            ))}
            <button type="submit" class="small">
              Apply
            </button>
          </form>
        </div>
      )}
    </Menu>
  );
}
