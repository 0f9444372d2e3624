import type { ComponentChildren } from 'preact';
import { messageOf, statusOf } from '../../data/server-error.ts';
import { RemoveFilters } from '../../ui/empty-state.tsx';
import { Rows, SkeletonRows } from '../../ui/rows.tsx';
import { Failure } from '../failure.tsx';
import type { Row } from './loaded-list.ts';
import type { FollowedList } from './use-list.ts';

export const PAGE_SIZE = 100;

/**
 * `name` is the last part of the cells' CSS class, such as `status` for `c-status`. `name` is empty if the cells have
 * no class of this form. `text` is the column's title.
 */
export type Column = readonly [name: string, text: string];

export interface News {
  text: string;
  show: () => void;
}

export function newRows({ list, restart }: FollowedList<Row>): News | null {
  const waiting = list.waiting.size;
  return waiting > 0 ? { text: `${waiting >= PAGE_SIZE ? `${PAGE_SIZE}+` : waiting} new`, show: restart } : null;
}

export const isEmptyList = ({ isLoading, error, rows }: FollowedList<Row>): boolean =>
  !isLoading && error === undefined && rows.length === 0;

export function ListTable<Item extends Row>({
  followed,
  label,
  cells,
  columns,
  news,
  empty,
  unfiltered,
  after,
  children,
}: {
  followed: FollowedList<Item>;
  label: string;
  /** The CSS class of the element that contains a row's cells. */
  cells: string;
  columns: readonly Column[];
  news: News | null;
  /** The content to show if there are no rows. */
  empty: ComponentChildren;
  /**
   * The URL of the list without filters. The table links to this URL if the list cannot be shown because of an error
   * other than 403.
   */
  unfiltered?: string;
  after?: ComponentChildren;
  children: (item: Item) => ComponentChildren;
}) {
  const { list, rows, isLoading, error, isStale, more, see } = followed;
  if (statusOf(error) === 403) return <Failure error={error} what="list" />;
  if (error !== undefined) return <ListFailure error={error} unfiltered={unfiltered} />;
  const isEmpty = isEmptyList(followed);
  return (
    <div class={`table-area ${isStale ? 'stale' : ''}`}>
      {news && (
        <button type="button" class="new-rows" onClick={news.show}>
          {news.text}
        </button>
      )}
      {!isEmpty && (
        <div role="table" class="table" aria-label={label} aria-rowcount={-1} aria-busy={isLoading}>
          <TableHead cells={cells} columns={columns} />
          {isLoading ? (
            <SkeletonRows columns={columns.length} />
          ) : (
            <Rows items={rows} hasMore={list.nextPageUrl !== null} onMore={more} onSee={see}>
              {children}
            </Rows>
          )}
        </div>
      )}
      {isEmpty && empty}
      {after}
    </div>
  );
}

function TableHead({ cells, columns }: { cells: string; columns: readonly Column[] }) {
  return (
    <div role="rowgroup">
      <div role="row" class="row-line head" aria-rowindex={1}>
        <div class={cells}>
          {columns.map(([column, text]) => (
            <span key={text} role="columnheader" class={column && `c-${column}`}>
              {text}
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}

function ListFailure({ error, unfiltered }: { error: unknown; unfiltered: string | undefined }) {
  return (
    <div class="notice in-list" role="alert">
      <h2>Cannot show this list</h2>
      <p>{messageOf(error)}</p>
      {unfiltered !== undefined && <RemoveFilters unfiltered={unfiltered} />}
    </div>
  );
}
