import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { Tenant } from '../data/tenants.ts';
import { matches } from '../format/matches.ts';
import { initials } from '../format/text.ts';
import { inWorkspace } from '../routes.ts';
import { FILTERED_ABOVE, FilterField } from '../ui/filter-field.tsx';
import { Icon } from '../ui/icons.tsx';
import { Menu } from '../ui/menu.tsx';

export function WorkspaceSwitcher({
  tenants,
  current,
  isLoading,
}: {
  tenants: readonly Tenant[];
  current: Tenant | undefined;
  isLoading: boolean;
}) {
  const button = (
    <>
      <span class="avatar" aria-hidden="true">
        {current ? initials(current.organization.name) : '··'}
      </span>
      <span class="where">
        {current ? (
          <>
            <span class="quiet">{current.organization.name} / </span>
            <strong>{current.workspace.name}</strong>
          </>
        ) : isLoading ? (
          <span class="skeleton" />
        ) : (
          'Choose a workspace'
        )}
      </span>
      <Icon name="chevron" size={14} />
    </>
  );
  return (
    <Menu button={button} class="ghost switcher">
      {(close) => <Workspaces tenants={tenants} current={current} close={close} />}
    </Menu>
  );
}

/** Lists the workspaces. A long list has a filter. */
function Workspaces({
  tenants,
  current,
  close,
}: {
  tenants: readonly Tenant[];
  current: Tenant | undefined;
  close: () => void;
}) {
  const [filter, setFilter] = useState('');
  const { route } = useLocation();
  const shown = tenants.filter(({ organization, workspace }) =>
    matches(`${organization.name} ${workspace.name}`, [organization.id, workspace.id], filter),
  );
  const [first] = shown;
  const byOrganization = Map.groupBy(shown, ({ organization }) => organization);
  return (
    <>
      {tenants.length > FILTERED_ABOVE && (
        <div class="panel-filter">
          <FilterField
            label="Filter workspaces"
            text={filter}
            onText={setFilter}
            takesFocus
            onEnter={() => {
              if (!first) return;
              close();
              route(inWorkspace(first.workspace.id));
            }}
          />
        </div>
      )}
      {shown.length === 0 && tenants.length > 0 && <p class="quiet panel-none">No workspace matches.</p>}
      {[...byOrganization].map(([organization, own]) => (
        <div key={organization.id} class="panel-group">
          <h3>{organization.name}</h3>
          {own.map(({ workspace }) => (
            <a
              key={workspace.id}
              href={inWorkspace(workspace.id)}
              onClick={close}
              aria-current={workspace.id === current?.workspace.id ? 'true' : undefined}
            >
              {workspace.name}
              {workspace.id === current?.workspace.id && <Icon name="check" size={14} />}
            </a>
          ))}
        </div>
      ))}
    </>
  );
}
