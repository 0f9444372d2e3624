import type { ComponentChildren } from 'preact';

/** A screen reader reads the message immediately. */
export function Problem({ id, children }: { id?: string; children: ComponentChildren }) {
  return (
    <p class="problem" role="alert" id={id}>
      {children}
    </p>
  );
}
