import { CompiledQuery, sql } from 'kysely';
import { isPostgres } from '../../../src/storage/dialect.ts';
import type { Queries, Storage } from '../../../src/storage/port.ts';
import type { Recorded } from './recording.ts';

/** A step of a plan that reads a whole table or index, or sorts its rows. */
export type Step = string;

/**
 * Tables that are always small: the catalog, the settings, the sessions of nodes, rows that the statement itself provides,
 * and its parts that have a limit.
 */
const SMALL =
  /^(?:SCAN|Seq Scan) (?:json_each|given|event_types|settings|delivery_nodes|CONSTANT|found|chosen|merged|pending|success|failed|disabled|latest|\(subquery)/;

/** How SQLite names a lookup of words (`M`) in the index of profiles. */
const WORD_LOOKUP = /^SCAN profile_words VIRTUAL TABLE INDEX \d+:.*M/;

/** Returns the steps of a statement's plan that grow with the tables. */
export async function growingSteps(storage: Storage, { text, values }: Recorded): Promise<Step[]> {
  const steps = await storage.read((queries) =>
    isPostgres(queries) ? postgresSteps(queries, text, values) : sqliteSteps(queries, text),
  );
  return steps.filter((step) => !SMALL.test(step) && !WORD_LOOKUP.test(step));
}

async function sqliteSteps(queries: Queries, text: string): Promise<Step[]> {
  const explain = CompiledQuery.raw(`explain query plan ${text}`);
  const { rows } = await queries.executeQuery<{ parent: number; detail: string }>(explain);
  const sortsSmall = ({ parent }: (typeof rows)[number]) =>
    SMALL.test(rows.find((row) => row.parent === parent && /^(?:SCAN|SEARCH)/.test(row.detail))?.detail ?? '');
  const sortsList = (row: (typeof rows)[number]) =>
    isPage(text) && /ORDER BY/.test(row.detail) && !sortsWords(rows.map(({ detail }) => detail)) && !sortsSmall(row);
  return rows.filter((row) => /^SCAN/.test(row.detail) || sortsList(row)).map(({ detail }) => detail);
}

/** A word index is not in the order of the list, so its results are sorted. */
const sortsWords = (details: readonly string[]) => details.some((detail) => WORD_LOOKUP.test(detail));

/**
 * A statement that reads a page must not sort the whole list. Other statements read only a few rows and may sort them. So
 * may one that reads a stretch of a list: there, PostgreSQL sorts if the list is hardly longer than the stretch.
 */
const isPage = (text: string) => / limit /.test(text) && !/ \|\| ''| limit 1 offset /.test(text);

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Index Name'?: string;
  Plans?: PlanNode[];
}

async function postgresSteps(queries: Queries, text: string, values: readonly unknown[]): Promise<Step[]> {
  const { rows } = await queries.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    CompiledQuery.raw(`explain (format json) ${text}`, [...values]),
  );
  const found: Step[] = [];
  const visit = (node: PlanNode) => {
    const type = node['Node Type'];
    // These steps read a whole index first, and a page would read more rows than its stretch.
    // A join that keeps the rows of one side (`Materialize`) compares each of them with each row of the other side.
    if (/^(?:Hash Join|Merge Join|Gather|Materialize)/.test(type)) found.push(type);
    if (type === 'Seq Scan') found.push(`Seq Scan ${node['Relation Name']}`);
    if (/Index.* Scan/.test(type) && node['Index Cond'] === undefined) found.push(`${type} without a condition`);
    if (type === 'Sort' && isPage(text) && !sortsFound(node) && !isLimited(node)) found.push('Sort');
    node.Plans?.forEach(visit);
  };
  rows[0]?.['QUERY PLAN'].forEach(({ Plan }) => void visit(Plan));
  return found;
}

/** A word index has no order, so its results are sorted. In a small workspace all its profiles may be sorted instead. */
const sortsFound = (node: PlanNode) => uses(node, 'profiles_by_words') || uses(node, 'profiles_by_external_id');

/** Whether the rows come from a part of the statement with a limit. Look-ups for each of them do not change their number. */
const isLimited = (node: PlanNode): boolean => {
  const { 'Node Type': type, Plans: [first, ...others] = [] } = node;
  if (type === 'Limit') return true;
  if (first === undefined || !isLimited(first)) return false;
  return !/Append/.test(type) || others.every(isLimited);
};

