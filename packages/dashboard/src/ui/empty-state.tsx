import type { ComponentChildren } from 'preact';

/** Says why a list is empty, and what to do. */
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

export const RemoveFilters = ({ unfiltered }: { unfiltered: string }) => (
  <a class="button" href={unfiltered}>
    Remove all filters
  </a>
);
