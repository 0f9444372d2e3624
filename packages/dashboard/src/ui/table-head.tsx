/** Shows the titles of a table's columns. `hasActions` adds a last column, whose name is only for screen readers. */
export function TableHead({ columns, hasActions = false }: { columns: readonly string[]; hasActions?: boolean }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column}>{column}</th>
        ))}
        {hasActions && (
          <th>
            <span class="hidden-visually">Actions</span>
          </th>
        )}
      </tr>
    </thead>
  );
}
