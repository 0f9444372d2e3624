import type { Tenant } from '../data/tenants.ts';
import { initials } from '../format/text.ts';
import { inWorkspace } from '../routes.ts';
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
  const organizations = [...new Set(tenants.map(({ organization }) => organization))];
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
      {(close) =>
        organizations.map((organization) => (
          <div key={organization.id} class="panel-group">
            <h3>{organization.name}</h3>
            {tenants
              .filter((tenant) => tenant.organization === organization)
              .map(({ workspace }) => (
                <a
                  key={workspace.id}
                  href={inWorkspace(workspace.id)}
                  onClick={close}
                  {...(workspace.id === current?.workspace.id && { 'aria-current': 'true' as const })}
                >
                  {workspace.name}
                  {workspace.id === current?.workspace.id && <Icon name="check" size={14} />}
                </a>
              ))}
          </div>
        ))
      }
    </Menu>
  );
}
