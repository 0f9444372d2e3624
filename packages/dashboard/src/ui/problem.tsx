import type { ComponentChildren } from 'preact';

/** What went wrong. A screen reader says it at once. */
export function Problem({ id, children }: { id?: string; children: ComponentChildren }) {
  return (
    <p class="problem" role="alert" {...(id && { id })}>
      {children}
    </p>
  );
}
