import type { ComponentChildren } from 'preact';
import { Icon } from './icons.tsx';

export function ScreenHead({
  back,
  title,
  about,
  children,
}: {
  /** The link to the list that the screen belongs to. */
  back?: { href: string; text: string };
  title: ComponentChildren;
  about?: ComponentChildren;
  children?: ComponentChildren;
}) {
  return (
    <>
      {back && (
        <a class="back" href={back.href}>
          <Icon name="back" size={14} />
          {back.text}
        </a>
      )}
      <header class="screen-head">
        <h1>{title}</h1>
        {about}
        {children && <div class="actions">{children}</div>}
      </header>
    </>
  );
}
