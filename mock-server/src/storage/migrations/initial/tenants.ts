export const tenantDefinitions = (postgres: boolean): string[] => [
  `create table organizations (
    id text primary key, slug text not null unique, name text not null, logo text, created_at bigint not null
  )`,
  `create table workspaces (
    id text primary key, organization_id text not null references organizations (id),
    slug text not null, name text not null, image text, timezone text, week_starts_on integer,
    created_at bigint not null, updated_at bigint not null,
    constraint workspaces_slug unique (organization_id, slug)
  )`,
  `create table users (
    id text primary key, email text not null unique, name text not null, created_at bigint not null
  )`,
  `create table organization_members (
    organization_id text not null references organizations (id), user_id text not null references users (id),
    role text not null,
    constraint organization_members_key primary key (user_id, organization_id)
  )`,
  'create index organization_members_in_order on organization_members (organization_id, user_id)',
  `create table workspace_overrides (
    workspace_id text not null references workspaces (id), user_id text not null references users (id),
    role text not null,
    constraint workspace_overrides_key primary key (user_id, workspace_id)
  )`,
  'create index workspace_overrides_by_workspace on workspace_overrides (workspace_id)',
  `create table credentials (
    id text primary key, kind text not null, hash text not null unique, name text, test integer not null,
    workspace_id text references workspaces (id), user_id text references users (id), created_at bigint not null
  )`,
  'create index credentials_by_workspace on credentials (workspace_id, id)',
  'create index credentials_by_user on credentials (user_id, id)',

  // Each request writes to this table. An unlogged table does not wait for the disk, and is empty after a crash.
  `create ${postgres ? 'unlogged' : ''} table rate_limit_windows (
    credential_id text primary key, started_at bigint not null, taken integer not null
  ) ${postgres ? 'with (fillfactor = 50)' : ''}`,
];
