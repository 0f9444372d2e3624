import { useLocation } from 'preact-iso/router';
import { virtualNow } from '../../data/clock.ts';
import { useEndpoints, useEventTypes } from '../../data/endpoints.ts';
import { shownZone } from '../../data/zone.ts';
import { formatInstant } from '../../format/instant.ts';
import { shortenId, shortenUrl } from '../../format/text.ts';
import { inWorkspace } from '../../routes.ts';
import { Icon } from '../../ui/icons.tsx';
import { Menu } from '../../ui/menu.tsx';

export const DELIVERY_FILTERS = ['endpointId', 'status', 'eventType', 'createdFrom', 'createdTo'] as const;
export type DeliveryFilter = (typeof DELIVERY_FILTERS)[number];
export type DeliveryFilters = Partial<Record<DeliveryFilter, string>>;

/** The filters of a URL: only those that the list knows. */
export const filtersOf = (query: Readonly<Record<string, string>>): DeliveryFilters =>
  Object.fromEntries(DELIVERY_FILTERS.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));

const STATUSES = ['pending', 'success', 'failed', 'disabled'];
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

/** Chooses filters. Each choice is a URL. */
export function DeliveryFilterBar({ workspaceId, filters }: { workspaceId: string; filters: DeliveryFilters }) {
  const { route } = useLocation();
  const { data: endpoints = [] } = useEndpoints(workspaceId);
  const { data: types = [] } = useEventTypes(workspaceId);
  const go = (change: DeliveryFilters) => route(inWorkspace(workspaceId, 'deliveries', { ...filters, ...change }));
  const select = (name: DeliveryFilter, options: readonly (readonly [value: string, text: string])[]) => (
    <label class={`pick ${filters[name] ? 'on' : ''}`}>
      <span>{NAMES[name]}</span>
      <select value={filters[name] ?? ''} onChange={(event) => go({ [name]: event.currentTarget.value || undefined })}>
        <option value="">any</option>
        {filters[name] && !options.some(([value]) => value === filters[name]) && (
          <option value={filters[name]}>{shown(name, filters[name])}</option>
        )}
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <Icon name="chevron" size={12} />
    </label>
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
        {select(
          'status',
          STATUSES.map((status) => [status, status]),
        )}
        {select(
          'endpointId',
          endpoints.map(({ id, url }) => [id, shortenUrl(url)]),
        )}
        {select(
          'eventType',
          types.map(({ type }) => [type, type]),
        )}
        <Menu
          class={`pick ${filters.createdFrom || filters.createdTo ? 'on' : ''}`}
          button={
            <>
              <span>Created</span> <b>{filters.createdFrom || filters.createdTo ? 'some' : 'any'}</b>
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
                    go({ createdFrom: new Date(virtualNow() - ms).toISOString(), createdTo: undefined } as never);
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
                  go({ createdFrom: textOf('createdFrom'), createdTo: textOf('createdTo') } as never);
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
      </search>
      {Object.keys(filters).length > 0 && (
        <ul class="chips" aria-label="Active filters">
          {Object.entries(filters).map(([name, value]) => (
            <li key={name}>
              <span class="chip" title={value}>
                {NAMES[name as DeliveryFilter]}: <b>{shown(name as DeliveryFilter, value)}</b>
                <button
                  type="button"
                  aria-label={`Remove the filter ${NAMES[name as DeliveryFilter]}`}
                  onClick={() => go({ [name]: undefined })}
                >
                  <Icon name="cross" size={12} />
                </button>
              </span>
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