const uses = (node: PlanNode, index: string): boolean =>
  node['Index Name'] === index || (node.Plans?.some((plan) => uses(plan, index)) ?? false);

/** Fills PostgreSQL with other tenants and many rows of one workspace, so that the planner has to choose an index. */
export async function fillTables(queries: Queries, workspaceId: string, endpointId: string): Promise<void> {
  const rows = sql`generate_series(1, 5000) as n`;
  const many = sql`generate_series(1, 30000) as n`;
  const statements = [
    sql`insert into organizations select 'org_x' || n, 'slug' || n, 'X', null, 0 from ${rows}`,
    sql`insert into workspaces select 'wsp_x' || n, 'org_x' || n, 'w', 'W', null, null, null, 0, 0 from ${rows}`,
    sql`insert into users select 'usr_x' || n, n || '@x.test', 'X', 0 from ${rows}`,
    sql`insert into organization_members select 'org_x' || n, 'usr_x' || n, 'Owner' from ${rows}`,
    sql`insert into workspace_overrides select 'wsp_x' || n, 'usr_x' || n, 'Viewer' from ${rows}`,
    sql`insert into credentials select 'key_x' || n, 'api_key', 'hash' || n, null, 1, 'wsp_x' || n, null, 0 from ${rows}`,
    sql`insert into webhook_endpoints select 'whe_x' || n, 'wsp_x' || n, 'https://x.test', null, '["*"]', 1, '1', 0, 0, 0 from ${rows}`,
    sql`insert into webhook_secrets select 'whs_x' || n, 'whe_x' || n, '', '', '', null, 0, null from ${rows}`,
    sql`insert into delivery_lanes select 'whe_x' || n, null, null from ${rows}`,
    sql`insert into replayed_events select 'evt_r' || n, 'wsp_x' || n, 'evt_x' || n from ${rows}`,
    sql`insert into events select 'evt_' || lpad(cast(n as text), 26, '0'), ${workspaceId}, 't' || n % 4, 's' || n % 5,
      'sub' || n % 6, '{}', n from ${many}`,
    sql`insert into deliveries select 'whd_' || lpad(cast(n as text), 26, '0'), ${workspaceId},
      case n % 3 when 0 then ${endpointId} else 'whe_x' || n % 7 end, 'evt_7' || lpad(cast(n as text), 25, '0'),
      'evt_7' || lpad(cast(n as text), 25, '0'), 't' || n % 4, n from ${many}`,
    sql`insert into delivery_queue select endpoint_id, 1, 9e15, id, workspace_id, event_id, 1, 500, 1, 'HTTP 500'
      from deliveries where event_type like 't%' and created_at % 5 = 0`,
    sql`insert into delivery_ends select workspace_id, case created_at % 5 when 1 then 'failed' else 'success' end, id,
      endpoint_id, 1, created_at, 200, 1, null from deliveries where event_type like 't%' and created_at % 5 > 0`,
    sql`insert into delivery_attempts select 'whd_' || lpad(cast(n as text), 26, '0'), cast(n as text), 1, '', 0, 0, '{}',
      200, '{}', '', 1, null, 0 from ${many}`,
    sql`insert into notifications select 'ntf_' || lpad(cast(n as text), 26, '0'), 'usr_x' || n, 'wsp_x' || n, 't', null, 0
      from ${rows}`,
    // Most of the profiles belong to one workspace.
    sql`insert into profiles select 'prf_' || lpad(cast(n as text), 26, '0'), 'wsp_x' || least(n % 7, 1), 'ext' || n, 0, '', 'Name',
      null, 0, 0, cast(replace('x_¤name x_name x_ext' || n, '_', cast(least(n % 7, 1) as text)) as tsvector), '{}' from ${many}`,
    sql`insert into profile_states select workspace_id, id, 0, 'active' from profiles`,
    sql`insert into lifecycles select 'wsp_x' || n, n + 9e14, n + 9e14, 'schedule', null, null, null, null, null, null, 0, null from ${rows}`,
    sql`insert into evaluations select 'evl_1' || lpad(cast(n as text), 25, '0'), 'wsp_x' || n % 7, 'evt_x', 'schedule', 0, 0, 0, 0,
      '{}', '[]', null from ${many}`,
    sql`analyze`,
  ];
  for (const statement of statements) await statement.execute(queries);
}
