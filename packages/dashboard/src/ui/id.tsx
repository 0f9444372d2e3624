import { shortenId } from '../format/text.ts';
import { CopyButton } from './copy.tsx';

/** Shows an id, shortened in the middle. A tooltip shows the whole id, and a button copies it. */
export function Id({ value, href, whole = false }: { value: string; href?: string | undefined; whole?: boolean }) {
  const text = whole ? value : shortenId(value);
  return (
    <span class="id" title={value}>
      {href ? <a href={href}>{text}</a> : <span>{text}</span>}
      <CopyButton text={value} label={`Copy ${value}`} class="ghost tiny" />
    </span>
  );
}
