/** The head of a table. A column of actions, which is the last one, is named for screen readers only. */
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
