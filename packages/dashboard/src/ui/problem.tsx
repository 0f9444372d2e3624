import type { ComponentChildren } from 'preact';

/** Shows an error message, which a screen reader reads immediately. */
export function Problem({ id, children }: { id?: string; children: ComponentChildren }) {
  return (
    <p class="problem" role="alert" id={id}>
      {children}
    </p>
  );
}
