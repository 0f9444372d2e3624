import type { ComponentChildren } from 'preact';

/** The notice that replaces an empty list. It says why the list is empty, and what to do. */
export function Notice({
  title,
  text,
  children,
}: {
  title: ComponentChildren;
  text: ComponentChildren;
  children?: ComponentChildren;
}) {
  return (
    <div class="notice in-list">
      <h2>{title}</h2>
      <p>{text}</p>
      {children}
    </div>
  );
}

/** The link that removes the filters of an empty list. */
export const RemoveFilters = ({ unfiltered }: { unfiltered: string }) => (
  <a class="button" href={unfiltered}>
    Remove all filters
  </a>
);
